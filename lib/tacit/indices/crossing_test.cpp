// For how long an index surely stays below another: what lets the engine skip rounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/indices/concave.hpp"
#include "tacit/indices/mgf.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::indices {
namespace {

random::SimulationStream stream(std::uint64_t run) {
  return random::SimulationKey(8, "indices", "crossing", run).stream(random::Purpose::kDecisions);
}

class MgfCrossing : public ::testing::TestWithParam<Level> {};
INSTANTIATE_TEST_SUITE_P(BothLevels, MgfCrossing,
                         ::testing::Values(Level::kSharp, Level::kJustified),
                         [](const auto& level) {
                           return level.param == Level::kSharp ? "Sharp" : "Justified";
                         });

/// A released sum of a random number of observations, around a random mean.
estimators::Estimate random_estimate(random::SimulationStream& random, double scale) {
  const double n = std::floor(std::exp2(1 + 18 * random::uniform_open(random)));
  const int noises = 1 + random::uniform_index(random, 15);
  double sum = random::uniform_open(random) * n;
  for (int i = 0; i < noises; ++i) sum += random::laplace(random, scale);
  return {sum, n, noises};
}

TEST_P(MgfCrossing, TheIndexIsConcaveInTheLogarithmOfTheRoundAndKnowsItsSlope) {
  auto random = stream(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const double scale = std::exp2(random::uniform_index(random, 8) - 3);
    const MgfUcb index(scale, GetParam(), 1.1 + random::uniform_open(random));
    const estimators::Estimate e = random_estimate(random, scale);
    const double x = 1 + 20 * random::uniform_open(random);
    const auto at = [&](double log_t) {
      return index.concave(e, {.t = 1, .log_t = log_t, .sqrt_log_t = std::sqrt(log_t)});
    };
    const double width = 0.2;
    const ConcaveIndex left = at(x - width);
    const ConcaveIndex middle = at(x);
    const ConcaveIndex right = at(x + width);
    if (left.value <= 0) continue;  // no mean is plausible there
    ASSERT_GE(middle.value, 0.5 * (left.value + right.value) - 1e-11) << trial;
    ASSERT_LE(right.value, middle.value + middle.slope * width + 1e-11) << trial;
    ASSERT_LE(left.value, middle.value - middle.slope * width + 1e-11) << trial;
    if (right.value >= 1) continue;
    const double h = 1e-3;
    ASSERT_NEAR(middle.slope, (at(x + h).value - at(x - h).value) / (2 * h),
                1e-4 * middle.slope + 1e-8)
        << trial;
  }
}

TEST_P(MgfCrossing, TheLeaderLeadsUntilThenAndNotMuchLonger) {
  auto random = stream(0);
  int crossings = 0;
  int early = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const double scale = std::exp2(random::uniform_index(random, 8) - 3);
    const MgfUcb index(scale, GetParam(), 1.1 + random::uniform_open(random));
    const estimators::Estimate leader = random_estimate(random, scale);
    const estimators::Estimate follower = random_estimate(random, scale);
    const Round t = Round{2} << random::uniform_index(random, 20);
    const Round limit = t << (1 + random::uniform_index(random, 20));
    const auto ahead = [&](Round round) {
      return index.value(leader, Clock::at(round)) > index.value(follower, Clock::at(round));
    };
    if (!ahead(t)) continue;
    const Round until = leads_until(index, leader, follower, Clock::at(t), limit);
    ASSERT_GE(until, t);
    ASSERT_LE(until, limit);
    // The first round of a fine grid in which the order has changed.
    const double stretch = std::log(static_cast<double>(limit) / static_cast<double>(t));
    Round changed = limit;
    for (int i = 1; i <= 200 && changed == limit; ++i) {
      const auto round = static_cast<Round>(static_cast<double>(t) * std::exp(stretch * i / 200));
      if (!ahead(round)) changed = round;
    }
    ASSERT_TRUE(until < changed || changed == limit) << trial;
    if (changed < limit) ++crossings;
    // The grid is coarse: a two-hundredth of the stretch, and some looks short of it.
    if (static_cast<double>(until) <
        0.9 * static_cast<double>(changed) * std::exp(-stretch / 200)) {
      ++early;
    }
  }
  EXPECT_GT(crossings, 100);
  EXPECT_LT(early, 60);
}

TEST_P(MgfCrossing, TiedIndicesAreDecidedAgain) {
  const MgfUcb index(1, GetParam(), 2);
  const estimators::Estimate e{50, 100, 3};
  EXPECT_EQ(leads_until(index, e, e, Clock::at(1000), 100000), 1000);
  const estimators::Estimate unobserved{};
  EXPECT_EQ(leads_until(index, unobserved, e, Clock::at(1000), 100000), 100000);
}

TEST(ScaledUcb, ReadsTheLogarithmOfAMultipleOfTheRound) {
  const ScaledUcb index(3, 12, 4);
  // K = 4, t = 25, n = 100, sum = 40: ln(Kt) = ln 100 = 4.605170.
  EXPECT_NEAR(index.value(index.prepare({40, 100, 1}), index.clock(25)),
              0.4 + std::sqrt(3 * 4.605170 / 100) + 12 * 4.605170 / 100, 1e-6);
}

TEST(ScaledUcb, LeadsUntilTheRoundWhereALaterLookWouldDiffer) {
  for (const double c : {1.0, 4.0, 50.0}) {
    auto random = stream(static_cast<std::uint64_t>(c));
    const ScaledUcb index(0.2, 0.1, c);
    int crossings = 0;
    for (int trial = 0; trial < 1000; ++trial) {
      // A leader, and a challenger with fewer observations whose curves meet in round `there`.
      const double n = std::exp2(1 + random::uniform_index(random, 12));
      const UcbCurve leader = index.prepare({random::uniform_open(random) * n, n, 1});
      UcbCurve challenger = index.prepare({0, 1 + (n - 1) * random::uniform_open(random) / 2, 1});
      const Round t = 1 + random::uniform_index(random, 2000);
      const Round there = t + random::uniform_index(random, 3000);
      challenger.mean =
          index.value(leader, index.clock(there)) - index.value(challenger, index.clock(there));
      const auto ahead = [&](Round round) {
        const Clock clock = index.clock(round);
        return index.value(leader, clock) > index.value(challenger, clock);
      };
      if (!ahead(t)) continue;
      ++crossings;
      Round first_behind = t + 1;
      while (ahead(first_behind)) ++first_behind;
      const Round until = leads_until(leader, challenger, index.clock(t));
      ASSERT_LT(until, first_behind) << "c = " << c;
      ASSERT_GE(until, std::max(t, first_behind - 4)) << "c = " << c;
    }
    EXPECT_GT(crossings, 900) << "c = " << c;
  }
}

}  // namespace
}  // namespace tacit::indices
