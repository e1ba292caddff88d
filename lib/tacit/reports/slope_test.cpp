#include "tacit/reports/slope.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace tacit::reports {
namespace {

std::vector<Estimated> known(const std::vector<double>& y, double half_width = 0) {
  std::vector<Estimated> values;
  for (const double each : y) values.push_back({each, half_width});
  return values;
}

TEST(Slope, OfAPowerIsItsExponent) {
  const std::vector<double> x{1, 2, 4, 8};
  std::vector<double> y;
  for (const double each : x) y.push_back(3 * each * each);
  const auto slope = log_log_slope(x, known(y));
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
      log_log_slope(std::vector<double>{1, e, e * e}, known(std::vector<double>{1, e * e, e * e}));
  ASSERT_TRUE(slope);
  EXPECT_NEAR(slope->value, 1, 1e-12);
  EXPECT_NEAR(slope->intercept, 1.0 / 3, 1e-12);
  EXPECT_NEAR(slope->half_width, 7.3359, 1e-3);
}

TEST(Slope, CarriesTheErrorsOfItsPoints) {
  // ln x = 0, 1, 2: weights -1/2, 0, 1/2. Points on a line by accident, each with half a tenth of its own.
  const double e = std::exp(1.0);
  const std::vector<double> x{1, e, e * e};
  const std::vector<Estimated> y{{1, 0.05}, {e, 0.05 * e}, {e * e, 0.05 * e * e}};
  const auto slope = log_log_slope(x, y);
  ASSERT_TRUE(slope);
  EXPECT_NEAR(slope->value, 1, 1e-12);
  EXPECT_NEAR(slope->half_width, std::atanh(0.05) * std::sqrt(0.5), 1e-9);
  // One of four that is hardly known: the slope is hardly known either.
  const std::vector<double> four{2, 4, 8, 16};
  const auto wide =
      log_log_slope(four, std::vector<Estimated>{{4, 0.1}, {16, 0.1}, {64, 0.1}, {256, 138}});
  EXPECT_GT(wide->half_width, 0.25);
}

TEST(Slope, HasNoLimitWhereAPointHasNone) {
  const std::vector<double> x{1, 2, 4};
  for (const double half_width : {std::nan(""), 4.0}) {
    const auto slope = log_log_slope(x, std::vector<Estimated>{{1, 0}, {2, 0}, {4, half_width}});
    ASSERT_TRUE(slope);
    EXPECT_TRUE(std::isinf(slope->half_width)) << half_width;
  }
}

TEST(Slope, OfAStraightLineHasTheSameInterval) {
  // x = 0, 1, 2 and y = 0, 2, 2, as by hand above.
  const auto slope =
      straight_slope(std::vector<double>{0, 1, 2}, known(std::vector<double>{0, 2, 2}));
  ASSERT_TRUE(slope);
  EXPECT_NEAR(slope->value, 1, 1e-12);
  EXPECT_NEAR(slope->intercept, 1.0 / 3, 1e-12);
  EXPECT_NEAR(slope->half_width, 7.3359, 1e-3);
  // Weights -1/2, 0, 1/2 of points on a line.
  const auto own = straight_slope(std::vector<double>{0, 1, 2},
                                  std::vector<Estimated>{{-1, 0.3}, {0, 9}, {1, 0.4}});
  EXPECT_NEAR(own->half_width, 0.25, 1e-12);
  const auto none = straight_slope(std::vector<double>{0, 1, 2},
                                   std::vector<Estimated>{{-1, 0.3}, {0, 9}, {1, std::nan("")}});
  EXPECT_TRUE(std::isinf(none->half_width));
  EXPECT_FALSE(straight_slope(std::vector<double>{1, 1, 1}, known({1, 2, 3})));
  EXPECT_FALSE(straight_slope(std::vector<double>{1, 2}, known({1, 2})));
}

TEST(Slope, OfAStraightLine) {
  const StraightLine line =
      straight_line(std::vector<double>{1, 2, 4}, std::vector<double>{5, 7, 11});
  EXPECT_NEAR(line.intercept, 3, 1e-12);
  EXPECT_NEAR(line.slope, 2, 1e-12);
  EXPECT_NEAR(line.at(10), 23, 1e-12);
}

TEST(Slope, NeedsThreePositivePoints) {
  EXPECT_FALSE(log_log_slope(std::vector<double>{1, 2}, known(std::vector<double>{1, 2})));
  EXPECT_FALSE(log_log_slope(std::vector<double>{1, 2, 3}, known(std::vector<double>{1, 0, 2})));
  EXPECT_FALSE(log_log_slope(std::vector<double>{2, 2, 2}, known(std::vector<double>{1, 2, 3})));
}

TEST(Slope, OfOnePlaceIsNoneWhateverTheRounding) {
  EXPECT_FALSE(log_log_slope(std::vector<double>(3, 1.1), known(std::vector<double>{1, 2, 3})));
  EXPECT_FALSE(log_log_slope(std::vector<double>(7, 0.3), known(std::vector<double>(7, 2))));
}

}  // namespace
}  // namespace tacit::reports
