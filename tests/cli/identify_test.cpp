// `tacit identify`, and intervals of `tacit simulate`, as a script sees them.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "documents.hpp"
#include "program.hpp"
#include "refusals.hpp"

namespace tacit::cli_test {
namespace {

const Arguments kFind{"identify", "--policy",    "mgf-tt", "--epsilon", "1",
                      "--means",  "0.8,0.5,0.4", "--runs", "20"};
const Arguments kGood = kFind + Arguments{"--error", "0.05"};

TEST(Identify, PrintsWhatTheContractSays) {
  const Json found = document_of(kGood).at(0);
  expect_fields(found,
                {{"policy", "string"},
                 {"epsilon", "number"},
                 {"error", "number"},
                 {"budget", "null"},
                 {"most", "null"},
                 {"top", "number"},
                 {"samples", "object"},
                 {"wrong", "number"},
                 {"stopped", "number"},
                 {"runs", "number"},
                 {"guarantee", "object"},
                 {"lower_bound", "number"},
                 {"params", "object"}},
                "identify");
  expect_fields(
      found.at("samples"),
      {{"mean", "number"}, {"stderr", "number"}, {"ci95", "array"}, {"quantiles", "object"}},
      "samples");
  EXPECT_EQ(found.at("params").at("error"), "0.05");
  EXPECT_EQ(found.at("stopped"), 20);
  EXPECT_GT(found.at("samples").at("mean"), found.at("lower_bound"));
}

TEST(Identify, RunsAreTheSameForEveryNumberOfThreads) {
  const Json one = document_of(kGood + Arguments{"--threads", "1"}).at(0);
  const Json two = document_of(kGood + Arguments{"--threads", "2"}).at(0);
  EXPECT_EQ(one.at("samples"), two.at("samples"));
  EXPECT_EQ(one.at("pulls"), two.at("pulls"));
}

TEST(Identify, SeveralPoliciesAndABudget) {
  const Json found =
      document_of({"identify", "--policy", "mgf-tt,top-two,ucb1,mgf-imed", "--epsilon", "1",
                   "--means", "0.8,0.5,0.4", "--budget", "500", "--runs", "20"});
  ASSERT_EQ(found.size(), 4U);
  for (const Json& one : found) {
    EXPECT_EQ(one.at("budget"), 500);
    EXPECT_TRUE(one.at("error").is_null());
    EXPECT_TRUE(one.at("lower_bound").is_null());
    EXPECT_EQ(one.at("samples").at("mean"), 500);
  }
}

TEST(Identify, RefusesABudgetOfLateAnswersAndAHorizonThatIsGuessed) {
  expect_refused_either_way(kFind + Arguments{"--budget", "500", "--delay", "100"},
                            {"delay", "budget"});
  expect_refused_either_way({"identify", "--policy", "dp-se", "--epsilon", "1", "--means",
                             "0.8,0.2", "--error", "0.1", "--param", "horizon=doubling"},
                            {"horizon=doubling", "dp-se"});
  const TemporaryFolder folder;
  const std::string table = folder.file("t.csv", "0,1\n1,0\n0,1\n");
  expect_refused_either_way({"identify", "--policy", "mgf-tt", "--epsilon", "1", "--problem",
                             "table:" + table, "--error", "0.1"},
                            {"plays rounds back"});
}

TEST(Identify, ATableForPeople) {
  const Result result = run_tacit(kGood);
  EXPECT_EQ(result.exit, 0) << result.err;
  for (const char* part : {"the best of 3 arms", "wrong in at most 5% of runs", "samples",
                           "by theory", "central 1, because"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << "\n" << result.out;
  }
}

TEST(Identify, RefusesErrorsThatAreNone) {
  for (const char* error : {"0", "1", "-0.1", "1.5", "nan", "often", ""}) {
    expect_refused_either_way(kFind + Arguments{"--error", error}, {"error", error});
  }
  expect_refused_either_way(kFind, {"error", "must be given", "--budget"});
}

TEST(Identify, RefusesWhatMayNeverStopUnlessItMayGiveUp) {
  const Arguments equal{"identify",    "--policy", "mgf-tt", "--epsilon", "1", "--means",
                        "0.5,0.5,0.2", "--error",  "0.05",   "--runs",    "3"};
  expect_refused_either_way(equal, {"means = 0.5,0.5,0.2", "may never stop", "--most N"});
  const Json found = document_of(equal + Arguments{"--most", "5000"}).at(0);
  EXPECT_EQ(found.at("most"), 5000);
  EXPECT_EQ(found.at("wrong"), 0);
  // The two best of these three are known.
  EXPECT_EQ(document_of(equal + Arguments{"--top", "2"}).at(0).at("stopped"), 3);
}

TEST(Identify, RefusesWhatCannotBeFound) {
  const auto with = [](const std::string& name, const std::string& value) {
    Arguments changed = kGood;
    for (std::size_t i = 0; i + 1 < changed.size(); ++i) {
      if (changed[i] == name) {
        changed[i + 1] = value;
        return changed;
      }
    }
    return changed + Arguments{name, value};
  };
  expect_refused_either_way(with("--means", "0.5"), {"means = 0.5", "one arm"});
  expect_refused_either_way(with("--top", "3"), {"top = 3", "from 1 to 2"});
  expect_refused_either_way(with("--top", "0"), {"top = 0"});
  expect_refused_either_way(with("--most", "0"), {"most = 0"});
  expect_refused_either_way(with("--budget", "100"), {"budget = 100", "--error"});
  expect_refused_either_way(with("--policy", "dp-ucb-tree"), {"dp-ucb-tree", "do not add up"});
  expect_refused_either_way(with("--policy", "lazy-kl-cucb"), {"lazy-kl-cucb", "sets"});
  expect_refused_either_way(with("--policy", "mgf-tz"), {"mgf-tz", "mgf-tt"});
  expect_refused_either_way(with("--param", "error=0.1"), {"error=0.1", "--error"});
  expect_refused_either_way(with("--param", "top=2"), {"top=2", "--top"});
  expect_refused_either_way(with("--param", "stops=never"), {"stops=never", "--budget"});
  expect_refused_either_way(with("--delay", "geometric:5:9"), {"delay", "wait"});
  Arguments secret = kGood;
  secret.erase(secret.begin() + 3, secret.begin() + 5);
  expect_refused_either_way(secret, {"epsilon", "mgf-tt"});
}

const Arguments kSimulate{"simulate", "--policy",  "mgf-imed", "--epsilon", "1", "--means",
                          "0.8,0.5",  "--horizon", "1000",     "--runs",    "10"};

TEST(IntervalsOfSimulate, AreInTheDocumentAndInTheTable) {
  const Json found = document_of(kSimulate + Arguments{"--intervals", "0.05"}).at(0);
  const Json& intervals = found.at("intervals");
  expect_fields(intervals,
                {{"alpha", "number"},
                 {"width", "number"},
                 {"missed", "number"},
                 {"differences_missed", "number"},
                 {"arms", "array"}},
                "intervals");
  ASSERT_EQ(intervals.at("arms").size(), 2U);
  EXPECT_LT(intervals.at("arms").at(0).at("low"), 0.8);
  EXPECT_GT(intervals.at("arms").at(0).at("high"), 0.8);
  const Json without = document_of(kSimulate).at(0);
  EXPECT_EQ(found.at("regret"), without.at("regret")) << "looking changes nothing";
  const Result table = run_tacit(kSimulate + Arguments{"--intervals", "0.05"});
  EXPECT_NE(table.out.find("intervals that hold at any time"), std::string::npos);
}

TEST(IntervalsOfSimulate, AreDrawnAsBands) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/bands.svg";
  const Arguments drawn = kSimulate + Arguments{"--intervals", "0.05", "--bands", file};
  const Result result = run_tacit(drawn);
  EXPECT_EQ(result.exit, 0) << result.err;
  std::ifstream picture(file);
  const std::string text{std::istreambuf_iterator<char>(picture), {}};
  for (const char* part : {"arm 1", "arm 2", "true means", "mgf-imed (central 1)", "0.95"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  expect_refused(kSimulate + Arguments{"--bands", file}, {"bands", "--intervals"});
  expect_refused(
      kSimulate + Arguments{"--intervals", "0.05", "--bands", folder.path() + "/bands.gif"},
      {"bands", ".svg"});
  expect_refused(
      kSimulate + Arguments{"--intervals", "0.05", "--bands", folder.path() + "/none/bands.svg"},
      {"bands"});
}

TEST(IntervalsOfSimulate, AreRefusedWhereThereAreNone) {
  for (const char* alpha : {"0", "1", "-1", "nan", "x"}) {
    expect_refused_either_way(kSimulate + Arguments{"--intervals", alpha}, {"intervals", alpha});
  }
  expect_refused_either_way({"simulate", "--policy", "dp-ucb-tree", "--epsilon", "1", "--means",
                             "0.8,0.5", "--horizon", "100", "--runs", "1", "--intervals", "0.05"},
                            {"dp-ucb-tree", "do not add up"});
}

}  // namespace
}  // namespace tacit::cli_test
