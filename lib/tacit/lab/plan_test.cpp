#include "tacit/lab/plan.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/instance_of.hpp"
#include "tacit/lab/results.hpp"
#include "tacit/lab/small_plans_test.hpp"
#include "tacit/problems/independent_arms.hpp"

namespace tacit::lab {
namespace {

/// The bounds of a kind that a plan has on these means at epsilon 1, after 1000 rounds.
std::vector<Json> bounds_on(const std::vector<double>& means, const std::string& policy,
                            const std::string& kind) {
  simulation::Request r;
  r.policy = policy;
  r.epsilon = 1;
  r.problem = std::make_shared<problems::IndependentArms>(means, problems::Rewards::kBernoulli);
  r.horizon = 1000;
  r.runs = 1;
  r.checkpoints = {10, 100, 1000};
  std::vector<Json> found;
  for (const Json& bound : bounds_of(r, simulation::prepare(r)->guarantee())) {
    EXPECT_FALSE(theory::find_bound(bound.at("name").get<std::string>()).conjecture);
    if (bound.at("kind") == kind) found.push_back(bound);
  }
  return found;
}

TEST(BoundsOfAPlan, MinimaxAreForTheirOwnInstanceAtItsHorizon) {
  const theory::Bound& bound = theory::find_bound("basu-theorem-1");
  const auto own = bounds_on(theory::worst_instance(bound, 5, 1, 1000), "ldp-ucb-bits", "minimax");
  ASSERT_FALSE(own.empty());
  for (const Json& each : own) {
    EXPECT_TRUE(each.at("values")[0].is_null());
    EXPECT_TRUE(each.at("values")[1].is_null());
    EXPECT_TRUE(each.at("values")[2].is_number());
  }
  EXPECT_TRUE(bounds_on({0.75, 0.5, 0.25}, "ldp-ucb-bits", "minimax").empty());
  EXPECT_FALSE(bounds_on({0.75, 0.5, 0.25}, "ldp-ucb-bits", "asymptotic").empty());
}

TEST(Plan, HandsOutTheFirstRunsOfAllFirst) {
  const std::vector<Piece> pieces = pieces_of(plan(kTwo, 3));
  ASSERT_EQ(pieces.size(), 9U);
  EXPECT_EQ(pieces[2].task, 2U);
  EXPECT_EQ(pieces[2].block.first, 0);
  EXPECT_EQ(pieces[8].block.first, 2);
}

TEST(Plan, FingerprintsDependOnCheckpointsNoiseAndTheProblem) {
  const Experiment e = read_experiment(
      "horizon = 500\nruns = 2\n[[problem]]\nmeans = [0.7, 0.5, 0.3]\n[[policy]]\n"
      "name = \"anytime-lazy-ucb\"\nepsilon = 1\n",
      "f");
  const auto fingerprint = [&](const std::string& noise,
                               const std::function<void(simulation::Request&)>& change) {
    Experiment other = e;
    other.configurations[0].noise = noise;
    return make_plan(other,
                     [&](const Configuration& c) {
                       MadeRequest made = make(c);
                       change(made.request);
                       return made;
                     })
        .tasks[0]
        .fingerprint;
  };
  const auto same = [](simulation::Request&) {};
  const std::string usual = fingerprint("ideal", same);
  EXPECT_EQ(usual, fingerprint("ideal", same));
  EXPECT_NE(usual, fingerprint("exact", same));
  EXPECT_NE(usual, fingerprint("ideal", [](auto& r) {
              r.checkpoints = simulation::parse_checkpoints("log:6", r.horizon);
            }));
  EXPECT_NE(usual, fingerprint("ideal", [](auto& r) {
              r.problem = std::make_shared<problems::IndependentArms>(
                  std::vector<double>{0.7, 0.5, 0.3}, problems::Rewards::kBeta);
            }));
}

TEST(Plan, FingerprintsDependOnADeltaThatIsUsed) {
  Experiment e = read_experiment(
      "horizon = 500\nruns = 2\n[[problem]]\nmeans = [0.7, 0.5, 0.3]\n[[policy]]\n"
      "name = \"dp-ucb-int\"\nepsilon = 1\n",
      "f");
  const auto task = [&](double delta) {
    return make_plan(e,
                     [&](const Configuration& c) {
                       MadeRequest made = make(c);
                       made.request.delta = delta;
                       return made;
                     })
        .tasks[0];
  };
  EXPECT_NE(task(1e-6).fingerprint, task(1e-3).fingerprint);
  EXPECT_EQ(task(1e-3).document.at("delta"), 1e-3);
}

TEST(Plan, FingerprintsTellApartWhatHasOtherResults) {
  const Plan one = plan(kTwo, 5);
  EXPECT_EQ(one.tasks[0].fingerprint, plan(kTwo, 9).tasks[0].fingerprint);
  EXPECT_NE(one.tasks[0].fingerprint, plan(kTwo, 5, 2).tasks[0].fingerprint);
  EXPECT_NE(one.tasks[1].fingerprint, one.tasks[2].fingerprint);
}

TEST(Plan, RefusesTheSameTwice) { EXPECT_THROW(plan("[\"ucb1\", \"ucb1\"]", 5), InvalidParameter); }

}  // namespace
}  // namespace tacit::lab
