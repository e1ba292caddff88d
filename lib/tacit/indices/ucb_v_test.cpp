#include "tacit/indices/ucb_v.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "statistics/coverage.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::indices {
namespace {

using estimators::Estimate;

random::SimulationStream stream(std::uint64_t run) {
  return random::SimulationKey(9, "indices", "ucb-v", run).stream(random::Purpose::kDecisions);
}
Clock at_log(double log_t) { return {.t = 1, .log_t = log_t, .sqrt_log_t = std::sqrt(log_t)}; }

TEST(UcbV, HasTheRadiusOfTheLargestPlausibleVariance) {
  // r = 12 ln t/n = 0.04 at n = 300 and ln t = 1, and a bonus of 0.01.
  const UcbV index(3, 3);
  const auto at_mean = [&](double mean, double n = 300) {
    return index.value(index.prepare({mean * n, n, 1}), at_log(1));
  };
  // p = 0.2: u = (0.2 + 0.02 + sqrt(0.04 0.16 + 0.0004))/1.04, and u - p = sqrt(r u (1-u)).
  const double low = at_mean(0.19);
  EXPECT_NEAR(low, (0.22 + std::sqrt(0.0068)) / 1.04, 1e-12);
  EXPECT_NEAR(low - 0.2, std::sqrt(0.04 * low * (1 - low)), 1e-12);
  EXPECT_NEAR(at_mean(0.44), 0.45 + 0.1, 1e-12) << "1/2 is plausible: as ucb1";
  EXPECT_NEAR(at_mean(0.79), 0.8 + std::sqrt(0.04 * 0.16), 1e-12);
  EXPECT_NEAR(at_mean(-0.01), 0.04 / 1.04, 1e-12) << "none of them paid";
  EXPECT_NEAR(at_mean(-0.02), (-0.02 + 0.04) / 1.04, 1e-12);
  EXPECT_NEAR(at_mean(0.99), std::sqrt(1.04), 1e-12) << "covered";
  EXPECT_NEAR(at_mean(0.5, 1), 3.5 + std::sqrt(3), 1e-12) << "as ucb1 while little is known";
  EXPECT_EQ(index.value(index.prepare({}), at_log(1)), std::numeric_limits<double>::infinity());
}

/// A released mean of a random number of observations, near 0, near 1, or beyond by its noise.
Estimate random_estimate(random::SimulationStream& random, double scale) {
  const double n = std::floor(std::exp2(14 * random::uniform_open(random)));
  const double mean = random::uniform_index(random, 3) == 0
                          ? random::uniform_open(random)
                          : std::pow(random::uniform_open(random), 4);
  return {(random::uniform_index(random, 2) == 0 ? mean : 1 - mean) * n +
              random::laplace(random, scale),
          n, 1};
}
/// From 1/8 to 16, and one so small that only noise is left.
double random_scale(random::SimulationStream& random) {
  return random::uniform_index(random, 10) == 0 ? 1e7
                                                : std::exp2(random::uniform_index(random, 8) - 3);
}

TEST(UcbV, IsConcaveInTheLogarithmOfTheRoundAndKnowsItsSlope) {
  auto random = stream(1);
  for (int trial = 0; trial < 40000; ++trial) {
    const double scale = random_scale(random);
    const UcbV index(3, 3 * scale);
    const UcbV::State state = index.prepare(random_estimate(random, scale));
    const double width = 0.2 * random::uniform_open(random);
    const double x = width + 36 * std::pow(random::uniform_open(random), 2);
    const ConcaveIndex left = index.concave(state, at_log(x - width));
    const ConcaveIndex middle = index.concave(state, at_log(x));
    const ConcaveIndex right = index.concave(state, at_log(x + width));
    const double doubt = 10 * right.doubt;
    ASSERT_EQ(middle.value, index.value(state, at_log(x)));
    ASSERT_GE(middle.value, 0.5 * (left.value + right.value) - doubt) << trial;
    ASSERT_LE(right.value, middle.value + middle.slope * width + doubt) << trial;
    ASSERT_LE(left.value, middle.value - middle.slope * width + doubt) << trial;
    ASSERT_GE(middle.slope, 0) << trial;
    ASSERT_GE(left.slope, right.slope * (1 - 1e-9)) << trial;
  }
}

TEST(UcbV, GrowsWithTheSumAndIsNeverAboveUcb1) {
  auto random = stream(2);
  int narrower = 0;
  for (int trial = 0; trial < 40000; ++trial) {
    const double scale = random_scale(random);
    const Estimate e = random_estimate(random, scale);
    Estimate more = e;
    more.sum += random::uniform_open(random) * e.n;
    const Clock clock = at_log(36 * random::uniform_open(random));
    const UcbV index(3, 3 * scale);
    const Ucb plain(3, 3 * scale);
    const double value = index.value(index.prepare(e), clock);
    const double other = plain.value(plain.prepare(e), clock);
    ASSERT_LE(value, index.value(index.prepare(more), clock)) << trial;
    ASSERT_LE(value, other + 1e-12 * std::abs(other)) << trial;
    narrower += value < 0.9 * other ? 1 : 0;
  }
  EXPECT_GT(narrower, 4000);
}

TEST(UcbV, LeadsUntilThenAndNotMuchLonger) {
  auto random = stream(3);
  int crossings = 0;
  int early = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const double scale = random_scale(random);
    const UcbV index(3, 3 * scale);
    const UcbV::State leader = index.prepare(random_estimate(random, scale));
    const UcbV::State follower = index.prepare(random_estimate(random, scale));
    const Round t = Round{1} << random::uniform_index(random, 20);
    const Round limit = t << (1 + random::uniform_index(random, 20));
    const auto ahead = [&](Round round) {
      return index.value(leader, Clock::at(round)) > index.value(follower, Clock::at(round));
    };
    if (!ahead(t)) continue;
    const Round until = leads_until(index, leader, follower, Clock::at(t), limit);
    ASSERT_GE(until, t);
    ASSERT_LE(until, limit);
    const double stretch = std::log(static_cast<double>(limit) / static_cast<double>(t));
    Round changed = limit;
    for (int i = 1; i <= 200 && changed == limit; ++i) {
      const auto round = static_cast<Round>(static_cast<double>(t) * std::exp(stretch * i / 200));
      if (!ahead(round)) changed = round;
    }
    ASSERT_TRUE(until < changed || changed == limit) << trial;
    if (changed < limit) ++crossings;
    if (t > 1 && static_cast<double>(until) <
                     0.9 * static_cast<double>(changed) * std::exp(-stretch / 200)) {
      ++early;
    }
  }
  EXPECT_GT(crossings, 300);
  EXPECT_LT(early, 200);
}

TEST(UcbV, TiedIndicesAreDecidedAgain) {
  const UcbV index(3, 3);
  const UcbV::State state = index.prepare({50, 100, 1});
  const UcbV::State unobserved = index.prepare({});
  EXPECT_EQ(leads_until(index, state, state, Clock::at(1000), 100000), 1000);
  EXPECT_EQ(leads_until(index, unobserved, state, Clock::at(1000), 100000), 100000);
  EXPECT_EQ(leads_until(index, unobserved, unobserved, Clock::at(1000), 100000), 1000);
  // At a tiny epsilon a noise of -1e9 and its bonus nearly cancel: what is left has a few digits, and two that are apart by the
  // last of these are as good as tied.
  constexpr double kN = 1e4;
  constexpr Round kT = 1'000'000'000'000;
  const UcbV tiny(3, kN * (1e9 + 1e4) / std::log(1e12));
  const auto strayed = [&](double mean) { return tiny.prepare({mean * kN, kN, 1}); };
  const UcbV::State ahead = strayed(-1e9);
  EXPECT_NEAR(tiny.value(ahead, Clock::at(kT)), 100, 2);
  EXPECT_EQ(leads_until(tiny, ahead, strayed(-1e9 - 1e-6), Clock::at(kT), kT + 100), kT);
  EXPECT_EQ(leads_until(tiny, ahead, strayed(-1e9 - 5e3), Clock::at(kT), kT + 100), kT + 100);
}

/// How often an index that is given other factors than it should have, of 3, fails in round t with noise of this scale.
double failure(double root, double linear, double scale, int n, double mean, Round t) {
  const UcbV index(root, linear * scale);
  const testing::LaplaceRace noise(1);
  return testing::failure(
      [&](double sum) {
        return index.value(index.prepare({sum, static_cast<double>(n), 1}), Clock::at(t));
      },
      n, mean, [&](double x) { return noise.below(x / scale); });
}

TEST(UcbV, CoversTheMeanNearTheEndsToo) {
  double without_bonus = 0;
  double narrow = 0;
  for (const Round t : {2, 10, 100, 1000}) {
    const double rounds = static_cast<double>(t);
    const double allowed = 0.5 * std::pow(rounds, -3) + std::pow(rounds, -6);
    for (const double scale : {0.01, 0.2, 1.0, 10.0}) {
      for (const int n : {1, 2, 8, 64, 256, 1024}) {
        for (const double mean : {0.001, 0.01, 0.05, 0.3, 0.49, 0.51, 0.7, 0.95, 0.99, 0.999}) {
          ASSERT_LE(failure(3, 3, scale, n, mean, t), allowed)
              << t << " " << scale << " " << n << " " << mean;
          without_bonus = std::max(without_bonus, failure(3, 0, scale, n, mean, t) / allowed);
          narrow = std::max(narrow, failure(0.5, 3, scale, n, mean, t) / allowed);
        }
      }
    }
  }
  EXPECT_GT(without_bonus, 2) << "noise that is forgotten is found";
  EXPECT_GT(narrow, 2) << "and a radius of a sixth of the level";
}

}  // namespace
}  // namespace tacit::indices
