#include "tacit/theory/tails.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tacit/indices/fixed_ucb.hpp"

namespace tacit::theory {
namespace {

TEST(LaplaceRate, AtThreeFourFive) {
  // y = 4/3: s = 5/3, 2/3 - ln(4/3) = 0.6666667 - 0.2876821.
  EXPECT_NEAR(laplace_rate(4.0 / 3), 0.3789846, 1e-7);
}

TEST(LaplaceRate, IsTheBestTilt) {
  for (double y : {0.01, 0.5, 3.0, 40.0}) {
    double best = 0;
    for (int i = 1; i < 100000; ++i) {
      const double tilt = i / 100000.0;
      best = std::max(best, tilt * y + std::log1p(-tilt * tilt));
    }
    EXPECT_NEAR(laplace_rate(y), best, 1e-6 * (1 + best));
    EXPECT_GE(laplace_rate(y), best * (1 - 1e-12));
  }
}

TEST(StrayRounds, BoundsThePlainSum) {
  double plain = 0;
  for (int t = 1; t <= 3000; ++t) {
    double chance = 0;
    for (int n = 1; n <= t; ++n)
      chance += 2 * std::exp(-n * laplace_rate(std::sqrt(24 * std::log(t) / n)));
    plain += std::min(1.0, chance);
  }
  EXPECT_GE(stray_rounds(3000), plain);
  EXPECT_LE(stray_rounds(3000), 4 * plain + 4);
}

TEST(StrayRounds, GrowWithTheHorizonButSlowly) {
  EXPECT_EQ(stray_rounds(1), 1);
  EXPECT_GT(stray_rounds(1000000), stray_rounds(1000));
  EXPECT_LT(stray_rounds(1000000000), 40);
}

/// The chance that the radius of cucb-ldp1 and cucb-ldp2 fails for one arm somewhere in a run, times T, which
/// chen-theorem-2 and chen-theorem-4 take to be at most 2 ln T + 30.
TEST(LaplaceReports, FailLessOftenThanTheirBoundAllows) {
  for (double horizon : {2.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7}) {
    const double level = std::log(horizon);
    const indices::LaplaceReportsUcb index(1, level);
    double chance = 0;
    for (double n = 1; n <= horizon; ++n) {
      const double outcomes = 2 * std::sqrt(2 * level / n);
      chance += 2 * std::exp(-2 * n * outcomes * outcomes);
      chance += 2 * std::exp(-n * laplace_rate(index.radius(n) - outcomes));
    }
    EXPECT_LE(horizon * chance, 2 * level + 30) << horizon;
  }
}

}  // namespace
}  // namespace tacit::theory
