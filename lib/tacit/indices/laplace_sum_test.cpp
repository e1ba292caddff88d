#include "tacit/indices/laplace_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "statistics/coverage.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/indices/fixed_ucb.hpp"

namespace tacit::indices {
namespace {

using testing::LaplaceRace;

// The widest trees of cucb-dp, of arity 64 at the largest horizon, have prefixes of 567 terms.
const std::vector<int> kTerms{1, 2, 3, 5, 10, 20, 50, 100, 175, 250, 567};

/// P(X > x) by another route: a Laplace(1) is a normal of variance twice an exponential, so a sum of k is
/// one of variance 2G, G Gamma(k). The trapezoidal rule in ln G converges geometrically.
long double by_normal_mixture(int k, long double x) {
  constexpr long double kStep = 0.01;
  const long double shape = k;
  long double sum = 0;
  for (long double u = std::log(shape) - 20; u <= std::log(shape) + 6; u += kStep) {
    const long double g = std::exp(u);
    const long double density = std::exp(shape * u - g - std::lgamma(shape));
    sum += kStep * density * std::erfc(x / (2 * std::sqrt(g))) / 2;
  }
  return sum;
}

TEST(LaplaceSums, AreTheReferenceByTwoRoutes) {
  for (const int k : {2, 5, 30, 250, 1000}) {
    const LaplaceRace race(k);
    for (const double deviations : {0.0, 0.5, 2.0, 8.0}) {
      const double x = deviations * std::sqrt(2.0 * k);
      EXPECT_NEAR(static_cast<double>(race.tail(x) / by_normal_mixture(k, x)), 1, 1e-12)
          << k << " terms at " << x;
    }
  }
}

TEST(LaplaceSums, HaveTheTailOfTheReference) {
  for (const int k : kTerms) {
    const LaplaceSum law(k);
    const LaplaceRace race(k);
    for (const double deviations : {0.0, 0.01, 0.3, 1.0, 3.0, 8.0, 15.0}) {
      const double x = deviations * std::sqrt(2.0 * k);
      EXPECT_NEAR(law.log_tail(x), static_cast<double>(std::log(race.tail(x))), 1e-10)
          << k << " terms at " << x;
    }
    EXPECT_NEAR(law.log_tail(0), -std::log(2), 1e-12) << k;
  }
}

TEST(LaplaceSums, HaveTheHazardOfTheReference) {
  // The slope of -ln P(X > x), by central differences.
  for (const int k : kTerms) {
    const LaplaceSum law(k);
    const LaplaceRace race(k);
    for (const double deviations : {0.1, 1.0, 5.0}) {
      const long double x = deviations * std::sqrt(2.0 * k);
      constexpr long double kStep = 1e-4;
      const long double slope =
          (std::log(race.tail(x - kStep)) - std::log(race.tail(x + kStep))) / (2 * kStep);
      EXPECT_NEAR(law.hazard(static_cast<double>(x)), static_cast<double>(slope), 1e-7) << k;
    }
  }
}

TEST(LaplaceSums, AreExceededWithTheChanceTheirQuantilesSay) {
  for (const int k : kTerms) {
    const LaplaceSum law(k);
    const LaplaceRace race(k);
    double before = 0;
    for (const double level : {0.7, 0.8, 1.0, 2.0, 5.0, 14.5, 37.0, 74.0}) {
      const double q = law.upper_quantile(level);
      ASSERT_TRUE(std::isfinite(q)) << k << " terms at level " << level;
      EXPECT_GT(q, before) << k << " terms at level " << level;
      EXPECT_NEAR(static_cast<double>(std::log(race.tail(q))), -level, 1e-10 * (1 + level)) << k;
      before = q;
    }
    EXPECT_EQ(law.upper_quantile(0.69), 0);
  }
}

TEST(LaplaceSums, SpreadMoreTheMoreTermsTheyHave) {
  for (const double level : {0.7, 3.0, 20.0, 74.0}) {
    double before = 0;
    for (int k = 1; k <= 250; ++k) {
      const double q = LaplaceSum(k).upper_quantile(level);
      ASSERT_GT(q, before) << k << " terms at level " << level;
      before = q;
    }
  }
}

TEST(LaplaceSums, NeedATerm) {
  EXPECT_THROW(LaplaceSum(0), InvalidParameter);
  EXPECT_THROW(LaplaceSumQuantiles::up_to(0), InvalidParameter);
}

TEST(NoiseTailUcb, AddsTheQuantileOfAsManyTermsAsTheSumHolds) {
  constexpr double kLevel = 9;
  constexpr double kScale = 3;
  constexpr double kN = 1e4;
  const NoiseTailUcb index(kScale, 40, kLevel);
  for (int terms = 1; terms <= 40; ++terms) {
    const LaplaceRace race(terms);
    double low = 0;
    double high = 1000;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (std::log(race.tail(middle)) > -kLevel ? low : high) = middle;
    }
    const double radius = std::sqrt(kLevel / (2 * kN)) + kScale * high / kN;
    EXPECT_NEAR(index.prepare({0.25 * kN, kN, terms}), 0.25 + radius, 1e-12) << terms;
  }
  // No noise, the clip at 1, and an arm never observed.
  EXPECT_NEAR(index.prepare({0.25 * kN, kN, 0}), 0.25 + std::sqrt(kLevel / (2 * kN)), 1e-15);
  EXPECT_EQ(index.prepare({1, 1, 1}), 1);
  EXPECT_EQ(index.prepare({}), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace tacit::indices
