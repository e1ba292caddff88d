#include "tacit/indices/phase_imed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tacit/indices/kl.hpp"

namespace tacit::indices {
namespace {

estimators::KeepPhases released(const std::vector<std::pair<double, Round>>& phases) {
  estimators::KeepPhases memory;
  for (const auto& [sum, n] : phases) memory.add(sum, n, 1);
  return memory;
}

/// The likeliest way, by trying many.
double plain_cost(double sum, double n, double scale, double q) {
  double least = INFINITY;
  for (int i = 0; i <= 200000; ++i) {
    const double z = i / 200000.0;
    least = std::min(least, n * kl(z, q) + std::abs(sum - n * z) / scale);
  }
  return least;
}

TEST(PhaseCost, IsTheLikeliestWay) {
  for (const double scale : {0.3, 1.0, 8.0}) {
    for (const double sum : {-20.0, 0.0, 3.0, 31.0, 60.0, 99.5, 130.0}) {
      for (const double q : {0.01, 0.3, 0.77, 0.99}) {
        const double plain = plain_cost(sum, 100, scale, q);
        EXPECT_NEAR(phase_cost(sum, 100, scale, q).value, plain, 1e-3 * (1 + plain))
            << scale << " " << sum << " " << q;
      }
    }
  }
}

TEST(PhaseCost, IsTheDivergenceOfAPrivateArm) {
  for (const double epsilon : {0.1, 1.0, 4.0}) {
    for (const double mean : {0.0, 0.2, 0.6}) {
      for (const double q : {0.25, 0.7, 1.0}) {
        if (q < mean) continue;
        EXPECT_NEAR(phase_cost(mean * 50, 50, 1 / epsilon, q).value,
                    50 * d_epsilon(mean, q, epsilon), 1e-9);
      }
    }
  }
}

TEST(PhaseCost, HasTheSlopeThatItSays) {
  for (const double scale : {0.3, 1.0, 8.0}) {
    for (const double sum : {-20.0, 3.0, 60.0, 130.0}) {
      for (double q = 0.013; q < 1; q += 0.037) {
        const double h = 1e-6;
        const double slope =
            (phase_cost(sum, 100, scale, q + h).value - phase_cost(sum, 100, scale, q - h).value) /
            (2 * h);
        EXPECT_NEAR(phase_cost(sum, 100, scale, q).slope, slope, 1e-3 * (1 + std::abs(slope)));
      }
    }
  }
}

TEST(PhaseCost, IsFiniteAtTheEnds) {
  for (const double sum : {-5.0, 0.0, 50.0, 100.0, 105.0}) {
    for (const double q : {0.0, 1.0}) {
      for (const double scale : {1.0 / 700, 1.0, 1e6}) {
        EXPECT_TRUE(std::isfinite(phase_cost(sum, 100, scale, q).value)) << sum << " " << q;
        EXPECT_TRUE(std::isfinite(phase_cost(sum, 100, scale, q).slope)) << sum << " " << q;
      }
    }
  }
}

TEST(PhaseImed, EstimatesTheMeanThatSuitsItsPhasesBest) {
  const PhaseImed index(1, 20);
  EXPECT_NEAR(index.prepare(released({{30, 100}})).mean, 0.3, 1e-9);
  EXPECT_NEAR(index.prepare(released({{-4, 100}})).mean, 0, 1e-9);
  EXPECT_NEAR(index.prepare(released({{104, 100}})).mean, 1, 1e-9);
  EXPECT_NEAR(index.prepare(released({{30, 100}, {60, 200}})).mean, 0.3, 1e-9);
  // Against long ones that agree, a short one that does not is noise.
  const auto outlier = index.prepare(released({{10, 20}, {-30, 40}, {250, 500}}));
  EXPECT_GT(outlier.mean, 0.45);
  for (double q = 0.01; q < 1; q += 0.01) {
    double sum = 0;
    for (const auto& phase : outlier.phases) sum += phase_cost(phase.sum, phase.n, 1, q).value;
    EXPECT_GE(sum, outlier.least - 1e-9);
  }
}

TEST(PhaseImed, AnUnluckyPhaseCostsItsNoiseAndNoMore) {
  const PhaseImed index(1, 20);
  const auto lucky = index.prepare(released({{60, 100}, {300, 500}}));
  const auto unlucky = index.prepare(released({{20, 100}, {300, 500}}));
  // 40 too few: at most 40 nats, and both are below a mean of 0.8 by about as much beside.
  EXPECT_LE(index.rate(unlucky, 0.8).value, index.rate(lucky, 0.8).value + 40);
  EXPECT_GT(unlucky.mean, 0.55);
}

TEST(PhaseImed, RateIsConvexAndGrows) {
  const PhaseImed index(2, 20);
  const auto state = index.prepare(released({{31, 72}, {20, 36}, {17, 54}}));
  double before = 0, slope = 0;
  for (double q = state.mean; q <= 1; q += 0.01) {
    const PhaseCost rate = index.rate(state, q);
    EXPECT_GE(rate.value, before - 1e-9);
    EXPECT_GE(rate.slope, slope - 1e-9);
    before = rate.value;
    slope = rate.slope;
  }
}

TEST(PhaseImed, BecomesImedWhenNoiseVanishes) {
  const PhaseImed index(1e-9, 0.001);
  const auto state = index.prepare(released({{30, 100}, {70, 200}}));
  EXPECT_NEAR(index.rate(state, 0.6).value, 300 * kl(1.0 / 3, 0.6), 1e-6 * 300);
}

TEST(PhaseImed, BelievesLittleWhereFewFailuresWereSeen) {
  const PhaseImed index(1, 20);
  EXPECT_NEAR(index.prepare(released({{80, 100}})).trust, 0.5, 1e-9);
  EXPECT_NEAR(index.prepare(released({{0, 100}})).trust, 100.0 / 120, 1e-9);
  EXPECT_EQ(index.prepare(released({{101, 100}})).trust, 0);
}

}  // namespace
}  // namespace tacit::indices
