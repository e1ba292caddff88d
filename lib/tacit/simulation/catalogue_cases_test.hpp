// What tests over the whole catalogue play: every policy, fixed problems, and the parameters that change its path.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tacit/actions/top_k.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/problems/table.hpp"

namespace tacit::simulation {

using ProblemPointer = std::shared_ptr<const problems::Problem>;
using ActionsPointer = std::shared_ptr<const actions::ActionSet>;

inline ProblemPointer arms(std::vector<double> means, problems::Rewards rewards) {
  return std::make_shared<problems::IndependentArms>(std::move(means), rewards);
}

/// 4000 rounds of three arms.
inline ProblemPointer patterned_table() {
  std::vector<std::vector<double>> rows;
  for (int t = 0; t < 4000; ++t) {
    rows.push_back(
        {(t * 7) % 10 < 6 ? 1.0 : 0.0, (t / 3) % 2 == 0 ? 1.0 : 0.1, (t * t) % 5 == 1 ? 0.9 : 0.2});
  }
  return std::make_shared<problems::Table>(rows);
}

/// Samples of posteriors that are drawn only where they matter. On reports and counters every round is a decision all
/// the same.
inline const std::vector<std::string>& posterior_samplers() {
  static const std::vector<std::string> names{"lazy-dp-ts", "dpts-mat",    "thompson-beta",
                                              "ts-cf",      "cts-beta",    "thompson-gaussian",
                                              "dp-ts-tree", "cts-gaussian"};
  return names;
}
/// Its choices are random and skipping draws fewer of them: paces agree in law.
inline bool samples_posteriors_lazily(const std::string& policy) {
  return std::find(posterior_samplers().begin(), posterior_samplers().end(), policy) !=
         posterior_samplers().end();
}
/// Whether it has rounds that are not decisions.
inline bool skips_rounds(const std::string& policy) {
  return policy == "lazy-dp-ts" || policy == "dpts-mat";
}

/// A policy's own parameters, and every counter, index and way to have a horizon that it can have.
inline std::vector<std::vector<policies::ParameterValue>> variants(const std::string& policy) {
  std::vector<std::vector<policies::ParameterValue>> all{{}};
  for (const policies::ParameterInfo& info : policies::find_policy(policy).parameters({})) {
    const auto add = [&](std::initializer_list<const char*> values) {
      for (const char* value : values) {
        if (value != info.value) all.push_back({{info.name, value}});
      }
    };
    if (info.name == "counter") add({"tree", "signed", "refined", "toeplitz", "hybrid"});
    if (info.name == "index") add({"ucb1", "ucb-v"});
    if (info.name == "horizon") add({"known", "doubling"});
  }
  return all;
}

inline std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const policies::Entry& entry : policies::catalogue()) names.emplace_back(entry.card.name);
  return names;
}

inline std::string test_name(const ::testing::TestParamInfo<std::string>& policy) {
  std::string name = policy.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace tacit::simulation
