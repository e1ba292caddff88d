#include "tacit/lab/experiment.hpp"

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::lab {
namespace {

const std::string kSmall = R"(
title = "small"
horizon = 1e3
runs = 5
epsilon = [0.5, 1]

[[problem]]
name = "hu-linear"

[[policy]]
name = ["ucb1", "anytime-lazy-ucb"]
)";

std::string refusal(const std::string& text) {
  try {
    read_experiment(text, "some.toml");
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "accepted";
}

/// The small experiment with one line replaced.
std::string with(const std::string& line, const std::string& other) {
  std::string text = kSmall;
  const std::size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  return text.replace(at, line.size(), other);
}

TEST(Experiment, ListsAreSweepsAndBaselinesRunOnce) {
  const Experiment e = read_experiment(kSmall, "small.toml");
  ASSERT_EQ(e.configurations.size(), 3U);
  EXPECT_EQ(e.title, "small");
  EXPECT_EQ(e.configurations[0].request.policy, "ucb1");
  EXPECT_FALSE(e.configurations[0].request.epsilon);
  EXPECT_EQ(e.configurations[1].request.policy, "anytime-lazy-ucb");
  EXPECT_EQ(e.configurations[1].request.epsilon, "0.5");
  EXPECT_EQ(e.configurations[2].request.epsilon, "1");
  EXPECT_EQ(e.configurations[2].request.horizon, "1000");
  EXPECT_EQ(e.configurations[2].request.seed, "1");
}

TEST(Experiment, ProblemsMayHaveVariables) {
  const Experiment e = read_experiment(
      with("name = \"hu-linear\"", "name = \"k-path:{m}:{K}:0.4\"\nwith = { K = [2, 4], m = 8 }"),
      "f");
  ASSERT_EQ(e.configurations.size(), 6U);
  EXPECT_EQ(e.configurations[0].request.problem.name, "k-path:8:2:0.4");
  EXPECT_EQ(e.configurations[3].request.problem.name, "k-path:8:4:0.4");
  EXPECT_EQ(e.configurations[3].problem_label, "k-path:8:4:0.4");
  ASSERT_EQ(e.configurations[3].variables.size(), 2U);
  EXPECT_EQ(e.configurations[3].variables[0], (std::pair<std::string, std::string>{"K", "4"}));
}

TEST(Experiment, AProblemMayChooseItsPoliciesEpsilonAndCheckpoints) {
  const Experiment e = read_experiment(with("name = \"hu-linear\"",
                                            "name = \"hu-linear\"\n[[problem]]\nname = "
                                            "\"hu-equal\"\npolicies = \"anytime-lazy-ucb\"\n"
                                            "epsilon = 4\ncheckpoints = \"log:7\""),
                                       "f");
  ASSERT_EQ(e.configurations.size(), 4U);
  EXPECT_EQ(e.configurations[3].request.policy, "anytime-lazy-ucb");
  EXPECT_EQ(e.configurations[3].request.epsilon, "4");
  EXPECT_EQ(e.configurations[3].request.checkpoints, "log:7");
  EXPECT_EQ(e.configurations[2].request.checkpoints, "log:50");
  EXPECT_NE(refusal(with("name = \"hu-linear\"", "name = \"hu-linear\"\npolicies = \"ucb\""))
                .find("ucb1"),
            std::string::npos);
}

TEST(Experiment, RegretMayBeAgainstTheBest) {
  const Experiment e = read_experiment(
      "against = \"best\"\n" + with("name = \"hu-linear\"",
                                    "name = \"hu-linear\"\n[[problem]]\nname = \"hu-equal\"\n"
                                    "against = \"oracle\""),
      "f");
  EXPECT_EQ(e.configurations.front().request.against, "best");
  EXPECT_EQ(e.configurations.back().request.against, "oracle");
  EXPECT_EQ(read_experiment(kSmall, "f").configurations.front().request.against, "oracle");
}

TEST(Experiment, EpsilonMayFollowTheProblem) {
  const Experiment e = read_experiment(
      "horizon = 10\nruns = 1\n[[problem]]\nname = \"worst:basu-theorem-1:5:{eps}:10\"\n"
      "with = { eps = [0.5, 2] }\n[[policy]]\nname = \"ldp-ucb-bits\"\nepsilon = \"{eps}\"\n",
      "f");
  ASSERT_EQ(e.configurations.size(), 2U);
  EXPECT_EQ(e.configurations[0].request.epsilon, "0.5");
  EXPECT_EQ(e.configurations[1].request.epsilon, "2");
}

TEST(Experiment, ParametersAreSweptAndTellCurvesApart) {
  const Experiment e =
      read_experiment(with("name = [\"ucb1\", \"anytime-lazy-ucb\"]",
                           "name = \"dp-se\"\nepsilon = 2\nparams = { beta = [0.1, 0.01] }"),
                      "f");
  ASSERT_EQ(e.configurations.size(), 2U);
  EXPECT_EQ(e.configurations[0].policy_label, "dp-se beta=0.1");
  EXPECT_EQ(e.configurations[1].policy_label, "dp-se beta=0.01");
  EXPECT_EQ(e.configurations[1].request.epsilon, "2");
}

TEST(Experiment, APolicysOwnEpsilonComesBeforeTheProblems) {
  const Experiment e = read_experiment(
      "horizon = 10\nruns = 1\nepsilon = 1\n[[problem]]\nname = \"hu-linear\"\nepsilon = 4\n"
      "[[policy]]\nname = \"dp-se\"\nepsilon = 2\n[[policy]]\nname = \"lazy-dp-ts\"\n",
      "f");
  ASSERT_EQ(e.configurations.size(), 2U);
  EXPECT_EQ(e.configurations[0].request.epsilon, "2");
  EXPECT_EQ(e.configurations[1].request.epsilon, "4");
}

TEST(Experiment, AProblemsEpsilonMayBeAVariable) {
  const Experiment e = read_experiment(
      "horizon = 10\nruns = 1\n[[problem]]\nname = \"hu-linear\"\nepsilon = \"{eps}\"\n"
      "with = { eps = [0.5, 2] }\n[[policy]]\nname = \"dp-se\"\n",
      "f");
  ASSERT_EQ(e.configurations.size(), 2U);
  EXPECT_EQ(e.configurations[1].request.epsilon, "2");
}

TEST(Experiment, LabelsTellSweptParametersApart) {
  const Experiment e = read_experiment(
      with("name = [\"ucb1\", \"anytime-lazy-ucb\"]",
           "name = \"dp-se\"\nepsilon = 2\nlabel = \"se\"\nparams = { beta = [0.1, 0.01] }"),
      "f");
  ASSERT_EQ(e.configurations.size(), 2U);
  EXPECT_EQ(e.configurations[1].policy_label, "se beta=0.01");
}

const std::string kFind = R"(
runs = 5
error = [0.1, 0.01]
epsilon = [0.5, 1]

[[problem]]
name = "hu-linear"

[[policy]]
name = ["top-two", "mgf-tt"]
)";

TEST(Experiment, AnErrorIsSweptAndNeedsNoHorizon) {
  const Experiment e = read_experiment(kFind, "f");
  ASSERT_EQ(e.configurations.size(), 6U);
  EXPECT_EQ(e.configurations[1].request.error, "0.01");
  EXPECT_FALSE(e.configurations[1].request.epsilon);
  EXPECT_EQ(e.configurations[3].request.epsilon, "0.5");
  EXPECT_EQ(e.configurations[3].request.error, "0.01");
  EXPECT_EQ(e.configurations[3].request.horizon, "");
  EXPECT_FALSE(e.configurations[3].request.budget);
}

TEST(Experiment, APolicysErrorComesBeforeTheProblemsAndThatBeforeTheOneAtTheTop) {
  const Experiment e =
      read_experiment(kFind + "[[policy]]\nname = \"dp-se\"\nepsilon = 1\nerror = 0.2\n" +
                          "[[problem]]\nname = \"hu-equal\"\nerror = 0.3\nmost = 1e4\ntop = 2\n"
                          "policies = [\"top-two\", \"dp-se\"]\n",
                      "f");
  ASSERT_EQ(e.configurations.size(), 9U);
  EXPECT_EQ(e.configurations[6].request.error, "0.2");
  EXPECT_FALSE(e.configurations[6].request.most);
  EXPECT_EQ(e.configurations[7].request.error, "0.3");
  EXPECT_EQ(e.configurations[7].request.most, "10000");
  EXPECT_EQ(e.configurations[7].request.top, "2");
  EXPECT_EQ(e.configurations[8].request.error, "0.2");
}

TEST(Experiment, ABudgetMayBeAVariableAndLeavesTheErrorOut) {
  const Experiment e = read_experiment(
      "most = 1e6\n" + kFind + "error = 0.5\n[[problem]]\nname = \"hu-equal\"\nbudget = \"{n}\"\n" +
          "with = { n = [100, 200] }\npolicies = \"top-two\"\n",
      "f");
  ASSERT_EQ(e.configurations.size(), 5U) << "two of them with the policies' error";
  EXPECT_EQ(e.configurations[0].request.most, "1000000");
  EXPECT_EQ(e.configurations[4].request.budget, "200");
  EXPECT_FALSE(e.configurations[4].request.error);
  EXPECT_FALSE(e.configurations[4].request.most);
}

TEST(Experiment, RegretAndIdentificationStandSideBySide) {
  const Experiment e = read_experiment(
      kSmall + "[[problem]]\nname = \"hu-equal\"\nerror = 0.1\npolicies = \"ucb1\"\n", "f");
  ASSERT_EQ(e.configurations.size(), 4U);
  EXPECT_EQ(e.configurations[0].request.horizon, "1000");
  EXPECT_FALSE(e.configurations[0].request.error);
  EXPECT_EQ(e.configurations[3].request.horizon, "");
  const Experiment other =
      read_experiment(kFind + "[[problem]]\nname = \"hu-equal\"\nhorizon = 9\n", "f");
  EXPECT_EQ(other.configurations.back().request.horizon, "9");
  EXPECT_FALSE(other.configurations.back().request.error);
}

TEST(Experiment, SaysWhereAGoalIsOutOfPlace) {
  EXPECT_EQ(
      refusal("horizon = 9\n" + kFind),
      "horizon = 9: what identifies, by error, has none; give it to the problems whose regret "
      "is measured (some.toml, line 1)");
  EXPECT_EQ(refusal(with("name = \"hu-linear\"", "name = \"hu-linear\"\nhorizon = 9\nerror = 0.1")),
            "error = 0.1: a problem with a horizon measures regret; leave one of them out "
            "(some.toml, line 10)");
  EXPECT_EQ(refusal(with("name = \"hu-linear\"", "name = \"hu-linear\"\ntop = 2")),
            "top = 2: is for problems whose best arm is identified; give error or budget, too "
            "(some.toml, line 9)");
  EXPECT_EQ(refusal("most = 7\n" + kSmall),
            "most = 7: is for problems whose best arm is identified; give error or budget, too "
            "(some.toml, line 1)");
  EXPECT_EQ(refusal(kSmall + "error = 0.1\n"),
            "error = 0.1: is for problems that are identified with an error; give one there or at "
            "the top, too (some.toml, line 12)");
  EXPECT_EQ(
      refusal(with("name = \"hu-linear\"",
                   "name = \"hu-linear\"\nerror = 0.1\ncheckpoints = \"log:5\"")),
      "checkpoints = log:5: a run that identifies has none; leave it out (some.toml, line 10)");
}

TEST(Experiment, TwoUnderOneLabelAreRefused) {
  EXPECT_EQ(refusal(with("name = \"hu-linear\"",
                         "name = [\"hu-linear\", \"hu-equal\"]\nlabel = \"both\"")),
            "label = both: is for one problem, not for several (some.toml, line 9)");
  EXPECT_EQ(refusal(with("name = \"hu-linear\"",
                         "name = \"hu-linear\"\n[[problem]]\nname = \"hu-linear\"\nhorizon = 9")),
            "problem = hu-linear: is there already (line 7); give it a label of its own "
            "(some.toml, line 9)");
  EXPECT_EQ(refusal(kSmall + "[[policy]]\nname = \"dp-se\"\nlabel = \"anytime-lazy-ucb\"\n"),
            "policy = anytime-lazy-ucb: is there already (line 10); give it a label of its own "
            "(some.toml, line 12)");
}

TEST(Experiment, AnUnknownKeyNamesTheLineAndTheNearestKey) {
  EXPECT_EQ(refusal(with("horizon = 1e3", "horizont = 1e3")),
            "key = horizont: unknown; did you mean horizon? (some.toml, line 3)");
  EXPECT_EQ(refusal(with("name = \"hu-linear\"", "name = \"hu-linear\"\nreward = \"beta\"")),
            "key = reward: unknown in [[problem]]; did you mean rewards? (some.toml, line 9)");
  EXPECT_EQ(refusal(kSmall + "epsilons = 1\n"),
            "key = epsilons: unknown in [[policy]]; did you mean epsilon? (some.toml, line 12)");
}

TEST(Experiment, WrongTypesAndMissingPartsAreSaidInOneLine) {
  EXPECT_EQ(refusal(with("runs = 5", "runs = true")),
            "runs = true or false: must be a number or a text (some.toml, line 4)");
  EXPECT_EQ(refusal(with("epsilon = [0.5, 1]", "epsilon = []")),
            "epsilon = []: needs at least one value (some.toml, line 5)");
  EXPECT_EQ(refusal(with("horizon = 1e3\n", "")),
            "horizon: missing; give it at the top or in the problem (some.toml, line 6)");
  EXPECT_EQ(refusal(with("[[policy]]", "[policy]")),
            "policy = a table: must be written [[policy]] (some.toml, line 10)");
  EXPECT_EQ(refusal(kSmall + "[figure]\n"),
            "figure = a table: must be written [[figure]] (some.toml, line 12)");
  EXPECT_EQ(refusal(with("name = \"hu-linear\"", "")),
            "problem: missing; give either name = \"...\", means = [...] or prior = \"...\" "
            "(some.toml, line 7)");
  EXPECT_EQ(refusal(with("\"hu-linear\"", "\"equal-gaps:{K}:0.1\"")),
            "name = equal-gaps:{K}:0.1: {K} has no value; give it like with = { K = [2, 4] } "
            "(some.toml, line 8)");
  EXPECT_EQ(refusal(with("\"hu-linear\"", "\"hu-linear\"\nwith = { K = [1, 2] }")),
            "with = K: is used nowhere; write {K} into name, means, prior, actions, "
            "environment-epsilon, horizon, budget or label (some.toml, line 9)");
  EXPECT_NE(refusal(with("\"ucb1\"", "\"ucb2\"")).find("ucb1"), std::string::npos);
  EXPECT_NE(refusal("title = \n").find("line 1"), std::string::npos);
  EXPECT_NE(refusal("").find("[[problem]]"), std::string::npos);
}

}  // namespace
}  // namespace tacit::lab
