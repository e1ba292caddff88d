#include "tacit/indices/hybrid_noise_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "statistics/coverage.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/indices/fixed_ucb.hpp"
#include "tacit/indices/laplace_sum.hpp"
#include "tacit/privacy/counter_noise.hpp"

namespace tacit::indices {
namespace {

using privacy::hybrid_parts;

/// Every law there is up to 2^53.
std::vector<Round> one_of_every_law() {
  std::vector<Round> all;
  for (int k = 0; k < 53; ++k) {
    for (int p = 0; p <= k; ++p) all.push_back((Round{1} << k) + (Round{1} << p) - 1);
  }
  return all;
}

/// P(X > x) by another route: a Laplace term is a normal of variance twice an exponential, so the sum is one of variance
/// 2 G + 2 w^2 H, G and H Gamma. The trapezoidal rule in ln G and ln H converges geometrically.
long double by_normal_mixture(Round n, long double x) {
  const privacy::HybridParts parts = hybrid_parts(n);
  const auto points = [](int shape) {
    constexpr long double kStep = 0.05;
    std::vector<std::pair<long double, long double>> all;  // with their weights
    const long double a = shape;
    for (long double u = std::log(a) - 24 / std::sqrt(a); u <= std::log(a) + 5; u += kStep) {
      all.emplace_back(std::exp(u), kStep * std::exp(a * u - std::exp(u) - std::lgamma(a)));
    }
    return all;
  };
  const auto totals = points(parts.totals());
  const auto nodes = parts.nodes > 0 ? points(parts.nodes)
                                     : std::vector<std::pair<long double, long double>>{{0, 1}};
  const long double square = parts.levels * parts.levels;
  long double sum = 0;
  for (const auto& [g, chance] : totals) {
    for (const auto& [h, other] : nodes) {
      sum += chance * other * std::erfc(x / (2 * std::sqrt(g + square * h))) / 2;
    }
  }
  return sum;
}

double deviation(Round n) {
  const privacy::HybridParts parts = hybrid_parts(n);
  return std::sqrt(2.0 * (parts.totals() + parts.levels * parts.levels * parts.nodes));
}

TEST(HybridNoiseLaw, HasTheTailOfTheReference) {
  for (const Round n : {Round{1}, Round{2}, Round{3}, Round{4}, Round{5}, Round{7}, Round{12},
                        Round{15}, Round{100}, Round{127}, Round{1000}, (Round{1} << 20) - 1,
                        (Round{1} << 40) + 5, kLastRound - 1}) {
    const HybridNoiseLaw law(n);
    for (const double deviations : {0.0, 0.1, 1.0, 3.0, 8.0}) {
      const double x = deviations * deviation(n);
      EXPECT_NEAR(law.log_tail(x), static_cast<double>(std::log(by_normal_mixture(n, x))), 1e-9)
          << n << " at " << x;
    }
  }
}

TEST(HybridNoiseLaw, OfTermsOfOneScaleIsTheirSum) {
  for (const auto& [n, terms] : {std::pair{1, 1}, {2, 2}, {3, 3}, {4, 3}, {1024, 11}}) {
    const testing::LaplaceRace race(terms);
    const HybridNoiseLaw law(n);
    for (const double x : {0.0, 0.5, 4.0, 30.0}) {
      EXPECT_NEAR(law.log_tail(x), static_cast<double>(std::log(race.tail(x))), 1e-12) << n;
    }
  }
  EXPECT_THROW(HybridNoiseLaw(0), InvalidParameter);
}

TEST(HybridNoiseLaw, LosesNoDigitsInAnySumThereIs) {
  for (const Round n : one_of_every_law()) {
    const HybridNoiseLaw law(n);
    ASSERT_NEAR(law.log_tail(0), -std::numbers::ln2, 1e-12) << n << ": half of it is above 0";
    // The hazard is the slope, it never falls (the density is log-concave), and ends at the widest term's rate.
    double before = 0;
    for (const double deviations : {0.0, 0.3, 1.0, 2.0, 5.0, 10.0, 20.0}) {
      const double x = deviations * deviation(n);
      const double step = 1e-5 * deviation(n);
      const double hazard = law.hazard(x);
      ASSERT_GT(hazard, before * (1 - 1e-9)) << n << " at " << x;
      const double low = std::max(0.0, x - step);
      ASSERT_NEAR(hazard, (law.log_tail(low) - law.log_tail(x + step)) / (x + step - low),
                  1e-4 * hazard)
          << n << " at " << x;
      before = hazard;
    }
    const privacy::HybridParts parts = hybrid_parts(n);
    ASSERT_LE(before, (1 + 1e-12) / (parts.nodes > 0 ? parts.levels : 1)) << n;
    double quantile = 0;
    for (const double level : {0.7, 1.0, 5.0, 14.5, 37.0, 75.0}) {
      const double q = law.upper_quantile(level);
      ASSERT_GT(q, quantile) << n << " at level " << level;
      ASSERT_NEAR(law.log_tail(q), -level, 1e-10 * (1 + level)) << n;
      quantile = q;
    }
    ASSERT_EQ(law.upper_quantile(0.69), 0);
  }
}

TEST(HybridLaws, AreNumbered) {
  int number = 0;
  for (const Round n : one_of_every_law()) {
    ASSERT_EQ(hybrid_law_number(n), number) << n;
    ASSERT_EQ(first_with_hybrid_law(number), n);
    ++number;
  }
  EXPECT_EQ(hybrid_law_number(0b1011), hybrid_law_number(0b1101));
}

TEST(HybridQuantiles, InterpolateTheExactOnes) {
  for (const Round n : {1, 2, 3, 6, 7, 100, 127, 4095, 1 << 20}) {
    const HybridNoiseLaw law(n);
    for (double log_t = 0.1; log_t < 36.7; log_t += 0.173) {
      const double exact = law.upper_quantile(log_t);
      ASSERT_NEAR(hybrid_quantiles(n).at(log_t), exact, 1e-6 * (1 + exact)) << n << " " << log_t;
    }
  }
}

TEST(HybridQuantiles, AreThoseOfTheIndices) {
  constexpr double kScale = 6;  // of a total: eps = 1/3
  const privacy::CounterNoise shape(privacy::Counter::kHybrid, 5000);
  const NoiseAwareUcb rising(shape, kScale);
  const NoiseTailUcb fixed(shape, kScale, 9);
  for (const Round n : {1, 2, 3, 7, 12, 1000, 4095, 5000}) {
    const HybridNoiseLaw law(n);
    const double count = static_cast<double>(n);
    const estimators::Running e{{-1000 * count, count, 1}};
    for (const Round t : {1, 2, 10, 5000}) {
      const double log_t = std::log(static_cast<double>(t));
      EXPECT_NEAR(rising.value(rising.prepare(e), Clock::at(t)),
                  -1000 + std::sqrt(2 * log_t / count) + kScale * law.upper_quantile(log_t) / count,
                  1e-4)
          << n;
    }
    EXPECT_NEAR(fixed.prepare(e),
                -1000 + std::sqrt(4.5 / count) + kScale * law.upper_quantile(9) / count, 1e-9)
        << n;
  }
  EXPECT_EQ(fixed.prepare({}), std::numeric_limits<double>::infinity());
}

/// A power of two has far less noise than what comes before it, and a sum that was released before has that.
TEST(HybridQuantiles, AreOfWhatWasReleasedWhateverIsUnderWay) {
  const privacy::CounterNoise shape(privacy::Counter::kHybrid, 50000);
  const NoiseTailUcb index(shape, 2, 9);
  constexpr Round kReleased = (1 << 14) - 1;
  estimators::Running e;
  e.add(-1000.0 * kReleased, kReleased, 1);
  e.expect(-1000, 1);
  const double count = kReleased + 1;
  EXPECT_NEAR(
      index.prepare(e),
      -1000 + std::sqrt(4.5 / count) + 2 * HybridNoiseLaw(kReleased).upper_quantile(9) / count,
      1e-9);
  EXPECT_GT(HybridNoiseLaw(kReleased).upper_quantile(9),
            5 * HybridNoiseLaw(kReleased + 1).upper_quantile(9));
}

}  // namespace
}  // namespace tacit::indices
