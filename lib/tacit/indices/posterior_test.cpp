#include "tacit/indices/posterior.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "statistics/goodness_of_fit.hpp"

namespace tacit::indices {
namespace {

using estimators::Estimate;

constexpr int kDraws = 100000;
constexpr double kAlpha = testing::kFamilyError / 50;

random::SimulationStream stream(std::uint64_t seed) {
  return random::SimulationKey(seed, "posterior", "test", 0).stream(random::Purpose::kDecisions);
}

/// Chances, samples and conditioned samples speak of one law.
template <class Posterior>
void expect_one_law(const Posterior& posterior, const Estimate& estimate, double y) {
  const auto state = posterior.prepare(estimate);
  const Clock clock = clock_of(posterior, 50);
  const auto below = [&](double x) { return posterior.chance_below(state, clock, x); };
  auto random = stream(1);
  std::vector<double> all, low, high;
  for (int i = 0; i < kDraws; ++i) {
    all.push_back(posterior.sample(state, clock, random));
    low.push_back(posterior.sample_below(state, clock, y, random));
    high.push_back(posterior.sample_above(state, clock, y, random));
  }
  const double critical = testing::ks_critical(kDraws, kAlpha);
  EXPECT_LT(testing::ks_distance(all, below), critical);
  EXPECT_LT(testing::ks_distance(low, [&](double x) { return below(x) / below(y); }), critical);
  EXPECT_LT(
      testing::ks_distance(high, [&](double x) { return (below(x) - below(y)) / (1 - below(y)); }),
      critical);
  EXPECT_NEAR(below(y) + posterior.chance_above(state, clock, y), 1, 1e-12);
}

TEST(Posteriors, KnowTheirChances) {
  for (const Estimate& e : {Estimate{0, 0, 0}, Estimate{30, 40, 0}, Estimate{3.7, 9, 2},
                            Estimate{-4, 20, 1}, Estimate{25, 20, 1}}) {
    for (const double y : {0.2, 0.6}) expect_one_law(BetaPosterior(), e, y);
  }
  expect_one_law(GaussianPosterior(), {30, 40, 0}, 0.6);
  expect_one_law(GaussianPosterior(), {30, 40, 0}, 0.9);
  expect_one_law(BoostedGaussianPosterior(1.5, 3), {30, 40, 0}, 0.9);
}

TEST(Posteriors, HaveTheMeanAndDeviationOfTheirSamples) {
  const auto expect_moments = [](const auto& posterior, const Estimate& e) {
    const auto state = posterior.prepare(e);
    const Clock clock = clock_of(posterior, 50);
    auto random = stream(2);
    double sum = 0, squares = 0;
    const double mean = posterior.mean(state, clock);
    for (int i = 0; i < kDraws; ++i) {
      const double x = posterior.sample(state, clock, random) - mean;
      sum += x;
      squares += x * x;
    }
    const double deviation = posterior.deviation(state, clock);
    EXPECT_NEAR(sum / kDraws / deviation, 0, 6 / std::sqrt(kDraws));
    EXPECT_NEAR(squares / kDraws / (deviation * deviation), 1, 15 / std::sqrt(kDraws));
  };
  expect_moments(BetaPosterior(), {30, 40, 0});
  expect_moments(BetaPosterior(), {0, 0, 0});
  expect_moments(GaussianPosterior(), {30, 40, 0});
  expect_moments(BoostedGaussianPosterior(1.5, 3), {30, 40, 0});
}

TEST(Posteriors, ThatAreCoveredAreBelowNoMoreOftenThanTheEdge) {
  const Clock clock{.t = 50};
  const BetaPosterior beta;
  const GaussianPosterior gaussian;
  for (const bool falls : {false, true}) {
    for (const double room : {0.5, 2.0}) {
      int covered = 0;
      const auto edge = beta.lowered(beta.prepare({60, 80, 0}), clock, room, falls);
      const auto normal_edge = gaussian.lowered(gaussian.prepare({60, 80, 0}), clock, room, falls);
      for (int n = 78; n < 120; ++n) {
        for (int s = 50; s <= n; ++s) {
          const auto state = beta.prepare({double(s), double(n), 0});
          const auto normal = gaussian.prepare({double(s), double(n), 0});
          for (const double y : {0.1, 0.5, 0.6, 0.65}) {
            if (beta.covers(edge, state)) {
              ++covered;
              EXPECT_LE(beta.chance_below(state, clock, y),
                        beta.chance_below(edge, clock, y) * (1 + 1e-12));
            }
            if (gaussian.covers(normal_edge, normal) && y <= normal_edge.mean) {
              EXPECT_LE(gaussian.chance_below(normal, clock, y),
                        gaussian.chance_below(normal_edge, clock, y) * (1 + 1e-12));
            }
          }
        }
      }
      EXPECT_GT(covered, 50);
      EXPECT_TRUE(beta.covers(edge, beta.prepare({60, 80, 0})));
      EXPECT_TRUE(beta.covers(edge, beta.prepare({60, 81, 0})));
      EXPECT_EQ(beta.covers(edge, beta.prepare({59.5, 80, 0})), falls);
      EXPECT_FALSE(beta.covers(edge, beta.prepare({60, 100, 0})));
    }
  }
}

}  // namespace
}  // namespace tacit::indices
