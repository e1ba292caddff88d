// Bad input: exit 2, one line on stderr that names what is wrong, nothing on stdout.
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "program.hpp"
#include "refusals.hpp"

namespace tacit::cli_test {
namespace {

/// Options of a good `simulate` command; a case changes one of them. "" means: left out.
using Options = std::map<std::string, std::string>;

const Options kGood = {{"--policy", "anytime-lazy-ucb"},
                       {"--epsilon", "1"},
                       {"--problem", "hu-linear"},
                       {"--horizon", "100"},
                       {"--runs", "2"}};
const Options kMeans = {{"--problem", ""}};

Arguments simulate_with(const std::vector<Options>& changes) {
  Options options = kGood;
  for (const Options& change : changes) {
    for (const auto& [name, value] : change) options[name] = value;
  }
  Arguments arguments = {"simulate"};
  for (const auto& [name, value] : options) {
    if (!value.empty()) arguments = arguments + Arguments{name, value};
  }
  return arguments;
}

void expect_each_refused(const std::string& option, const std::vector<std::string>& values,
                         const std::vector<Options>& also = {}) {
  const std::string parameter = option.substr(2);
  for (const std::string& value : values) {
    std::vector<Options> changes = also;
    changes.push_back({{option, value}});
    expect_refused_either_way(simulate_with(changes), {parameter, value});
  }
}

TEST(BadInput, TheCommandThatTheCasesChangeIsGood) {
  const Result result = run_tacit(simulate_with({}));
  EXPECT_EQ(result.exit, 0) << result.err;
}

TEST(BadInput, Epsilon) {
  expect_each_refused("--epsilon", {"0", "-0", "-1", "-1e-9", "nan", "-nan", "inf", "-inf", "1e999",
                                    "one", "1,2", "0x1", "1 "});
}

TEST(BadInput, EpsilonIsRequiredByPrivatePolicies) {
  expect_refused_either_way(simulate_with({{{"--epsilon", ""}}}), {"epsilon", "anytime-lazy-ucb"});
  expect_refused_either_way(
      simulate_with({{{"--epsilon", ""}, {"--policy", "ucb1,anytime-lazy-ucb"}}}),
      {"epsilon", "anytime-lazy-ucb"});
  EXPECT_EQ(run_tacit(simulate_with({{{"--epsilon", ""}, {"--policy", "ucb1"}}})).exit, 0);
}

TEST(BadInput, Delta) { expect_each_refused("--delta", {"0", "1", "-0.1", "nan", "inf", "small"}); }

TEST(BadInput, Means) {
  expect_each_refused("--means", {"1.5", "-0.1", "nan", "inf", "half"}, {kMeans});
  // The mean that is wrong is named, not the list.
  const std::vector<std::pair<std::string, std::string>> lists = {
      {"0.5,1.5", "1.5"}, {"0.5,-0.1,0.2", "-0.1"}, {"0.5,x,0.2", "x"}, {"0.5,nan", "nan"}};
  for (const auto& [list, wrong] : lists) {
    expect_refused_either_way(simulate_with({kMeans, {{"--means", list}}}), {"means", wrong});
  }
  for (const char* list : {"0.5,,0.2", "0.5,", ",", " "}) {
    expect_refused_either_way(simulate_with({kMeans, {{"--means", list}}}), {"means"});
  }
}

TEST(BadInput, ZeroArms) {
  expect_refused_either_way(simulate_with({kMeans}) + Arguments{"--means", ""}, {"means"});
  expect_refused_either_way(simulate_with({kMeans}), {"means"});
}

TEST(BadInput, MeansFiles) {
  const TemporaryFolder folder;
  const std::vector<std::string> paths = {
      folder.path() + "/missing",
      folder.path(),
      folder.file("empty", ""),
      folder.file("comments", "# nothing\n\n  \n"),
      folder.file("words", "0.5 half\n"),
      folder.file("outside", "0.5 1.5\n"),
      folder.file("binary", std::string("\0\1\2\377", 4)),
  };
  for (const std::string& path : paths) {
    expect_refused_either_way(simulate_with({kMeans, {{"--means", "@" + path}}}), {"means"});
  }
  expect_refused_either_way(simulate_with({kMeans, {{"--means", "@" + paths[0]}}}), {paths[0]});
  expect_refused_either_way(simulate_with({kMeans, {{"--means", "@" + paths[1]}}}), {paths[1]});
  expect_refused_either_way(simulate_with({kMeans, {{"--means", "@"}}}), {"means"});
  const std::string second = folder.file("second", "# two lines\n0.5, 1.5 0.2\n");
  expect_refused_either_way(simulate_with({kMeans, {{"--means", "@" + second}}}),
                            {"means = 1.5", second, "line 2"});
}

TEST(BadInput, AFileThatMayNotBeRead) {
  const TemporaryFolder folder;
  const std::string path = folder.file("closed", "0.5 0.4\n");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  if (std::ifstream(path).good()) GTEST_SKIP() << "this user may read everything";
  expect_refused_either_way(simulate_with({kMeans, {{"--means", "@" + path}}}), {"means", path});
}

TEST(BadInput, TableFiles) {
  const TemporaryFolder folder;
  const std::vector<std::string> paths = {
      folder.path() + "/missing",         folder.path(),
      folder.file("empty", ""),           folder.file("ragged", "0.5,0.4\n0.1\n"),
      folder.file("words", "0.5,half\n"), folder.file("gap", "0.5,,0.1\n"),
      folder.file("outside", "0.5,2\n"),  folder.file("nan", "0.5,nan\n"),
  };
  for (const std::string& path : paths) {
    expect_refused_either_way(simulate_with({{{"--problem", "table:" + path}, {"--horizon", "1"}}}),
                              {"problem", path});
  }
  expect_refused_either_way(simulate_with({{{"--problem", "table:"}}}), {"problem"});
}

TEST(BadInput, ATableShorterThanTheHorizon) {
  const TemporaryFolder folder;
  const std::string table = "table:" + folder.file("table", "0.5,0.4\n0.1,0.3\n");
  expect_refused_either_way(simulate_with({{{"--problem", table}, {"--horizon", "3"}}}),
                            {"horizon", "3", "2 rounds"});
  EXPECT_EQ(run_tacit(simulate_with({{{"--problem", table}, {"--horizon", "2"}}})).exit, 0);
}

TEST(BadInput, Horizon) {
  expect_each_refused("--horizon",
                      {"0", "-1", "1e30", "1.5", "9007199254740993", "9007199254740994",
                       "99999999999999999999", "nan", "inf", "many", "10 rounds"});
}

TEST(BadInput, Runs) {
  expect_each_refused("--runs", {"0", "-1", "0.5", "1e30", "nan", "inf", "some"});
}

TEST(BadInput, Seed) { expect_each_refused("--seed", {"-1", "0.5", "1e30", "nan", "x"}); }

TEST(BadInput, Threads) { expect_each_refused("--threads", {"0", "-1", "1.5", "1e30", "all"}); }

TEST(BadInput, Checkpoints) {
  expect_each_refused("--checkpoints",
                      {"log", "log:", "log:0", "log:-1", "log:1.5", "log:x", "linear:0", "cubic:5",
                       "5", ":5", "log:5:5", "log:99999999999999999999"});
}

TEST(BadInput, ChoicesAreListed) {
  expect_refused_either_way(simulate_with({kMeans, {{"--means", "0.5"}, {"--rewards", "cauchy"}}}),
                            {"rewards", "cauchy", "bernoulli", "beta", "point", "normal"});
  expect_refused_either_way(simulate_with({{{"--feedback", "gossip"}}}),
                            {"feedback", "gossip", "bandit"});
  expect_refused_either_way(simulate_with({{{"--actions", "several"}}}),
                            {"actions", "several", "single"});
  expect_refused_either_way(simulate_with({{{"--noise", "loud"}}}), {"noise", "loud", "ideal"});
}

TEST(BadInput, FeedbackThatThePolicyDoesNotHave) {
  expect_refused_either_way(simulate_with({{{"--feedback", "full"}}}),
                            {"feedback", "full", "anytime-lazy-ucb", "bandit"});
}

TEST(BadInput, AnUnknownPolicyIsAnsweredWithTheNearestName) {
  expect_refused_either_way(simulate_with({{{"--policy", "anytime-lazy-ubc"}}}),
                            {"policy", "anytime-lazy-ubc", "did you mean anytime-lazy-ucb?"});
  expect_refused_either_way(simulate_with({{{"--policy", "ucb1,ucb-1"}}}),
                            {"policy", "ucb-1", "did you mean ucb1?"});
  for (const char* policy : {"ucb1,", ",", " "}) {
    expect_refused_either_way(simulate_with({{{"--policy", policy}}}), {"policy"});
  }
}

TEST(BadInput, AnUnknownProblemIsAnsweredWithTheNearestName) {
  expect_refused_either_way(simulate_with({{{"--problem", "hu-linaer"}}}),
                            {"problem", "hu-linaer", "did you mean hu-linear?"});
}

TEST(BadInput, EnvironmentEpsilon) {
  expect_each_refused("--environment-epsilon", {"0", "-1", "nan", "inf", "some"});
  expect_each_refused("--environment-regret", {"true", "released", "some"});
}

TEST(BadInput, Parameters) {
  expect_refused_either_way(simulate_with({{{"--param", "speed=1"}}}), {"speed"});
  for (const char* param : {"speed", "=1", "speed=", "=", " "}) {
    expect_refused_either_way(simulate_with({{{"--param", param}}}), {"param"});
  }
  const Options phases = {{"--policy", "dp-klucb"}};
  expect_refused_either_way(simulate_with({phases, {{"--param", "growht=3"}}}),
                            {"growht", "did you mean growth?"});
  for (const char* value : {"1", "-1", "nan", "inf", "fast"}) {
    expect_refused_either_way(
        simulate_with({phases, {{"--param", std::string("growth=") + value}}}), {"growth", value});
  }
  expect_refused_either_way(simulate_with({{{"--param", "anytime-lazy-uc.a=1"}}}),
                            {"anytime-lazy-uc", "did you mean anytime-lazy-ucb?"});
}

TEST(BadInput, ProblemAndMeansTogetherOrNeither) {
  expect_refused_either_way(simulate_with({{{"--means", "0.5,0.4"}}}), {"--problem", "--means"});
  expect_refused_either_way(simulate_with({{{"--problem", ""}}}), {"--problem", "--means"});
}

TEST(BadInput, RequiredOptions) {
  for (const char* option : {"--policy", "--horizon", "--runs"}) {
    expect_refused_either_way(simulate_with({{{option, ""}}}), {option});
  }
}

TEST(BadInput, UnknownWords) {
  expect_refused_either_way(simulate_with({}) + Arguments{"--polcy", "ucb1"},
                            {"--polcy", "did you mean --policy?"});
  expect_refused_either_way(simulate_with({}) + Arguments{"extra"}, {"extra"});
  expect_refused_either_way({"list", "--problem"}, {"--problem", "did you mean --problems?"});
  expect_refused_either_way({"list", "extra"}, {"extra"});
  expect_refused({"simulat"}, {"simulat", "did you mean simulate?"});
  expect_refused({"--versoin"}, {"--versoin", "did you mean --version?"});
  expect_refused(Arguments{}, {});
}

TEST(BadInput, AnOptionGivenTwiceOrWithoutValue) {
  expect_refused_either_way(simulate_with({}) + Arguments{"--horizon", "50"}, {"horizon"});
  expect_refused(simulate_with({{{"--horizon", ""}}}) + Arguments{"--horizon"}, {"horizon"});
}

TEST(BadInput, AValueWithLineBreaksStillGivesOneLine) {
  expect_refused_either_way(simulate_with({{{"--policy", "no\nsuch\r\npolicy\n"}}}), {"policy"});
  expect_refused_either_way(simulate_with({{{"--epsilon", "1\n2"}}}), {"epsilon"});
}

TEST(BadInput, TheLastPolicyIsCheckedBeforeTheFirstRuns) {
  // Were it found after the run of ucb1, that would take months.
  expect_refused_either_way(
      simulate_with(
          {{{"--policy", "ucb1,anytime-lazy-ucb"}, {"--epsilon", ""}, {"--horizon", "1e15"}}}),
      {"epsilon"});
}

}  // namespace
}  // namespace tacit::cli_test
