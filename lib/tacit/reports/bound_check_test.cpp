#include "tacit/reports/bound_check.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/reports/sample_curves_test.hpp"

namespace tacit::reports {
namespace {

using theory::Kind;
using theory::Side;

TEST(Bounds, AreNotBrokenByOneRun) {
  const auto checks =
      check_bounds({curve({.runs = {{5, 10}}, .bounds = {bound(Kind::kFinite, Side::kUpper, 9)}})});
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_TRUE(checks[0].kept) << "a bound is of the mean";
  EXPECT_NEAR(checks[0].share, 10.0 / 9, 1e-12);
}

TEST(Bounds, AreComparedUpToRoundingAndWhereTheyAreTightest) {
  const auto exactly = [](Side side, double value) {
    return check_bounds(
               {curve({.runs = around(10, 0), .bounds = {bound(Kind::kFinite, side, value)}})})
        .at(0)
        .kept;
  };
  EXPECT_TRUE(exactly(Side::kUpper, 10 * (1 - 1e-9)));
  EXPECT_TRUE(exactly(Side::kLower, 10 * (1 + 1e-9)));
  EXPECT_FALSE(exactly(Side::kUpper, 10 * (1 - 1e-5)));
  EXPECT_FALSE(exactly(Side::kLower, 10 * (1 + 1e-5)));
  const lab::BoundCurve lower{
      .name = "n", .kind = Kind::kFinite, .side = Side::kLower, .values = {4, 2}};
  EXPECT_NEAR(check_bounds({curve({.runs = around(10), .bounds = {lower}})}).at(0).share, 1.25,
              1e-12);
}

TEST(Bounds, ThatAreBrokenAreFound) {
  const auto check = [](const lab::BoundCurve& each, double spread) {
    const auto checks = check_bounds({curve({.runs = around(10, spread), .bounds = {each}})});
    EXPECT_EQ(checks.size(), 1U);
    return checks.at(0);
  };
  EXPECT_TRUE(check(bound(Kind::kFinite, Side::kUpper, 20), 0.001).kept);
  EXPECT_NEAR(check(bound(Kind::kFinite, Side::kUpper, 20), 0.001).share, 0.5, 1e-9);
  EXPECT_FALSE(check(bound(Kind::kFinite, Side::kUpper, 9), 0.001).kept);
  EXPECT_TRUE(check(bound(Kind::kFinite, Side::kUpper, 9), 1).kept) << "two runs do not tell";
  EXPECT_FALSE(check(bound(Kind::kFinite, Side::kLower, 11), 0.001).kept);
  EXPECT_TRUE(check(bound(Kind::kFinite, Side::kLower, 9), 0.001).kept);
  EXPECT_TRUE(check_bounds({curve({.runs = around(10),
                                   .bounds = {bound(Kind::kAsymptotic, Side::kLower, 99)}})})
                  .empty());
}

TEST(Bounds, OfWhoIdentifiesAreOfSamplesAndOfWrongRecommendations) {
  const auto checks = [](double samples, int wrong) {
    const lab::BoundCurve fewest{
        .name = "f", .kind = Kind::kFinite, .side = Side::kLower, .values = {std::nullopt, 50}};
    const lab::BoundCurve error{
        .name = "e", .kind = Kind::kFinite, .side = Side::kUpper, .values = {0.01, std::nullopt}};
    return check_bounds({curve({.runs = found_after(samples, 100, wrong),
                                .bounds = {fewest, error},
                                .goal = with_error(0.01)})});
  };
  EXPECT_TRUE(checks(60, 0).at(0).kept);
  EXPECT_FALSE(checks(40, 0).at(0).kept);
  EXPECT_TRUE(checks(60, 3).at(1).kept) << "which one in a hundred may well be";
  EXPECT_FALSE(checks(60, 9).at(1).kept);
  EXPECT_NEAR(checks(60, 9).at(1).share, 9, 1e-9);
}

TEST(Bounds, AreSaidOnceForAllErrorsAtOneEpsilonAndOnceAnErrorAtSeveral) {
  const auto where = [](const std::vector<std::pair<double, double>>& played) {
    std::vector<BoundCheck> checks;
    for (const auto& [epsilon, error] : played) {
      checks.push_back(
          {.bound = "f", .policy = "a", .problem = "p", .epsilon = epsilon, .error = error});
    }
    std::vector<std::string> all;
    for (const BoundFinding& finding : find_bounds(checks)) all.push_back(finding.where());
    return all;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(where({{1, 0.1}, {1, 0.01}}), (Texts{"epsilon 1, at all 2 errors, 0.01 to 0.1"}));
  EXPECT_EQ(where({{1, 0.1}, {2, 0.1}}), (Texts{"error 0.1, at all 2 epsilon, 1 to 2"}));
  EXPECT_EQ(where({{1, 0.1}, {2, 0.1}, {1, 0.2}, {2, 0.2}}),
            (Texts{"error 0.1, at all 2 epsilon, 1 to 2", "error 0.2, at all 2 epsilon, 1 to 2"}));
  EXPECT_EQ(where({{1, 0.1}}), (Texts{"error 0.1, epsilon 1"}));
}

}  // namespace
}  // namespace tacit::reports
