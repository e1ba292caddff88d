// An experiment that identifies: the same bytes however the work was cut up, its pictures and tables, and one clear line for what
// is out of place.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "documents.hpp"
#include "program.hpp"
#include "refusals.hpp"

namespace tacit::cli_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExperiment = R"(
title = "which arm is best"
runs = 40
epsilon = [0.5, 2]

[[problem]]
means = [0.8, 0.5, 0.2]
label = "errors"
error = [0.1, 0.01]

[[problem]]
means = [0.2, 0.8, 0.5]
label = "a budget"
budget = "{budget}"
with = { budget = [100, 300] }

[[policy]]
name = ["mgf-tt", "top-two"]

[[figure]]
name = "over-epsilon"
x = "epsilon"
panels = "error"
axes = "loglog"
bounds = "fewest-samples"

[[figure]]
name = "over-budget"
problems = "a budget"
x = "budget"
epsilon = 2

[[claim]]
figure = "over-epsilon"
says = "privacy costs samples"
less = "top-two"
than = "mgf-tt"
epsilon = 0.5
)";

std::string exported(const std::string& folder, const std::string& form) {
  const Result result = run_tacit({"export", folder, form});
  EXPECT_EQ(result.exit, 0) << result.err;
  EXPECT_EQ(result.err, "") << "incomplete";
  return result.out;
}

class Identification : public testing::Test {
 protected:
  std::string in(const std::string& name) const { return folder_.path() + "/" + name; }
  Result run(const std::string& output, const Arguments& more = {}) const {
    return run_tacit(Arguments{"run", experiment_, "-o", in(output)} + more);
  }

  TemporaryFolder folder_;
  std::string experiment_ = folder_.file("find.toml", kExperiment);
};

TEST_F(Identification, GivesTheSameBytesStoppedOrInShards) {
  ASSERT_EQ(run("whole").exit, 0);
  const std::string expected = exported(in("whole"), "--csv");
  for (const char* seconds : {"0.003", "0.01", "0.03"}) {
    const std::string command = std::string("timeout -s KILL ") + seconds + " " TACIT_PROGRAM +
                                " run " + experiment_ + " -o " + in("stopped") + " 2>/dev/null";
    EXPECT_NE(std::system(command.c_str()), -1);
  }
  EXPECT_EQ(run("stopped").exit, 0);
  EXPECT_EQ(exported(in("stopped"), "--csv"), expected);

  Arguments parts{"merge"};
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const std::string part = "part" + std::string(1, shard[0]);
    EXPECT_EQ(run(part, {"--shard", shard}).exit, 0);
    parts.push_back(in(part));
  }
  EXPECT_EQ(run_tacit(parts + Arguments{"-o", in("merged")}).exit, 0);
  EXPECT_EQ(exported(in("merged"), "--csv"), expected);
  EXPECT_EQ(exported(in("merged"), "--json"), exported(in("whole"), "--json"));
  EXPECT_NE(run("merged").err.find("nothing was left to do"), std::string::npos);
}

TEST_F(Identification, IsDrawnJudgedAndExported) {
  ASSERT_EQ(run("whole").exit, 0);
  const Result plot = run_tacit({"plot", in("whole")});
  EXPECT_EQ(plot.exit, 0) << plot.err;
  EXPECT_NE(plot.out.find("holds: privacy costs samples"), std::string::npos) << plot.out;
  EXPECT_TRUE(fs::exists(in("whole/over-epsilon.svg")));
  EXPECT_TRUE(fs::exists(in("whole/over-budget.svg")));
  EXPECT_EQ(run_tacit({"plot", in("whole"), "--figure", "over-epsilon", "--y", "wrong"}).exit, 0);
  expect_refused({"plot", in("whole"), "--figure", "over-budget", "--y", "regret"},
                 {"nothing to draw"});
  const std::string markdown = exported(in("whole"), "--markdown");
  EXPECT_NE(markdown.find("| problem | epsilon | error | mgf-tt | top-two |"), std::string::npos);
  EXPECT_NE(markdown.find("| problem | epsilon | budget | mgf-tt | top-two |"), std::string::npos);
}

TEST_F(Identification, ExportsWhatIdentifyPrints) {
  ASSERT_EQ(run("whole").exit, 0);
  const Json ours = Json::parse(exported(in("whole"), "--json")).at(0);
  const Json theirs =
      Json::parse(run_tacit({"identify", "--policy", "mgf-tt", "--epsilon", "0.5", "--means",
                             "0.8,0.5,0.2", "--error", "0.1", "--runs", "40", "--json"})
                      .out)
          .at(0);
  for (const char* key :
       {"policy", "epsilon", "problem", "error", "budget", "most", "top", "params", "samples",
        "pulls", "wrong", "stopped", "runs", "seed", "guarantee", "decisions"}) {
    EXPECT_EQ(ours.at(key), theirs.at(key)) << key;
  }
  EXPECT_EQ(ours.at("bounds").at(1).at("values").at(1), theirs.at("lower_bound"));
}

TEST_F(Identification, RefusesWhatIsOutOfPlace) {
  const auto refused = [&](const std::string& from, const std::string& to,
                           const std::vector<std::string>& mentions) {
    std::string text = kExperiment;
    text.replace(text.find(from), from.size(), to);
    expect_refused({"run", folder_.file("bad.toml", text), "-o", in("bad")}, mentions);
    EXPECT_FALSE(fs::exists(in("bad"))) << "nothing is made before all is right";
  };
  refused("runs = 40", "runs = 40\nhorizon = 9\nerror = 0.1", {"horizon = 9", "line 4"});
  refused("[0.1, 0.01]", "[0.1, 7]", {"error = 7", "line 9"});
  refused("error = [0.1, 0.01]", "error = 0.1\ntop = 3", {"top = 3", "line 10"});
  refused("error = [0.1, 0.01]", "errors = 0.1", {"did you mean error?", "line 9"});
  refused("\"mgf-tt\", \"top-two\"", "\"mgf-tt\", \"top-two\", \"cucb\"", {"cucb", "line 17"});
  refused("bounds = \"fewest-samples\"", "bounds = \"fewest-sample\"",
          {"fewest-samples", "line 25"});
  refused("x = \"budget\"", "x = \"t\"", {"x = t", "not measured over rounds", "line 30"});
}

}  // namespace
}  // namespace tacit::cli_test
