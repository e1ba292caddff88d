// The law against Boost's in long doubles, and where those give up against what it must be near.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <boost/math/special_functions/beta.hpp>

#include "tacit/indices/beta_law.hpp"

namespace tacit::indices {
namespace {

double reference(double a, double b, double y) {
  const long double x = static_cast<long double>(y);
  const long double p = static_cast<long double>(a) + 1;
  const long double q = static_cast<long double>(b) + 1;
  const long double above = boost::math::ibetac(p, q, x);
  return static_cast<double>(above < 0.5L ? std::log1p(-above)
                                          : std::log(boost::math::ibeta(p, q, x)));
}

struct Shape {
  double n, p;
};
const Shape kShapes[] = {{1, 0.5},     {8, 0.1},     {64, 0.5},     {64, 0.75},
                         {100, 0.16},  {512, 0.7},   {4096, 0.6},   {4096, 0.004},
                         {65536, 0.5}, {65536, 0.9}, {1 << 20, 0.6}};

TEST(BetaLaw, IsAccurateOnBothSides) {
  for (const auto& [n, p] : kShapes) {
    const BetaLaw law(p * n, (1 - p) * n);
    const double deviation = std::sqrt(p * (1 - p) / n);
    for (double z = -8; z <= 8; z += 0.5) {
      const double y = p + z * deviation;
      if (y <= 0 || y >= 1) continue;
      EXPECT_NEAR(law.log_below(y) / reference(p * n, (1 - p) * n, y), 1, 2e-11)
          << n << " " << p << " " << z;
    }
  }
}

TEST(BetaLaw, IsTheSameAtManyPointsAsAtOne) {
  for (const auto& [n, p] : kShapes) {
    const BetaLaw law(p * n, (1 - p) * n);
    const double deviation = std::sqrt(p * (1 - p) / n);
    for (const double first : {-3.0, -1.0, 0.5, 2.0, 4.0, 8.0, 30.0, 45.0}) {
      for (const double spacing : {0.05, 0.4, 1.2, 5.0}) {
        std::vector<double> points;
        for (int i = 0; i < 8; ++i) {
          const double y = p + (first - i * spacing) * deviation;
          if (y > 0 && y < 1) points.push_back(y);
        }
        if (points.empty()) continue;
        std::vector<double> results(points.size());
        law.log_below(points, results);
        for (std::size_t i = 0; i < points.size(); ++i) {
          const double alone = law.log_below(points[i]);
          // Thirty deviations away a logarithm of 500 is rounded, and its exponential taken.
          const double tolerance = first < 30 ? 1e-11 : 1e-10;
          EXPECT_LE(std::abs(results[i] - alone), tolerance * std::abs(alone))
              << n << " " << p << " " << first << " " << spacing << " " << i;
        }
      }
    }
  }
}

TEST(BetaLaw, IsTheSameCloseToItsEnds) {
  // Where a step that must not pass the end would be less than the spacing of doubles.
  const BetaLaw law(48, 16);
  const std::vector<double> points{1 - 1e-16, 1 - 1e-12, 1 - 1e-6, 0.9, 1e-6, 1e-12};
  std::vector<double> results(points.size());
  law.log_below(points, results);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(results[i], law.log_below(points[i])) << i;
  }
}

TEST(BetaLaw, HasEndsThatArePowers) {
  EXPECT_NEAR(BetaLaw(64, 0).log_below(0.9), 65 * std::log(0.9), 1e-12);
  EXPECT_NEAR(BetaLaw(0, 64).log_below(0.01) / std::log(1 - std::pow(0.99, 65)), 1, 1e-12);
  EXPECT_EQ(BetaLaw(9e5, 1e5).log_below(0.5), BetaLaw::kLowest);
}

TEST(BetaLaw, OfVeryManyOutcomesIsNearlyNormal) {
  for (const double n : {1e8, 1e10, 1e12}) {
    const BetaLaw law(n / 2, n / 2);
    EXPECT_NEAR(law.log_below(0.5), std::log(0.5), 1e-9) << n;
    // Beta(n/2 + 1, n/2 + 1) has the variance 1/(4(n + 3)), and no skew.
    const double deviation = 0.5 / std::sqrt(n + 3);
    for (const double z : {-6.0, -3.0, -1.0, 2.0, 5.0}) {
      const double normal = z < 0 ? std::log(0.5 * std::erfc(-z / std::sqrt(2)))
                                  : std::log1p(-0.5 * std::erfc(z / std::sqrt(2)));
      const double y = 0.5 + z * deviation;
      const double rounding = 1e-16 / deviation * 40;
      EXPECT_NEAR(law.log_below(y) / normal, 1, 300 / n + rounding) << n << " " << z;
    }
  }
}

TEST(BetaLaw, IsAddedUpWhateverItsShapeAndHoweverFarOut) {
  const std::vector<double> points = {1 - 0x1p-53, 1 - 1e-12, 0.999,  0.5,   0.3,
                                      0.004,       1e-9,      1e-300, 5e-324};
  for (const double a : {0.0, 5e-324, 3e-17, 0.4, 16.0, 3001.0, 1e5, 1e10, 0x1p53}) {
    for (const double b : {0.0, 5e-324, 3e-17, 0.4, 16.0, 3001.0, 1e5, 1e10, 0x1p53}) {
      const BetaLaw law(a, b);
      std::vector<double> together(points.size());
      law.log_below(points, together);
      for (std::size_t i = 0; i < points.size(); ++i) {
        const double alone = law.log_below(points[i]);
        EXPECT_TRUE(alone <= 0 && alone >= BetaLaw::kLowest) << a << " " << b << " " << points[i];
        EXPECT_TRUE(together[i] <= 0 && together[i] >= BetaLaw::kLowest)
            << a << " " << b << " " << points[i];
      }
    }
  }
}

}  // namespace
}  // namespace tacit::indices
