#include "tacit/reports/bound_check.hpp"

#include <string>
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

}  // namespace
}  // namespace tacit::reports
