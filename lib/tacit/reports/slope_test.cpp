#include "tacit/reports/slope.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace tacit::reports {
namespace {

TEST(Slope, OfAPowerIsItsExponent) {
  const std::vector<double> x{1, 2, 4, 8};
  std::vector<double> y;
  for (const double each : x) y.push_back(3 * each * each);
  const auto slope = log_log_slope(x, y);
  ASSERT_TRUE(slope);
  EXPECT_NEAR(slope->value, 2, 1e-12);
  EXPECT_NEAR(std::exp(slope->intercept), 3, 1e-11);
  EXPECT_NEAR(slope->half_width, 0, 1e-10);
}

TEST(Slope, HasStudentsInterval) {
  // By hand: ln x = 0, 1, 2 and ln y = 0, 2, 2: slope 1, intercept 1/3, residuals -1/3, 2/3, -1/3, so
  // s^2 = 2/3 with one degree of freedom and uu = 2: half width 12.7062 sqrt(1/3) = 7.3359.
  const double e = std::exp(1.0);
  const auto slope =
      log_log_slope(std::vector<double>{1, e, e * e}, std::vector<double>{1, e * e, e * e});
  ASSERT_TRUE(slope);
  EXPECT_NEAR(slope->value, 1, 1e-12);
  EXPECT_NEAR(slope->intercept, 1.0 / 3, 1e-12);
  EXPECT_NEAR(slope->half_width, 7.3359, 1e-3);
}

TEST(Slope, NeedsThreePositivePoints) {
  EXPECT_FALSE(log_log_slope(std::vector<double>{1, 2}, std::vector<double>{1, 2}));
  EXPECT_FALSE(log_log_slope(std::vector<double>{1, 2, 3}, std::vector<double>{1, 0, 2}));
  EXPECT_FALSE(log_log_slope(std::vector<double>{2, 2, 2}, std::vector<double>{1, 2, 3}));
}

TEST(Slope, OfOnePlaceIsNoneWhateverTheRounding) {
  EXPECT_FALSE(log_log_slope(std::vector<double>(3, 1.1), std::vector<double>{1, 2, 3}));
  EXPECT_FALSE(log_log_slope(std::vector<double>(7, 0.3), std::vector<double>(7, 2)));
}

}  // namespace
}  // namespace tacit::reports
