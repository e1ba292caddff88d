// What must not change a result: threads, checkpoints, and, where outcomes are not random, the path
// (skipping or --plain). For every policy of the catalogue.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "documents.hpp"

namespace tacit::cli_test {
namespace {

Arguments every_policy() {
  std::string names;
  for (const std::string& name : all_policies()) names += (names.empty() ? "" : ",") + name;
  return {"simulate", "--policy", names, "--epsilon", "1"};
}

void expect_same_entry(Json a, Json b, const std::vector<std::string>& but_for) {
  for (const std::string& field : but_for) {
    a.erase(field);
    b.erase(field);
  }
  EXPECT_TRUE(a == b) << a.at("policy") << " differs: " << Json::diff(a, b);
}

void expect_same(const Json& a, const Json& b, const std::vector<std::string>& but_for) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) expect_same_entry(a[i], b[i], but_for);
}

TEST(SameResult, ForEveryNumberOfThreads) {
  const Arguments base = every_policy() + Arguments{"--problem", "hu-linear", "--horizon", "2000",
                                                    "--runs",    "23",        "--threads"};
  const Json one = document_of(base + Arguments{"1"});
  for (const char* threads : {"2", "7"}) {
    SCOPED_TRACE(threads);
    expect_same(one, document_of(base + Arguments{threads}), {"seconds"});
  }
}

TEST(SameResult, ForEveryChoiceOfCheckpoints) {
  const Arguments base =
      every_policy() +
      Arguments{"--problem", "hu-linear", "--horizon", "2000", "--runs", "11", "--checkpoints"};
  const Json one = document_of(base + Arguments{"log:1"});
  for (const char* checkpoints : {"log:50", "linear:7", "linear:2000"}) {
    SCOPED_TRACE(checkpoints);
    expect_same(one, document_of(base + Arguments{checkpoints}), {"seconds", "curve"});
  }
}

TEST(SameResult, WhenAskedTwice) {
  const Arguments base =
      every_policy() + Arguments{"--problem", "hu-equal", "--horizon", "500", "--runs", "5"};
  expect_same(document_of(base), document_of(base), {"seconds"});
}

/// A click is a coin whatever the family of outcomes: for ranked lists only a table is fixed.
bool draws_clicks(const Json& entry) {
  return entry.at("feedback") == "cascade" &&
         !entry.at("problem").get<std::string>().starts_with("table");
}

void expect_plain_is_the_same(const Arguments& arguments) {
  const Json fast = document_of(arguments);
  const Json plain = document_of(arguments + Arguments{"--plain"});
  ASSERT_EQ(fast.size(), plain.size());
  for (std::size_t i = 0; i < fast.size(); ++i) {
    if (samples_posteriors_lazily(fast[i].at("policy")) || draws_clicks(fast[i])) continue;
    expect_same_entry(fast[i], plain[i], {"seconds", "decisions"});
  }
}

TEST(SameResult, SkippingOrPlainWithPointRewards) {
  expect_plain_is_the_same(every_policy() + Arguments{"--means", "0.8,0.6,0.59,0.3", "--rewards",
                                                      "point", "--horizon", "20000", "--runs",
                                                      "10"});
}

TEST(SameResult, SkippingOrPlainWithEqualArms) {
  // Equal arms keep indices crossing and tied all the way. Regret is zero, so pulls tell.
  expect_plain_is_the_same(every_policy() + Arguments{"--means", "0.5,0.5,0.5", "--rewards",
                                                      "point", "--horizon", "5000", "--runs",
                                                      "10"});
}

TEST(SameResult, SkippingOrPlainWithATable) {
  // Outcomes that are neither bits nor multiples of each other; the best arm changes half way.
  std::string rows;
  constexpr int kRounds = 5000;
  for (int t = 1; t <= kRounds; ++t) {
    const int late = t > kRounds / 2 ? 1 : 0;
    rows += "0." + std::to_string(10 + (t * 7919) % 80) + "," + std::to_string((t + late) % 2) +
            ",0." + std::to_string((late != 0 ? 60 : 20) + (t * 104729) % 40) + "\n";
  }
  const TemporaryFolder folder;
  expect_plain_is_the_same(every_policy() +
                           Arguments{"--problem", "table:" + folder.file("table", rows),
                                     "--horizon", std::to_string(kRounds), "--runs", "10"});
}

TEST(SameResult, SkippingDecidesLessOften) {
  const Arguments base = {"simulate",  "--policy",  "anytime-lazy-ucb", "--epsilon", "1",
                          "--problem", "hu-linear", "--horizon",        "20000",     "--runs",
                          "2"};
  const Json fast = document_of(base);
  const Json plain = document_of(base + Arguments{"--plain"});
  ASSERT_EQ(fast.size(), 1U);
  ASSERT_EQ(plain.size(), 1U);
  EXPECT_EQ(plain[0].at("decisions"), 40000);
  EXPECT_LT(fast[0].at("decisions"), 4000);
}

}  // namespace
}  // namespace tacit::cli_test
