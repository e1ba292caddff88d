// Every finite bound of every policy is kept by what is measured: tiny gaps and large ones, equal arms, two arms and
// many, one round and ten thousand, little privacy and much. A bound that a mistake in its constants makes too small is caught
// here as far as it is sharp; the tests beside the formulas hold them to their arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tacit/policies/catalogue.hpp"
#include "tacit/simulation/simulate.hpp"
#include "tacit/specs/instances.hpp"
#include "tacit/specs/problem_catalogue.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit {
namespace {

using specs::ProblemText;

std::vector<ProblemText> problems_for(feedback::Kind feedback) {
  const auto arms = [](const char* means) { return ProblemText{.means = means}; };
  const auto sets = [](const char* means, const char* actions) {
    return ProblemText{.means = means, .actions = actions};
  };
  switch (feedback) {
    case feedback::Kind::kBandit:
    case feedback::Kind::kFull:
      return {
          arms("1,0"),
          arms("0.9,0.5"),
          arms("0.5,0.499"),
          arms("0.5,0.5"),
          arms("0.3,0.3,0.3,0.3,0.1"),
          arms("0.9,0.8,0.7,0.6,0.5,0.4,0.3,0.2,0.1,0.05,0.9,0.8,0.7,0.6,0.5,0.4,0.3,0.2,0.1,0")};
    case feedback::Kind::kSemi:
      return {sets("0.9,0.8,0.5,0.2", "top:2"),
              sets("1,1,0,0,0,0", "top:2"),
              sets("0.5,0.5,0.5,0.5", "top:2"),
              sets("0.5,0.5,0.499", "top:1"),
              sets("0.9,0.7,0.7,0.7,0.6,0.5,0.4,0.3,0.2,0.1", "top:4"),
              ProblemText{.name = "k-path"},
              ProblemText{.name = "chandak-vectors"}};
    case feedback::Kind::kCascade:
      return {sets("0.5,0.5,0.25,0.25", "top:2"), sets("0.9,0.1,0", "top:1"),
              sets("0.3,0.3,0.3,0.3", "top:3"),
              sets("0.5,0.4,0.3,0.2,0.1,0.499,0.05,0.02", "top:3")};
  }
  return {};
}

/// The largest share of its bound that anybody had: where it is small, the sweep does not tell.
double closest = 0;

void hold_to_bounds(const policies::Card& card, const ProblemText& text, double epsilon,
                    Round horizon) {
  const specs::ChosenProblem chosen = specs::problem(text);
  simulation::Request request;
  request.policy = card.name;
  request.problem = chosen.problem;
  request.actions = chosen.actions;
  request.horizon = horizon;
  request.runs = horizon > 1000 ? 6 : 16;
  request.checkpoints = {horizon};
  const bool is_private = card.trust != policies::Trust::kNone;
  if (is_private) request.epsilon = epsilon;
  if (card.takes_delta) request.delta = 1e-3;
  const Answer<theory::Instance> instance = specs::instance_of(request, card.feedback);
  ASSERT_TRUE(instance);
  std::vector<const theory::Bound*> finite;
  for (const theory::Bound& bound : theory::bounds()) {
    if (bound.kind != theory::Kind::kFinite) continue;
    if (theory::concerns(bound, card.name, card.published.notion, card.feedback) &&
        theory::evaluate(bound, *instance)) {
      finite.push_back(&bound);
    }
  }
  if (finite.empty()) return;
  const simulation::Summary summary = simulation::simulate(request);
  const simulation::Moments& measured = summary.curve.back();
  const double doubt = 4 * measured.standard_error();
  for (const theory::Bound* bound : finite) {
    const double value = theory::evaluate(*bound, *instance).value();
    const std::string where = bound->name + " on " + text.name.value_or(text.means.value_or("")) +
                              " at epsilon " + std::to_string(epsilon) + ", horizon " +
                              std::to_string(horizon) + ": " + std::to_string(measured.mean()) +
                              " +- " + std::to_string(doubt / 4) + " against " +
                              std::to_string(value);
    // What plays the worst action from the start meets T times the largest gap to the last bit.
    constexpr double kRounding = 1e-6;
    if (bound->side == theory::Side::kUpper) {
      EXPECT_LE(measured.mean() - doubt, value * (1 + kRounding) + kRounding) << where;
      if (value > 0) closest = std::max(closest, measured.mean() / value);
    } else {
      EXPECT_GE(measured.mean() + doubt, value * (1 - kRounding)) << where;
    }
  }
}

/// Policies that take as long for many rounds as for few: their bounds are far from T times a gap only there.
bool decides_seldom(const std::string& policy) {
  const std::vector<std::string> all{
      "anytime-lazy-ucb",      "adap-ucb", "adap-klucb", "dp-se", "dpucb-mat", "ftnl", "rnm-ftnl",
      "rnm-ftnl-as-published", "pf-ftnl"};
  return std::find(all.begin(), all.end(), policy) != all.end();
}

class EveryPolicy : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryPolicy, KeepsItsFiniteBounds) {
  const policies::Card& card = policies::find_policy(GetParam()).card;
  const bool is_private = card.trust != policies::Trust::kNone;
  std::vector<Round> horizons{1, 2, 30, 1000, 10000};
  if (decides_seldom(GetParam())) horizons.push_back(10000000);
  for (const ProblemText& text : problems_for(card.feedback)) {
    for (const Round horizon : horizons) {
      hold_to_bounds(card, text, 1, horizon);
      if (!is_private || horizon == 1) continue;
      for (const double epsilon : {0.05, 20.0}) hold_to_bounds(card, text, epsilon, horizon);
    }
  }
}

std::vector<std::string> policies_with_finite_bounds() {
  std::vector<std::string> names;
  for (const theory::Bound& bound : theory::bounds()) {
    if (bound.kind != theory::Kind::kFinite) continue;
    for (const std::string& policy : bound.policies) {
      if (std::find(names.begin(), names.end(), policy) == names.end()) names.push_back(policy);
    }
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryPolicy, ::testing::ValuesIn(policies_with_finite_bounds()),
                         [](const auto& policy) {
                           std::string name = policy.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// The sweep can fail: on two arms of gap 0.4, ucb1 has more than a tenth of its bound.
TEST(Sweep, SeesABoundThatIsTenTimesTooSmall) {
  closest = 0;
  hold_to_bounds(policies::find_policy("ucb1").card, {.means = "0.9,0.5"}, 1, 10000);
  EXPECT_GT(closest, 0.1);
}

}  // namespace
}  // namespace tacit
