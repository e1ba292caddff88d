#include "tacit/lab/plan.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/bounds_of.hpp"
#include "tacit/lab/results.hpp"
#include "tacit/lab/small_plans_test.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::lab {
namespace {

/// The bounds of a kind that a plan has on these means at epsilon 1, after 1000 rounds.
std::vector<BoundCurve> bounds_on(const std::vector<double>& means, const std::string& policy,
                                  theory::Kind kind,
                                  const std::vector<policies::ParameterValue>& parameters = {}) {
  simulation::Request r;
  r.policy = policy;
  r.parameters = parameters;
  r.epsilon = 1;
  r.problem = std::make_shared<problems::IndependentArms>(means, problems::Rewards::kBernoulli);
  r.horizon = 1000;
  r.runs = 1;
  r.checkpoints = {10, 100, 1000};
  std::vector<BoundCurve> found;
  for (const BoundCurve& bound : bounds_of(r, simulation::prepare(r)->guarantee())) {
    EXPECT_FALSE(theory::find_bound(bound.name).conjecture);
    if (bound.kind == kind) found.push_back(bound);
  }
  return found;
}

TEST(BoundsOfAPlan, MinimaxAreForTheirOwnInstanceAtItsHorizon) {
  const theory::Bound& bound = theory::find_bound("basu-theorem-1");
  const auto own =
      bounds_on(theory::worst_instance(bound, 5, 1, 1000), "ldp-ucb-bits", theory::Kind::kMinimax);
  ASSERT_FALSE(own.empty());
  for (const BoundCurve& each : own) {
    EXPECT_FALSE(each.values[0]);
    EXPECT_FALSE(each.values[1]);
    EXPECT_TRUE(each.values[2]);
  }
  EXPECT_TRUE(bounds_on({0.75, 0.5, 0.25}, "ldp-ucb-bits", theory::Kind::kMinimax).empty());
  EXPECT_FALSE(bounds_on({0.75, 0.5, 0.25}, "ldp-ucb-bits", theory::Kind::kAsymptotic).empty());
}

TEST(BoundsOfAPlan, AreForTheParametersThatTheyWereDerivedFor) {
  const auto drawn = [](const char* bound, const char* policy,
                        const std::vector<policies::ParameterValue>& parameters) {
    const auto found = bounds_on({0.75, 0.5, 0.25}, policy, theory::Kind::kFinite, parameters);
    return std::any_of(found.begin(), found.end(),
                       [&](const BoundCurve& curve) { return curve.name == bound; });
  };
  EXPECT_TRUE(drawn("sajed-sheffet", "dp-se", {}));
  EXPECT_FALSE(drawn("sajed-sheffet", "dp-se", {{"horizon", "doubling"}}));
  EXPECT_FALSE(drawn("sajed-sheffet", "dp-se", {{"beta", "0.1"}}));
  EXPECT_TRUE(drawn("hu-theorem-3", "anytime-lazy-ucb", {}));
  EXPECT_TRUE(drawn("hu-theorem-3", "anytime-lazy-ucb", {{"index", "ucb-v"}}))
      << "whose index is never the larger one, and fails as rarely";
}

TEST(Plan, HandsOutTheFirstRunsOfAllFirst) {
  const std::vector<WorkUnit> units = work_units_of(plan(kTwo, 3));
  ASSERT_EQ(units.size(), 9U);
  EXPECT_EQ(units[2].task, 2U);
  EXPECT_EQ(units[2].block.first, 0);
  EXPECT_EQ(units[8].block.first, 2);
}

TEST(Plan, FingerprintsDependOnCheckpointsNoiseAndTheProblem) {
  const Experiment e = read_experiment(
      "horizon = 500\nruns = 2\n[[problem]]\nmeans = [0.7, 0.5, 0.3]\n[[policy]]\n"
      "name = \"anytime-lazy-ucb\"\nepsilon = 1\n",
      "f");
  const auto fingerprint = [&](const std::function<void(specs::RequestText&)>& change) {
    Experiment other = e;
    change(other.configurations[0].request);
    return make_plan(other).tasks[0].fingerprint;
  };
  const std::string usual = fingerprint([](auto&) {});
  EXPECT_EQ(usual, fingerprint([](auto& text) { text.runs = "7"; }));
  EXPECT_NE(usual, fingerprint([](auto& text) { text.noise = "exact"; }));
  EXPECT_NE(usual, fingerprint([](auto& text) { text.against = "best"; }));
  EXPECT_NE(usual, fingerprint([](auto& text) { text.checkpoints = "log:6"; }));
  EXPECT_NE(usual, fingerprint([](auto& text) { text.problem.rewards = "beta"; }));
}

TEST(Plan, FingerprintsDependOnADeltaThatIsUsed) {
  Experiment e = read_experiment(
      "horizon = 500\nruns = 2\n[[problem]]\nmeans = [0.7, 0.5, 0.3]\n[[policy]]\n"
      "name = \"dp-ucb-int\"\nepsilon = 1\n",
      "f");
  const auto task = [&](const std::string& delta) {
    e.configurations[0].request.delta = delta;
    return make_plan(e).tasks[0];
  };
  EXPECT_NE(task("1e-6").fingerprint, task("1e-3").fingerprint);
  EXPECT_EQ(task("1e-3").document.setting.delta, 1e-3);
}

TEST(Plan, FingerprintsTellApartWhatHasOtherResults) {
  const Plan one = plan(kTwo, 5);
  EXPECT_EQ(one.tasks[0].fingerprint, plan(kTwo, 9).tasks[0].fingerprint);
  EXPECT_NE(one.tasks[0].fingerprint, plan(kTwo, 5, 2).tasks[0].fingerprint);
  EXPECT_NE(one.tasks[1].fingerprint, one.tasks[2].fingerprint);
}

TEST(Plan, OfAHiddenEnvironmentKeepsItsEpsilonAndNoBoundOfPolicies) {
  const Plan plan = make_plan(read_experiment(
      "horizon = 500\nruns = 2\n[[problem]]\nname = \"hu-linear\"\nlabel = \"E = {E}\"\n"
      "with = { E = [2, 5] }\nenvironment-epsilon = \"{E}\"\n[[policy]]\nname = \"kl-ucb\"\n",
      "f"));
  ASSERT_EQ(plan.tasks.size(), 2U);
  EXPECT_NE(plan.tasks[0].fingerprint, plan.tasks[1].fingerprint);
  EXPECT_EQ(plan.tasks[1].request.environment_epsilon, 5);
  const Document& document = plan.tasks[1].document;
  EXPECT_EQ(document.means[0], 0.75) << "regret is of the truth";
  ASSERT_FALSE(document.bounds.empty()) << "random play plays as well as ever";
  for (const BoundCurve& bound : document.bounds) EXPECT_EQ(bound.kind, theory::Kind::kReference);
  const Document again = read_document(to_text(document));
  EXPECT_EQ(again.setting.environment_epsilon, 5);
  EXPECT_EQ(to_text(again), to_text(document));
}

TEST(Plan, ComplainsOfAnEnvironmentEpsilonWhereItStands) {
  const auto said = [](const std::string& problem) -> std::string {
    try {
      make_plan(read_experiment(
          "horizon = 20\nruns = 2\n[[problem]]\n" + problem + "[[policy]]\nname = \"ucb1\"\n",
          "f"));
    } catch (const InvalidParameter& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(said("name = \"alternating:20\"\nenvironment-epsilon = 1\n"),
            "environment-epsilon = 1: the problem is a table of outcomes, with no means that could "
            "be released (f, line 5)");
  EXPECT_NE(said("name = \"hu-linear\"\nenvironment-epsilon = 0\n").find("(f, line 5)"),
            std::string::npos);
}

TEST(Plan, RefusesTheSameTwice) { EXPECT_THROW(plan("[\"ucb1\", \"ucb1\"]", 5), InvalidParameter); }

}  // namespace
}  // namespace tacit::lab
