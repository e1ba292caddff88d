// The contract of `tacit bounds`.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "documents.hpp"
#include "refusals.hpp"

namespace tacit::cli_test {
namespace {

const Arguments kHuLinear = {"bounds", "--problem", "hu-linear", "--epsilon",
                             "1",      "--horizon", "1e6"};

Json row_of(const Json& document, const std::string& name) {
  const auto found = std::find_if(document.begin(), document.end(),
                                  [&](const Json& row) { return row.at("name") == name; });
  return found == document.end() ? Json(nullptr) : *found;
}

TEST(Bounds, ShowEveryDocumentedField) {
  for (const Json& row : document_of(kHuLinear)) {
    SCOPED_TRACE(row.dump());
    expect_fields(row,
                  {{"name", "string"},
                   {"reference", "string"},
                   {"kind", "string"},
                   {"side", "string"},
                   {"value", "number|null"},
                   {"conditions", "string"},
                   {"form", "string"},
                   {"notion", "string"},
                   {"policies", "array"},
                   {"caveat", "string|null"},
                   {"superseded_by", "string|null"},
                   {"conjecture", "boolean"}},
                  "bound");
    EXPECT_EQ(std::set<std::string>({"finite", "asymptotic", "minimax", "order", "reference"})
                  .count(row.at("kind")),
              1U);
    EXPECT_EQ(std::set<std::string>({"lower", "upper"}).count(row.at("side")), 1U);
    if (row.at("kind") == "order") {
      EXPECT_TRUE(row.at("value").is_null());
    }
    EXPECT_EQ(row.at("value").is_null(), row.contains("why"));
  }
}

TEST(Bounds, NameOnlyPoliciesThatExist) {
  const std::vector<std::string> known = all_policies();
  for (const Json& row : document_of(kHuLinear)) {
    for (const std::string policy : row.at("policies")) {
      EXPECT_EQ(std::count(known.begin(), known.end(), policy), 1)
          << row.at("name") << " names " << policy;
    }
  }
}

TEST(Bounds, OnTheFirstFigureOfHuEtAl) {
  const Json document = document_of(kHuLinear);
  // The sums are worked out in theory/hu_test.cpp.
  EXPECT_NEAR(row_of(document, "hu-theorem-3").at("value").get<double>(), 17407.0625, 1e-6);
  EXPECT_TRUE(row_of(document, "hu-theorem-9").at("value").is_null());
  EXPECT_EQ(row_of(document, "hu-theorem-9").at("why"), "feedback = bandit: must be full");
}

TEST(Bounds, DependOnTheFeedback) {
  const Json full = document_of(kHuLinear + Arguments{"--feedback", "full"});
  EXPECT_TRUE(row_of(full, "hu-theorem-9").at("value").is_number());
  EXPECT_TRUE(row_of(full, "hu-theorem-3").at("value").is_null());
}

TEST(Bounds, KnowSetsAndLists) {
  const Arguments rest = {"--epsilon", "1", "--horizon", "1e6"};
  const Json sets = document_of(Arguments{"bounds", "--problem", "chandak-vectors"} + rest);
  EXPECT_TRUE(row_of(sets, "chandak-theorem-9").at("value").is_number());
  const Json paths = document_of(Arguments{"bounds", "--problem", "k-path"} + rest);
  EXPECT_TRUE(row_of(paths, "chen-theorem-6").at("value").is_number());
  EXPECT_TRUE(row_of(paths, "chandak-theorem-9").at("value").is_null());
  const Json lists =
      document_of(Arguments{"bounds", "--problem", "kveton", "--feedback", "cascade"} + rest);
  EXPECT_TRUE(row_of(lists, "wang-theorem-11").at("value").is_number());
}

TEST(Bounds, AnUpperBoundIsAboveWhatIsMeasured) {
  const Arguments problem = {"--problem", "hu-linear", "--epsilon", "1", "--horizon", "1e5"};
  const Json measured = document_of(
      Arguments{"simulate", "--policy", "anytime-lazy-ucb,ucb1", "--runs", "20"} + problem);
  const Json document = document_of(Arguments{"bounds"} + problem);
  EXPECT_LT(measured[0].at("regret").at("mean"), row_of(document, "hu-theorem-3").at("value"));
  EXPECT_LT(measured[1].at("regret").at("mean"), row_of(document, "auer-theorem-1").at("value"));
}

TEST(Bounds, ForPeopleAreATableWithReasonsOnDemand) {
  const Result plain = run_tacit(kHuLinear);
  EXPECT_EQ(plain.exit, 0);
  EXPECT_NE(plain.out.find("hu-theorem-3 "), std::string::npos);
  EXPECT_EQ(plain.out.find("chen-theorem-4"), std::string::npos);
  const Result all = run_tacit(kHuLinear + Arguments{"--all"});
  EXPECT_NE(all.out.find("chen-theorem-4"), std::string::npos);
  EXPECT_NE(all.out.find("must be semi"), std::string::npos);
}

TEST(Bounds, RefuseBadInput) {
  const Arguments rest = {"--epsilon", "1", "--horizon", "100"};
  expect_refused_either_way(Arguments{"bounds"} + rest, {"problem", "--means"});
  expect_refused_either_way(Arguments{"bounds", "--problem", "hu-linar"} + rest,
                            {"hu-linar", "hu-linear"});
  expect_refused_either_way(Arguments{"bounds", "--means", "0.5,1.5"} + rest, {"means", "1.5"});
  expect_refused_either_way(Arguments{"bounds", "--means", "0.5"} + rest, {"means", "2"});
  expect_refused_either_way(Arguments{"bounds", "--means", "0.5,0.4", "--feedback", "semi"} + rest,
                            {"feedback = semi", "--actions"});
  expect_refused_either_way(Arguments{"bounds", "--means", "0.5,0.4", "--feedback", "sems"} + rest,
                            {"feedback = sems", "bandit, full, semi or cascade"});
  expect_refused_either_way(
      Arguments{"bounds", "--problem", "k-path", "--feedback", "bandit"} + rest,
      {"feedback = bandit", "semi"});
  expect_refused_either_way(
      Arguments{"bounds", "--problem", "k-path", "--feedback", "cascade"} + rest,
      {"problem = k-path", "independently"});
  expect_refused_either_way({"bounds", "--means", "0.5,0.4", "--epsilon", "0", "--horizon", "100"},
                            {"epsilon"});
  expect_refused_either_way({"bounds", "--means", "0.5,0.4", "--epsilon", "1", "--horizon", "0"},
                            {"horizon"});
  expect_refused_either_way(
      {"bounds", "--means", "0.5,0.4", "--epsilon", "1", "--delta", "2", "--horizon", "9"},
      {"delta"});
  expect_refused({"bouns"}, {"bouns", "bounds"});
}

}  // namespace
}  // namespace tacit::cli_test
