// The contract of `tacit list`.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "documents.hpp"

namespace tacit::cli_test {
namespace {

const std::set<std::string> kNotions = {"none", "central", "local", "instantaneous", "environment"};

Json row_of(const Json& document, const std::string& policy) {
  for (const Json& row : document) {
    if (row.at("name") == policy) return row;
  }
  return nullptr;
}

TEST(List, ShowsEveryDocumentedField) {
  for (const Json& row : document_of({"list"})) {
    SCOPED_TRACE(row.dump());
    expect_fields(row,
                  {{"name", "string"},
                   {"title", "string"},
                   {"paper", "string"},
                   {"feedback", "string"},
                   {"trust", "string"},
                   {"anytime", "boolean"},
                   {"published", "object"},
                   {"checked", "object"}},
                  "policy");
    const Fields claim = {
        {"notion", "string"}, {"epsilon", "string|null"}, {"delta", "number|null"}};
    expect_fields(row["published"], claim, "published");
    expect_fields(row["checked"], claim, "checked");
    expect_fields(row["checked"], {{"because", "string"}}, "checked");
  }
}

TEST(List, NamesAreUnique) {
  const std::vector<std::string> names = all_policies();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(List, EpsilonIsAMultipleOfTheParameterAndNullWithoutAGuarantee) {
  for (const Json& row : document_of({"list"})) {
    for (const char* side : {"published", "checked"}) {
      const Json& claim = row.at(side);
      SCOPED_TRACE(row.at("name").get<std::string>() + " " + side + " " + claim.dump());
      EXPECT_EQ(kNotions.count(claim.at("notion")), 1U);
      EXPECT_EQ(claim.at("epsilon").is_null(), claim.at("notion") == "none");
      if (claim.at("epsilon").is_string()) {
        EXPECT_GT(std::stod(claim.at("epsilon").get<std::string>()), 0);
      }
    }
  }
}

TEST(List, BaselinesPromiseNothing) {
  const Json document = document_of({"list"});
  int baselines = 0;
  for (const Json& row : document) {
    if (row.at("trust") != "none") continue;
    ++baselines;
    EXPECT_EQ(row.at("published").at("notion"), "none") << row;
    EXPECT_EQ(row.at("checked").at("notion"), "none") << row;
  }
  EXPECT_GT(baselines, 0);
}

TEST(List, KnowsThePolicyOfTheFirstFigure) {
  const Json row = row_of(document_of({"list"}), "anytime-lazy-ucb");
  ASSERT_TRUE(row.is_object());
  EXPECT_EQ(row.at("feedback"), "bandit");
  EXPECT_EQ(row.at("trust"), "central");
  EXPECT_EQ(row.at("anytime"), true);
  for (const char* side : {"published", "checked"}) {
    EXPECT_EQ(row.at(side).at("notion"), "central");
    EXPECT_EQ(row.at(side).at("epsilon"), "1");
    EXPECT_EQ(row.at(side).at("delta"), 0);
  }
}

// Noisy max over all actions costs twice what Hu et al. say; `checked` must not repeat the paper.
TEST(List, ChecksWhatWasPublished) {
  const Json document = document_of({"list"});
  const std::map<std::string, std::string> multiples = {
      {"rnm-ftnl-as-published", "2"}, {"rnm-ftnl", "1"}, {"pf-ftnl", "1"}};
  for (const auto& [policy, multiple] : multiples) {
    const Json row = row_of(document, policy);
    ASSERT_TRUE(row.is_object()) << policy;
    EXPECT_EQ(row.at("checked").at("epsilon"), multiple) << policy;
  }
}

TEST(List, ShowsTheProblems) {
  const Json document = document_of({"list", "--problems"});
  EXPECT_FALSE(document.empty());
  for (const Json& row : document) {
    expect_fields(row, {{"name", "string"}, {"title", "string"}}, "problem");
    if (row.at("arms").is_null()) continue;  // needs a file
    const std::string policy = row.at("actions") == "single" ? "ucb1" : "cucb";
    const Json played = document_of({"simulate", "--policy", policy, "--problem", row.at("name"),
                                     "--horizon", "10", "--runs", "1"});
    EXPECT_EQ(played.at(0).at("pulls").size(), row.at("arms"));
    EXPECT_EQ(played.at(0).at("actions"), row.at("actions"));
  }
}

TEST(List, PrintsATableWithoutJson) {
  const Result result = run_tacit({"list"});
  EXPECT_EQ(result.exit, 0);
  EXPECT_EQ(result.err, "");
  for (const std::string& name : all_policies()) {
    EXPECT_NE(result.out.find("\n" + name + " "), std::string::npos) << name;
  }
}

TEST(Output, ThatCannotBeWrittenIsAFailureNotBadInput) {
  const Result result = run_tacit_into("/dev/full", {"list", "--json"});
  EXPECT_EQ(result.exit, 1);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

}  // namespace
}  // namespace tacit::cli_test
