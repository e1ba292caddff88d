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
#include "tacit/theory/identification.hpp"

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

/// As they were before anything was identified: results that are kept stay good.
TEST(Plan, FingerprintsOfRegretStayAsTheyAre) {
  const Plan same = plan(kTwo, 2);
  EXPECT_EQ(same.tasks[0].fingerprint, "bb8b56b0e2e232f2a72ab5311f398122");
  EXPECT_EQ(same.tasks[1].fingerprint, "a57d5b141cec2525ddd5631b87520eb3");
  EXPECT_EQ(same.tasks[2].fingerprint, "55b94df58d35cfa12a3e690b09d4e2f6");
  EXPECT_EQ(to_text(same.tasks[0].document).find("\"top\""), std::string::npos);
}

/// One configuration of mgf-tt on three arms, with these keys of its problem.
Plan found(const std::string& keys) {
  return make_plan(read_experiment("runs = 2\n[[problem]]\nmeans = [0.7, 0.5, 0.3]\n" + keys +
                                       "[[policy]]\nname = \"mgf-tt\"\nepsilon = 1\n",
                                   "f"));
}

TEST(Plan, FingerprintsDependOnWhatIsIdentified) {
  const auto fingerprint = [](const std::string& keys) {
    return found(keys).tasks.at(0).fingerprint;
  };
  const std::string usual = fingerprint("error = 0.1\n");
  EXPECT_EQ(usual, fingerprint("error = \"0.1\"\nruns = 7\n"));
  std::vector<std::string> others;
  for (const char* keys : {"error = 0.2\n", "error = 0.1\nmost = 500\n", "error = 0.1\ntop = 2\n",
                           "budget = 500\n", "budget = 500\ntop = 2\n", "horizon = 500\n"}) {
    others.push_back(fingerprint(keys));
    EXPECT_NE(others.back(), usual) << keys;
  }
  std::sort(others.begin(), others.end());
  EXPECT_EQ(std::adjacent_find(others.begin(), others.end()), others.end());
}

TEST(Plan, TellsWhatIsIdentified) {
  const Document document = found("error = 0.1\n").tasks[0].document;
  EXPECT_EQ(document.setting.error(), 0.1);
  const Document again = read_document(to_text(document));
  EXPECT_EQ(to_text(again), to_text(document));
  EXPECT_EQ(again.setting.error(), 0.1);
  EXPECT_NE(to_text(document).find(R"("error":0.1,"budget":null,"most":null,"top":1)"),
            std::string::npos);
  EXPECT_NE(to_text(document).find(R"("params":{"error":"0.1")"), std::string::npos)
      << "what the policy was told";
  const Document budget =
      read_document(to_text(found("budget = 500\ntop = 2\n").tasks[0].document));
  EXPECT_EQ(budget.setting.error(), std::nullopt);
  ASSERT_TRUE(budget.setting.goal);
  EXPECT_TRUE(budget.setting.goal->budget);
  EXPECT_EQ(budget.setting.goal->top, 2);
  EXPECT_NE(to_text(budget).find(R"("error":null,"budget":500,"most":null,"top":2)"),
            std::string::npos);
  EXPECT_TRUE(budget.bounds.empty());
}

TEST(Plan, KeepsTheFewestSamplesAndTheErrorOfWhoIdentifies) {
  const auto bounds = [](const std::string& keys) { return found(keys).tasks[0].document.bounds; };
  const auto asked = bounds("error = 0.1\n");
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked[0].name, "promised-error");
  EXPECT_EQ(asked[0].values, (std::vector<std::optional<double>>{0.1, std::nullopt}));
  EXPECT_EQ(asked[0].side, theory::Side::kUpper);
  EXPECT_EQ(asked[1].name, "fewest-samples");
  EXPECT_EQ(asked[1].kind, theory::Kind::kFinite);
  EXPECT_FALSE(asked[1].values[0]);
  EXPECT_NEAR(*asked[1].values[1],
              theory::fewest_samples({0.7, 0.5, 0.3}, privacy::Notion::kCentral, 1, 0.1), 1e-9);
  EXPECT_EQ(bounds("error = 0.1\nmost = 500\n").at(1).kind, theory::Kind::kReference)
      << "who may give up may take fewer";
  for (const char* keys :
       {"error = 0.1\ntop = 2\n", "error = 0.6\n", "error = 0.1\nrewards = \"beta\"\n"}) {
    const auto fewer = bounds(keys);
    ASSERT_EQ(fewer.size(), 1U) << keys;
    EXPECT_EQ(fewer[0].name, "promised-error");
  }
}

TEST(Plan, ComplainsOfAGoalWhereItStands) {
  const auto said = [](const std::string& keys) -> std::string {
    try {
      found(keys);
    } catch (const InvalidParameter& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(said("error = 0.1\n"), "accepted");
  for (const char* keys : {"error = 2\n", "budget = 1\n", "budget = \"many\"\n"}) {
    EXPECT_NE(said(keys).find("(f, line 4)"), std::string::npos) << said(keys);
  }
  for (const char* keys : {"error = 0.1\ntop = 3\n", "error = 0.1\nmost = 0\n",
                           "error = 0.1\nbudget = 9\n", "budget = 9\nmost = 10\n"}) {
    EXPECT_NE(said(keys).find("(f, line 5)"), std::string::npos) << said(keys);
  }
  EXPECT_NE(said("error = 0.1\nactions = \"top:2\"\n"), "accepted");
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

/// What a plan says of problems and policies, each a table's text, from line 3 on.
std::string said_of(const std::string& tables) {
  try {
    make_plan(read_experiment("horizon = 20\nruns = 2\n" + tables, "f"));
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Plan, ALabelIsOneProblem) {
  const auto said = [](const std::string& one, const std::string& other) {
    const std::string label = "label = \"a\"\n";
    return said_of("[[problem]]\npolicies = \"mgf-imed\"\n" + label + one +
                   "[[problem]]\npolicies = \"ucb1\"\n" + label + other +
                   "[[policy]]\nname = [\"mgf-imed\", \"ucb1\"]\nepsilon = 1\n");
  };
  const std::string linear = "name = \"hu-linear\"\n";
  const std::string refused =
      "problem = a: is another problem in line 3; give each a label of its "
      "own (f, line 7)";
  EXPECT_EQ(said(linear, "name = \"hu-equal\"\n"), refused);
  EXPECT_EQ(said("means = [0.7, 0.5]\n", "means = [0.7, 0.4]\n"), refused);
  EXPECT_EQ(said("means = [0.7, 0.5]\n", "means = [\"0.70\", \".5\"]\n"), "accepted");
  EXPECT_EQ(said(linear, linear), "accepted");
  for (const char* same : {"horizon = 10\n", "runs = 7\n", "epsilon = 0.1\n",
                           "checkpoints = \"log:3\"\n", "rewards = \"bernoulli\"\n"}) {
    EXPECT_EQ(said("means = [0.7, 0.5]\n", std::string("means = [0.7, 0.5]\n") + same), "accepted")
        << same;
  }
  EXPECT_EQ(said("means = [0.7, 0.5]\n", "means = [0.7, 0.5]\nrewards = \"beta\"\n"), refused);
  EXPECT_NE(said(linear, linear + "environment-epsilon = 2\n"), "accepted");
  EXPECT_NE(said("means = [0.7, 0.5]\n", "prior = \"uniform:2\"\n"), "accepted");
}

TEST(Plan, PointsOfASweepShareALabel) {
  const auto said = [](const std::string& first, const std::string& second) {
    const auto table = [](const std::string& sweep, const char* policy) {
      return "[[problem]]\nname = \"equal-gaps:{K}:0.1\"\nlabel = \"a\"\nwith = { " + sweep +
             " }\npolicies = \"" + policy + "\"\n";
    };
    return said_of(table(first, "mgf-imed") + table(second, "ucb1") +
                   "[[policy]]\nname = [\"mgf-imed\", \"ucb1\"]\nepsilon = 1\n");
  };
  EXPECT_EQ(said("K = [2, 4]", "K = [2, 4]"), "accepted");
  EXPECT_EQ(said("K = [2, 4]", "K = [8]"), "accepted");
  EXPECT_EQ(said_of("[[problem]]\nname = \"equal-gaps:{K}:0.1\"\nlabel = \"a\"\n"
                    "with = { K = [2, 4] }\npolicies = \"mgf-imed\"\n"
                    "[[problem]]\nname = \"equal-gaps:4:0.1\"\nlabel = \"a\"\n"
                    "policies = \"ucb1\"\n"
                    "[[policy]]\nname = [\"mgf-imed\", \"ucb1\"]\nepsilon = 1\n"),
            "problem = a: is another problem in line 3; give each a label of its own (f, line 8)")
      << "of which only two points of the sweep are the same";
}

TEST(Plan, TheSameUnderTwoLabelsNamesTheFirst) {
  EXPECT_EQ(said_of("[[problem]]\nname = \"hu-linear\"\nlabel = \"a\"\n"
                    "[[problem]]\nname = \"hu-linear\"\nlabel = \"b\"\n"
                    "[[policy]]\nname = \"mgf-imed\"\nepsilon = 1\n"),
            "problem = b: mgf-imed is played on the same problem already, with the same "
            "parameters: on a (line 3) (f, line 6)");
  EXPECT_EQ(said_of("[[problem]]\nname = \"hu-linear\"\nlabel = \"a\"\n"
                    "[[policy]]\nname = \"mgf-imed\"\nepsilon = 1\n"
                    "[[policy]]\nname = \"mgf-imed\"\nlabel = \"mine\"\nepsilon = 1\n"),
            "policy = mine: is played on a already, with the same parameters (line 6) (f, line 9)");
}

TEST(Plan, AnEpsilonOfTheProblemIsNothingToThoseWhoTakeNone) {
  const Plan plan =
      make_plan(read_experiment("horizon = 20\nruns = 2\n[[problem]]\nname = \"hu-linear\"\n"
                                "label = \"u {E}\"\nepsilon = \"{E}\"\nwith = { E = [0.5, 2] }\n"
                                "[[policy]]\nname = [\"mgf-imed\", \"ucb1\"]\n",
                                "f"));
  std::vector<std::string> played;
  for (const Task& task : plan.tasks)
    played.push_back(task.document.policy_label + " on " + task.document.problem_label);
  EXPECT_EQ(played,
            (std::vector<std::string>{"mgf-imed on u 0.5", "ucb1 on u 0.5", "mgf-imed on u 2"}));
  const Plan another = make_plan(
      read_experiment("horizon = \"{T}\"\nruns = 2\n[[problem]]\nname = \"equal-gaps:{K}:0.1\"\n"
                      "label = \"{K} {E} {T}\"\nepsilon = \"{E}\"\n"
                      "with = { K = [2, 3], E = [0.5, 2], T = [10, 20] }\n"
                      "[[policy]]\nname = \"ucb1\"\n",
                      "f"));
  EXPECT_EQ(another.tasks.size(), 4U) << "other arms and horizons are other problems";
  EXPECT_NE(said_of("[[problem]]\nname = \"hu-linear\"\nlabel = \"{E}\"\n"
                    "with = { E = [0.5, 2] }\n[[policy]]\nname = \"ucb1\"\n"),
            "accepted")
      << "whose epsilon is not what differs";
}

TEST(Plan, RefusesTheSameTwice) { EXPECT_THROW(plan("[\"ucb1\", \"ucb1\"]", 5), InvalidParameter); }

}  // namespace
}  // namespace tacit::lab
