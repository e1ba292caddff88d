// The contract of `tacit simulate`: what its document contains.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "documents.hpp"

namespace tacit::cli_test {
namespace {

const Arguments kSmall = {"simulate", "--problem", "hu-linear", "--horizon", "1000",
                          "--runs",   "8",         "--seed",    "3"};
const Arguments kPrivate = kSmall + Arguments{"--policy", "anytime-lazy-ucb", "--epsilon", "0.5"};

Json only_entry(const Arguments& arguments) {
  const Json document = document_of(arguments);
  EXPECT_EQ(document.size(), 1U);
  return document.empty() ? Json() : document.front();
}

TEST(Simulate, ShowsEveryDocumentedFieldForEveryPolicy) {
  for (const std::string& policy : all_policies()) {
    SCOPED_TRACE(policy);
    const Json entry = only_entry(kSmall + Arguments{"--policy", policy, "--epsilon", "1"});
    expect_fields(entry,
                  {{"policy", "string"},
                   {"epsilon", "number|null"},
                   {"delta", "number|null"},
                   {"feedback", "string"},
                   {"actions", "string"},
                   {"problem", "string"},
                   {"params", "object"},
                   {"horizon", "number"},
                   {"runs", "number"},
                   {"seed", "number"},
                   {"against", "string"},
                   {"guarantee", "object"},
                   {"published", "object"},
                   {"regret", "object"},
                   {"pulls", "array"},
                   {"curve", "array"},
                   {"rounds", "number"},
                   {"decisions", "number"},
                   {"seconds", "number"}},
                  "entry");
    expect_fields(entry.at("guarantee"),
                  {{"notion", "string"},
                   {"epsilon", "number|null"},
                   {"delta", "number|null"},
                   {"arithmetic", "string"},
                   {"because", "string"}},
                  "guarantee");
    expect_fields(
        entry.at("regret"),
        {{"mean", "number"}, {"stderr", "number"}, {"ci95", "array"}, {"quantiles", "object"}},
        "regret");
    for (const Json& point : entry.at("curve")) {
      expect_fields(point,
                    {{"t", "number"}, {"mean", "number"}, {"lo", "number"}, {"hi", "number"}},
                    "curve");
    }
  }
}

TEST(Simulate, RepeatsWhatItWasAsked) {
  const Json entry = only_entry(kPrivate);
  EXPECT_EQ(entry.at("policy"), "anytime-lazy-ucb");
  EXPECT_EQ(entry.at("epsilon"), 0.5);
  EXPECT_EQ(entry.at("feedback"), "bandit");
  EXPECT_EQ(entry.at("actions"), "single");
  EXPECT_EQ(entry.at("horizon"), 1000);
  EXPECT_EQ(entry.at("runs"), 8);
  EXPECT_EQ(entry.at("seed"), 3);
  EXPECT_EQ(entry.at("rounds"), 8000);
}

TEST(Simulate, StatesTheGuaranteeNextToTheRegret) {
  const Json guarantee = only_entry(kPrivate).at("guarantee");
  EXPECT_EQ(guarantee.at("notion"), "central");
  EXPECT_EQ(guarantee.at("epsilon"), 0.5);
  EXPECT_EQ(guarantee.at("delta"), 0);
  EXPECT_EQ(guarantee.at("arithmetic"), "idealised");
}

TEST(Simulate, BaselinesIgnoreEpsilon) {
  const Json without = only_entry(kSmall + Arguments{"--policy", "ucb1"});
  const Json with = only_entry(kSmall + Arguments{"--policy", "ucb1", "--epsilon", "0.1"});
  for (const Json& entry : {without, with}) {
    EXPECT_TRUE(entry.at("epsilon").is_null());
    EXPECT_EQ(entry.at("guarantee").at("notion"), "none");
    EXPECT_TRUE(entry.at("guarantee").at("epsilon").is_null());
  }
  EXPECT_EQ(with.at("regret"), without.at("regret"));
}

TEST(Simulate, EveryRoundPullsOneArm) {
  const std::vector<double> pulls = only_entry(kPrivate).at("pulls");
  EXPECT_EQ(pulls.size(), 5U);
  EXPECT_NEAR(std::accumulate(pulls.begin(), pulls.end(), 0.0), 1000, 1e-9);
}

TEST(Simulate, TheCurveEndsAtTheHorizonWithTheRegret) {
  const Json entry = only_entry(kPrivate);
  const Json& curve = entry.at("curve");
  for (std::size_t i = 1; i < curve.size(); ++i) {
    EXPECT_GT(curve[i].at("t"), curve[i - 1].at("t"));
    EXPECT_GE(curve[i].at("mean"), curve[i - 1].at("mean"));
  }
  EXPECT_EQ(curve.back().at("t"), 1000);
  EXPECT_EQ(curve.back().at("mean"), entry.at("regret").at("mean"));
  EXPECT_EQ(curve.back().at("lo"), entry.at("regret").at("ci95")[0]);
  EXPECT_EQ(curve.back().at("hi"), entry.at("regret").at("ci95")[1]);
}

TEST(Simulate, QuantilesIncreaseAndHoldTheMedian) {
  const Json quantiles = only_entry(kPrivate).at("regret").at("quantiles");
  ASSERT_TRUE(quantiles.contains("0.5")) << quantiles;
  std::vector<std::pair<double, double>> points;
  for (const auto& [p, value] : quantiles.items()) points.emplace_back(std::stod(p), value);
  std::sort(points.begin(), points.end());
  for (std::size_t i = 1; i < points.size(); ++i) {
    EXPECT_GE(points[i].second, points[i - 1].second) << quantiles;
  }
}

TEST(Simulate, OneRunHasNoSpread) {
  const Json entry = only_entry({"simulate", "--policy", "anytime-lazy-ucb", "--epsilon", "1",
                                 "--problem", "hu-linear", "--horizon", "1000", "--runs", "1"});
  EXPECT_TRUE(entry.at("regret").at("stderr").is_null()) << entry.at("regret");
  EXPECT_TRUE(entry.at("regret").at("mean").is_number());
}

TEST(Simulate, SeveralPoliciesComeInTheOrderAsked) {
  const Json document =
      document_of(kSmall + Arguments{"--policy", "anytime-lazy-ucb,ucb1", "--epsilon", "1"});
  ASSERT_EQ(document.size(), 2U);
  EXPECT_EQ(document[0].at("policy"), "anytime-lazy-ucb");
  EXPECT_EQ(document[1].at("policy"), "ucb1");
}

TEST(Simulate, APolicyDoesNotDependOnTheOthersOfTheRun) {
  const Json together =
      document_of(kSmall + Arguments{"--policy", "ucb1,anytime-lazy-ucb", "--epsilon", "0.5"});
  ASSERT_EQ(together.size(), 2U);
  EXPECT_EQ(together[1].at("regret"), only_entry(kPrivate).at("regret"));
}

TEST(Simulate, AnotherSeedGivesAnotherResult) {
  const Arguments base = {"simulate",  "--policy", "ucb1",   "--problem", "hu-linear",
                          "--horizon", "1000",     "--runs", "8",         "--seed"};
  EXPECT_NE(only_entry(base + Arguments{"1"}).at("regret"),
            only_entry(base + Arguments{"2"}).at("regret"));
}

TEST(Simulate, HorizonsGoUpToTwoToThe53) {
  const Arguments base = {"simulate",  "--policy",  "anytime-lazy-ucb", "--epsilon", "1",
                          "--problem", "hu-linear", "--runs",           "2",         "--horizon"};
  EXPECT_EQ(only_entry(base + Arguments{"9007199254740992"}).at("horizon"), 9007199254740992);
  EXPECT_EQ(only_entry(base + Arguments{"1e15"}).at("horizon"), 1000000000000000);
  EXPECT_EQ(only_entry(base + Arguments{"1"}).at("horizon"), 1);
}

TEST(Simulate, ReadsMeansFromAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.file("means", "# good\n0.75, 0.625\n0.5 0.375\t0.25  # bad\n");
  const Arguments base = {"simulate", "--policy", "ucb1", "--horizon", "500", "--runs", "2"};
  EXPECT_EQ(only_entry(base + Arguments{"--means", "@" + path}).at("regret"),
            only_entry(base + Arguments{"--means", "0.75,0.625,0.5,0.375,0.25"}).at("regret"));
}

TEST(Simulate, KnowsEveryKindOfReward) {
  for (const char* rewards : {"bernoulli", "beta", "point", "normal"}) {
    const Json entry = only_entry({"simulate", "--policy", "ucb1", "--means", "0.9,0.1",
                                   "--rewards", rewards, "--horizon", "500", "--runs", "4"});
    EXPECT_GT(entry.at("pulls")[0], entry.at("pulls")[1]) << rewards;
  }
}

TEST(Simulate, PrintsRegretAndGuaranteeWithoutJson) {
  const Result result = run_tacit(kPrivate);
  EXPECT_EQ(result.exit, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("anytime-lazy-ucb"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("central 0.5"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace tacit::cli_test
