// Every policy at every short horizon: where logarithms are 0, trees have one level and phases do not fit.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/simulation/catalogue_cases_test.hpp"
#include "tacit/simulation/simulate.hpp"

#ifndef _GLIBCXX_ASSERTIONS
#error "what is played here reads past no vector: the library is to be built with checks"
#endif

namespace tacit::simulation {
namespace {

using policies::Pace;
using privacy::Arithmetic;

class EveryHorizon : public ::testing::TestWithParam<std::string> {};

bool has_no_exact_noise(const std::vector<policies::ParameterValue>& parameters) {
  return !parameters.empty() && parameters[0].value == "toeplitz";
}

TEST_P(EveryHorizon, IsPlayedToItsEnd) {
  constexpr Round kLongest = 70;
  const std::vector<double> means{0.3, 0.8, 0.5};
  const bool sets = policies::find_policy(GetParam()).card.plays_sets();
  for (int count = 1; count <= 3; ++count) {
    const auto problem =
        arms({means.begin(), means.begin() + count}, problems::Rewards::kBernoulli);
    std::vector<ActionsPointer> actions{nullptr};
    for (int size = 1; sets && size <= std::min(count, 2); ++size) {
      actions.push_back(std::make_shared<actions::TopK>(count, size));
    }
    for (const ActionsPointer& set : actions) {
      for (const auto& parameters : variants(GetParam())) {
        for (const Arithmetic arithmetic : {Arithmetic::kIdealised, Arithmetic::kExact}) {
          if (arithmetic == Arithmetic::kExact && has_no_exact_noise(parameters)) continue;
          for (const Pace pace : {Pace::kSkipping, Pace::kPlain}) {
            for (Round horizon = 1; horizon <= kLongest; ++horizon) {
              Request r;
              r.policy = GetParam();
              r.epsilon = 0.9;
              r.parameters = parameters;
              r.problem = problem;
              r.actions = set;
              r.horizon = horizon;
              r.runs = 1;
              r.checkpoints = {horizon};
              r.pace = pace;
              r.arithmetic = arithmetic;
              const simulation::Run run = prepare(r)->run(static_cast<std::uint64_t>(horizon));
              ASSERT_EQ(std::accumulate(run.pulls.begin(), run.pulls.end(), Round{0}),
                        horizon * (set ? set->size() : 1))
                  << horizon;
              ASSERT_TRUE(std::isfinite(run.regrets.at(0))) << horizon;
              if (pace == Pace::kPlain) {
                ASSERT_EQ(run.decisions, horizon);
              }
            }
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryHorizon, ::testing::ValuesIn(all_names()), test_name);

}  // namespace
}  // namespace tacit::simulation
