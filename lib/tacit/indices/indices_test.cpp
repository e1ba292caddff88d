#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/evidence/rate.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/laplace_sum.hpp"
#include "tacit/indices/mgf.hpp"
#include "tacit/indices/saturation.hpp"
#include "tacit/indices/shifted_beta.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::indices {
namespace {

TEST(KlUpper, AgreesWithPublishedValues) {
  // KL-UCB index values printed in the SMPyBandits documentation (klucbBern), first six digits.
  struct Row {
    double mean, level, published;
  };
  for (const Row& row : {Row{0.1, 0.2, 0.378391},
                         {0.5, 0.2, 0.787088},
                         {0.9, 0.2, 0.994489},
                         {0.1, 0.4, 0.519475},
                         {0.1, 0.9, 0.734714},
                         {0.5, 0.4, 0.871035},
                         {0.5, 0.9, 0.956809},
                         {0.9, 0.4, 0.999285},
                         {0.9, 0.9, 0.999995}}) {
    EXPECT_NEAR(kl_upper(row.mean, row.level), row.published, 2e-6) << row.mean << row.level;
  }
}

TEST(KlUpper, IsTheLargestMeanWithinTheLevel) {
  for (const double mean : {0.0, 1e-12, 0.01, 0.3, 0.99, 1 - 1e-12}) {
    for (const double level : {1e-6, 1e-4, 0.1, 1.0, 20.0, 500.0}) {
      const double q = kl_upper(mean, level);
      ASSERT_GE(q, mean);
      ASSERT_LE(q, 1);
      if (q < 1 - 1e-12 && q > mean * (1 + 1e-9)) {
        EXPECT_NEAR(kl(mean, q) / level, 1, 1e-5) << mean << " " << level;
      }
    }
  }
  EXPECT_EQ(kl_upper(1, 3), 1);
  EXPECT_EQ(kl_upper(0.4, 0), 0.4);
}

/// d_eps by its definition: the cheapest way to get from x to y, part divergence and part noise.
double d_epsilon_by_search(double x, double y, double epsilon) {
  double best = kl(x, y);
  for (int i = 0; i <= 200000; ++i) {
    const double z = x + (y - x) * i / 200000.0;
    best = std::min(best, kl(z, y) + epsilon * (z - x));
  }
  return best;
}

TEST(DEpsilon, IsTheCheapestMixOfDivergenceAndNoise) {
  for (const double epsilon : {0.1, 1.0, 5.0}) {
    for (const double x : {0.0, 0.2, 0.6}) {
      for (const double y : {0.25, 0.7, 0.99}) {
        if (x < y) {
          EXPECT_NEAR(d_epsilon(x, y, epsilon), d_epsilon_by_search(x, y, epsilon), 1e-8)
              << x << " " << y << " " << epsilon;
        }
      }
    }
  }
  EXPECT_EQ(d_epsilon(0.5, 0.5, 1), 0);
  EXPECT_EQ(d_epsilon(0.6, 0.5, 1), 0);
}

TEST(DEpsilon, KeepsItsPrecisionAtOne) {
  // d_eps(x, 1) = eps (1 - x), whatever the epsilon.
  for (const double epsilon : {0.5, 36.0, 40.0, 100.0, 2000.0}) {
    EXPECT_NEAR(d_epsilon(0.5, 1, epsilon), epsilon / 2, 1e-12 * epsilon) << epsilon;
  }
}

TEST(Indices, AgreeWithValuesWorkedByHand) {
  // t = 100, n = 50, sum = 20: ln t = 4.605170.
  const Clock clock = Clock::at(100);
  const estimators::Estimate e{20, 50, 1};
  EXPECT_NEAR(Ucb(3, 6).value(Ucb(3, 6).prepare(e), clock), 0.4 + 0.525653 + 0.552620, 1e-6);
  // kl(0.4, q) = 4.605170/50 = 0.0921034 at q = 0.612733 (bisection by hand).
  const KlUcb kl_ucb({});
  EXPECT_NEAR(kl(0.4, 0.612733), 0.0921034, 1e-6);
  EXPECT_NEAR(kl_ucb.value(kl_ucb.prepare(e), clock), 0.612733, 1e-6);
  // p = 0.4 + 3 ln t/50 = 0.676310: Beta(34.8155, 17.1845) has mean 34.8155/52.
  const ShiftedBeta beta(3);
  EXPECT_NEAR(beta.mean(beta.prepare(e), clock), 34.8155 / 52, 1e-6);
}

TEST(DEpsilonUpper, InvertsDEpsilon) {
  for (const double epsilon : {0.1, 0.5, 2.0, 30.0}) {
    for (const double mean : {0.0, 0.1, 0.5, 0.9}) {
      for (const double level : {0.001, 0.05, 0.3, 2.0}) {
        const double q = d_epsilon_upper(mean, level, epsilon);
        if (epsilon * (1 - mean) <= level) {
          EXPECT_EQ(q, 1);
        } else {
          EXPECT_NEAR(d_epsilon(mean, q, epsilon), level, 1e-7) << epsilon << " " << mean;
        }
      }
    }
  }
  EXPECT_EQ(d_epsilon_upper(1, 0.1, 1), 1);
}

TEST(Saturation, WhatIsLeftOfOneIsKnownHoweverLittleItIs) {
  for (const double mean : {0.0, 0.1, 0.5, 0.9, 0.999999}) {
    for (const double level : {0.5, 1.0, 3.0, 8.0, 40.0, 1e3, 1e6}) {
      const double q = kl_upper(mean, level);
      const double log_rest = kl_upper_log_rest(mean, level);
      if (q < 1 - 1e-7) {
        EXPECT_NEAR(log_rest, std::log1p(-q), 1e-7) << mean << " " << level;
      } else {
        // kl(mean, q) is (1 - mean)(-ln(1 - q)) less the entropy there.
        const double entropy = kl(mean, 0.5) - std::log(2.0);
        EXPECT_NEAR(-(1 - mean) * log_rest + entropy, level, 1e-6 * level) << mean << " " << level;
      }
      for (const double epsilon : {0.3, 30.0, 60.0, 1e3}) {
        const double d = d_epsilon_upper(mean, level, epsilon);
        const double rest = d_epsilon_upper_log_rest(mean, level, epsilon);
        EXPECT_EQ(std::isinf(rest), epsilon * (1 - mean) <= level);
        if (d < 1 - 1e-7) {
          EXPECT_NEAR(rest, std::log1p(-d), 1e-7) << mean << " " << level << " " << epsilon;
        }
      }
    }
  }
  EXPECT_EQ(kl_upper_log_rest(1, 3), -std::numeric_limits<double>::infinity());
  // A large epsilon leaves the divergence; another one (e^-(41 mean + level) - e^-41)/(1 - e^-41).
  EXPECT_NEAR(d_epsilon_upper_log_rest(0.5, 20, 100), -2 * (20 + std::log(2.0)), 1e-9);
  EXPECT_NEAR(d_epsilon_upper_log_rest(0.5, 20, 41), -40.5 + std::log1p(-std::exp(-0.5)), 1e-9);
}

/// Of estimates with one observation each, that stand so long that all indices are the double 1.
template <class Index>
void expect_order_of_the_nearly_certain(const Index& index, double best) {
  const Clock clock = indices::clock_of(index, kLastRound);
  const auto state = [&](double sum) { return index.prepare({sum, 1, 0}); };
  std::vector<double> ranks;
  for (const double sum : {0.2, 0.4, 0.6, 0.8, best}) {
    EXPECT_EQ(index.value(state(sum), clock), 1) << sum;
    ranks.push_back(ranked(index, state(sum), clock));
  }
  ranks.push_back(std::numeric_limits<double>::infinity());  // what was never observed
  for (std::size_t i = 0; i + 1 < ranks.size(); ++i) EXPECT_LT(ranks[i], ranks[i + 1]) << i;
}

TEST(Saturation, IndicesThatADoubleTakesForOneHaveAnOrder) {
  expect_order_of_the_nearly_certain(KlUcb({.level_factor = 2}), 1);
  expect_order_of_the_nearly_certain(DEpsilonUcb(1e3), 1);
  expect_order_of_the_nearly_certain(MgfUcb(1e-3, Level::kJustified, 1.01), 1);
  // Where a double tells them apart they are what they are.
  const KlUcb index({});
  const Clock clock = Clock::at(100);
  EXPECT_EQ(ranked(index, index.prepare({20, 50, 0}), clock),
            index.value(index.prepare({20, 50, 0}), clock));
}

TEST(LeadsUntil, NeverPassesTheRoundWhereALaterLookWouldDiffer) {
  // Against a scan of every round, on random curves of both signs.
  auto random =
      random::SimulationKey(3, "indices", "crossing", 0).stream(random::Purpose::kDecisions);
  const Ucb index(0.2, 0.1);
  int crossings = 0;
  int tight = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const auto draw = [&](double n) {
      return index.prepare({random::uniform_open(random) * n, n, 1});
    };
    const UcbCurve leader = draw(std::exp2(random::uniform_index(random, 12)));
    const UcbCurve challenger = draw(std::exp2(random::uniform_index(random, 12)));
    const Round t = 1 + random::uniform_index(random, 2000);
    const auto ahead = [&](Round round) {
      const Clock clock = Clock::at(round);
      return index.value(leader, clock) > index.value(challenger, clock);
    };
    if (!ahead(t)) continue;
    const Round until = leads_until(leader, challenger, Clock::at(t));
    ASSERT_GE(until, t);
    constexpr Round kScan = 20000;
    for (Round round = t; round <= std::min(until, t + kScan); ++round) ASSERT_TRUE(ahead(round));
    if (until < t + kScan) {
      ++crossings;
      for (Round round = until + 1; round <= until + 5; ++round) {
        if (!ahead(round)) {
          ++tight;
          break;
        }
      }
    }
  }
  EXPECT_GT(crossings, 200);
  EXPECT_EQ(tight, crossings) << "a stretch ends just before the crossing, not long before";
}

TEST(LaplaceSum, OneTermIsLaplace) {
  const LaplaceSum one(1);
  EXPECT_NEAR(std::exp(one.log_tail(2)), 0.5 * std::exp(-2), 1e-15);
  EXPECT_NEAR(one.upper_quantile(std::log(1000)), std::log(500), 1e-12);
  EXPECT_EQ(one.upper_quantile(0.5), 0);
}

TEST(LaplaceSum, TwoTermsByHand) {
  // The sum of two has tail e^-x (2 + x)/4.
  EXPECT_NEAR(std::exp(LaplaceSum(2).log_tail(3)), std::exp(-3) * 5 / 4, 1e-15);
}

TEST(LaplaceSum, AgreesWithSimulation) {
  auto random = random::SimulationKey(4, "indices", "sum", 0).stream(random::Purpose::kNoise);
  for (const int k : {3, 20}) {
    const LaplaceSum law(k);
    std::vector<double> sums(100000);
    for (double& sum : sums) {
      for (int i = 0; i < k; ++i) sum += random::laplace(random, 1);
    }
    const auto cdf = [&](double x) {
      const double tail = std::exp(law.log_tail(std::abs(x)));
      return x >= 0 ? 1 - tail : tail;
    };
    EXPECT_LT(testing::ks_distance(sums, cdf),
              testing::ks_critical(sums.size(), testing::kFamilyError / 2));
  }
}

TEST(LaplaceSumQuantiles, InterpolateTheExactOnes) {
  const auto& table = LaplaceSumQuantiles::up_to(54);
  for (const int k : {1, 2, 7, 20, 54}) {
    const LaplaceSum law(k);
    for (double log_t = 0; log_t < 36.8; log_t += 0.0371) {
      const double exact = law.upper_quantile(log_t);
      ASSERT_NEAR(table.of(k).at(log_t), exact, 1e-6 * (1 + exact)) << k << " " << log_t;
    }
  }
}

TEST(MgfUpper, InvertsTheRate) {
  for (const double scale : {0.5, 1.0, 8.0}) {
    for (const int noises : {1, 4, 12}) {
      for (const double share : {0.02, 0.4, 0.8}) {
        for (const double level : {0.5, 5.0, 20.0}) {
          const double n = 400;
          const double q = evidence::upper_mean(share * n, n, noises, scale, level).value;
          ASSERT_GE(q, share);
          if (q >= 1) continue;
          EXPECT_NEAR(evidence::rate(share * n, n, noises, scale, q), level, 1e-5 * level)
              << scale << " " << noises << " " << share << " " << level;
        }
      }
    }
  }
}

TEST(MgfUpper, IsTheEstimatedMeanAtLevelZero) {
  EXPECT_NEAR(evidence::upper_mean(50, 100, 3, 1, 0).value, 0.5, 1e-6);
  EXPECT_EQ(evidence::upper_mean(120, 100, 3, 1, 0).value, 1);
}

TEST(MgfUpper, BecomesTheKlBoundWhenNoiseVanishes) {
  for (const double epsilon : {1e3, 1e8, 1e12, 1e300}) {
    EXPECT_NEAR(evidence::upper_mean(5e5, 1e6, 1, 1 / epsilon, 14).value, kl_upper(0.5, 14e-6),
                1e-5)
        << epsilon;
  }
  EXPECT_NEAR(evidence::upper_mean(5e11, 1e12, 1, 1e-6, 27).value, kl_upper(0.5, 27e-12), 1e-9);
}

/// The smallest of the Chernoff bounds on a fine grid of tilts.
double smallest_bound(double s, double n, int noises, double scale, double level) {
  double smallest = 1;
  for (int i = 1; i < 20000; ++i) {
    const double l = i / (20000.0 * scale);
    const double charged = level + l * s - noises * std::log1p(-l * l * scale * scale);
    smallest = std::min(smallest, std::expm1(-charged / n) / std::expm1(-l));
  }
  return smallest;
}

TEST(MgfUpper, IsTheSmallestBoundAlsoWhereTheSearchComesNearThePole) {
  // Cases in which Newton's method lands within 1e-7 of the largest tilt.
  const double f = std::log(26300.0);
  const double level = f + std::log1p(f / std::log(1.5));
  EXPECT_NEAR(evidence::upper_mean(12.920609295144448, 200, 1, 4, level).value,
              smallest_bound(12.920609295144448, 200, 1, 4, level), 1e-6);
  EXPECT_NEAR(evidence::upper_mean(60, 300, 1, 2, std::log(96904.0)).value,
              smallest_bound(60, 300, 1, 2, std::log(96904.0)), 1e-6);
  auto random = random::SimulationKey(5, "indices", "pole", 0).stream(random::Purpose::kNoise);
  for (int trial = 0; trial < 300; ++trial) {
    const double scale = std::exp2(random::uniform_index(random, 7) - 2);
    const double n = 20 + random::uniform_index(random, 2000);
    const double s = n * random::uniform_open(random);
    const int noises = 1 + random::uniform_index(random, 9);
    const double at = 1 + 15 * random::uniform_open(random);
    const double bound = smallest_bound(s, n, noises, scale, at);
    ASSERT_LE(evidence::upper_mean(s, n, noises, scale, at).value, bound + 1e-9) << trial;
    ASSERT_GE(evidence::upper_mean(s, n, noises, scale, at).value, bound - 1e-4) << trial;
  }
}

TEST(MgfUpper, OnlyGrowsWithTheRound) {
  for (const double scale : {1.0, 2.0, 4.0, 8.0}) {
    double before = 0;
    for (Round t = 2; t < 100000; ++t) {
      const double now =
          evidence::upper_mean(20, 300, 1, scale, std::log(static_cast<double>(t))).value;
      ASSERT_GE(now, before - 1e-12) << scale << " " << t;
      before = now;
    }
  }
}

TEST(MgfUpper, CoversTheMeanAsOftenAsItPromises) {
  // P(index < mean) <= e^-level at fixed n and number of phases; here e^-level = 0.01. The count of
  // failures among N trials exceeds N p + z sqrt(N p) with probability below the family error.
  auto random = random::SimulationKey(5, "indices", "coverage", 0).stream(random::Purpose::kNoise);
  constexpr int kTrials = 20000;
  constexpr double kPromise = 0.01;
  for (const double scale : {1.0, 4.0}) {
    for (const int noises : {1, 8}) {
      int failures = 0;
      int uncharged = 0;
      for (int i = 0; i < kTrials; ++i) {
        const double n = 256;
        double sum = static_cast<double>(random::binomial(random, 256, 0.6));
        for (int r = 0; r < noises; ++r) sum += random::laplace(random, scale);
        failures +=
            evidence::upper_mean(sum, n, noises, scale, -std::log(kPromise)).value < 0.6 ? 1 : 0;
        // d_eps does not charge for the number of noise terms.
        uncharged +=
            d_epsilon_upper(clip01(sum / n), -std::log(kPromise) / n, 1 / scale) < 0.6 ? 1 : 0;
      }
      const double limit = kTrials * kPromise + testing::two_sided_z(testing::kFamilyError / 4) *
                                                    std::sqrt(kTrials * kPromise);
      EXPECT_LE(failures, limit) << scale << " " << noises;
      if (noises == 8 && scale == 4) {
        EXPECT_GT(uncharged, limit);
      }
    }
  }
}

TEST(ShiftedBeta, ConditionedSamplesStayWhereTheyAreToBe) {
  const ShiftedBeta posterior(3);
  const auto state = posterior.prepare({40, 100, 1});
  const Clock clock = Clock::at(1000);
  auto random = random::SimulationKey(6, "indices", "beta", 0).stream(random::Purpose::kDecisions);
  const double ends[] = {0, 0.5, 0.63, 0.65, 0.75, 1};
  std::vector<double> plain;
  std::vector<double> stitched;
  for (int i = 0; i < 50000; ++i) {
    plain.push_back(posterior.sample(state, clock, random));
    // Choosing an interval with its chance and sampling within it must give the same law.
    const double log_height = std::log(random::uniform_open(random));
    int cell = 1;
    while (log_height >= posterior.log_below(state, clock, ends[cell])) ++cell;
    stitched.push_back(posterior.sample_between(state, clock, ends[cell - 1], ends[cell], random));
    ASSERT_GE(stitched.back(), ends[cell - 1]);
    ASSERT_LE(stitched.back(), ends[cell]);
  }
  EXPECT_LT(testing::ks_distance(plain, stitched),
            testing::ks_two_sample_critical(plain.size(), testing::kFamilyError));
}

TEST(ShiftedBeta, LogBelowIsAccurateOnBothSides) {
  const ShiftedBeta posterior(3);
  const Clock clock = Clock::at(100000);
  const double shift = 3 * clock.log_t;
  // Beta(k + 1, n - k + 1) is below y as often as more than k of n + 1 coins of chance y are heads.
  const auto of = [&](double p, double n) { return posterior.prepare({p * n - shift, n, 1}); };
  EXPECT_NEAR(posterior.log_below(of(0.5, 2), clock, 0.25), std::log(0.15625), 1e-12);
  EXPECT_NEAR(posterior.log_below(of(0.5, 2), clock, 1e-6) / std::log(3e-12 - 2e-18), 1, 1e-12);
  EXPECT_NEAR(posterior.log_below(of(0.5, 2), clock, 1 - 1e-6) / -(3e-12 - 2e-18), 1, 1e-9);
  EXPECT_NEAR(posterior.log_below(of(9, 64), clock, 0.9), 65 * std::log(0.9), 1e-12);
  EXPECT_NEAR(posterior.log_below(of(-9, 64), clock, 0.01) / std::log(1 - std::pow(0.99, 65)), 1,
              1e-12);
  EXPECT_EQ(posterior.log_below(of(0.5, 64), clock, 1), 0);
  EXPECT_EQ(posterior.log_below(of(0.9, 1e6), clock, 0.5), BetaLaw::kLowest);
  // Symmetric at 1/2, whatever n.
  for (const double n : {16.0, 4096.0, 1e7, 1e9, 1e12}) {
    EXPECT_NEAR(posterior.log_below(of(0.5, n), clock, 0.5), std::log(0.5), 1e-9 + 1e-16 * n) << n;
    // And nearly normal where n is large: to the order 1/n.
    const double deviation = 0.5 / std::sqrt(n);
    for (const double z : {-6.0, -3.0, -1.0, 2.0, 5.0}) {
      if (n < 1e7) continue;
      const double below = 0.5 * std::erfc(-z / std::sqrt(2));
      EXPECT_NEAR(posterior.log_below(of(0.5, n), clock, 0.5 + z * deviation) /
                      (z < 0 ? std::log(below) : std::log1p(-0.5 * std::erfc(z / std::sqrt(2)))),
                  1, 400 / n + 1e-7)
          << n << " " << z;
    }
  }
}

TEST(ShiftedBeta, MassesGrowAndTheirChancesAreConcaveInLogT) {
  // What thinning stands on: between two thresholds, and above the first, in every kind of posterior.
  const ShiftedBeta posterior(3);
  for (const double n : {1.0, 4.0, 64.0, 512.0, 65536.0}) {
    for (const double mean : {-4.0, -0.2, 0.2, 0.5, 0.8}) {
      const auto state = posterior.prepare({mean * n, n, 1});
      const double middle = posterior.mean(state, Clock::at(10000));
      const double deviation = posterior.deviation(state, Clock::at(10000));
      for (double z = -6; z <= 6; z += 0.5) {
        for (const double width : {0.3, 2.0, 1e9}) {
          const double y = middle + z * deviation;
          const double x = std::min(1.0, y + width * deviation);
          if (y <= 0 || y >= 1) continue;
          double mass[3];
          double log_chance[3];
          bool comparable = true;
          for (const int i : {0, 1, 2}) {
            const Clock clock = Clock::at(static_cast<Round>(10000 * std::pow(1.3, i)));
            comparable = comparable && posterior.is_concave(state, clock);
            mass[i] = posterior.log_below(state, clock, x) - posterior.log_below(state, clock, y);
            log_chance[i] = std::log(-std::expm1(-mass[i]));
          }
          if (posterior.log_below(state, Clock::at(20000), y) == BetaLaw::kLowest) continue;
          if (mass[0] < 1e-12) continue;
          EXPECT_LE(mass[0], mass[1] * (1 + 1e-11)) << n << " " << mean << " " << y << " " << x;
          EXPECT_LE(mass[1], mass[2] * (1 + 1e-11)) << n << " " << mean << " " << y << " " << x;
          if (!comparable) continue;
          EXPECT_GE(log_chance[1], (log_chance[0] + log_chance[2]) / 2 - 1e-8)
              << n << " " << mean << " " << y << " " << x;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tacit::indices
