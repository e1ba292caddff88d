// For how long an index surely stays below another: what lets the engine skip rounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

TEST_P(MgfCrossing, EndsJustBeforeTheIndexGetsThere) {
  auto random = stream(0);
  int crossings = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const double scale = std::exp2(random::uniform_index(random, 8) - 3);
    const MgfUcb index(scale, GetParam(), 1.1 + random::uniform_open(random));
    const double n = std::exp2(random::uniform_index(random, 20));
    const int noises = 1 + random::uniform_index(random, 15);
    double sum = random::uniform_open(random) * n;
    for (int i = 0; i < noises; ++i) sum += random::laplace(random, scale);
    const estimators::Estimate e{sum, n, noises};
    // What the index will be in round `there` is what it has to reach.
    const Round t = Round{2} << random::uniform_index(random, 30);
    const Round there =
        t + (t << random::uniform_index(random, 20)) + random::uniform_index(random, 9);
    const double q = index.value(e, Clock::at(there));
    if (!(q < 1) || q <= 0) continue;
    ++crossings;
    const Round until = index.below_until(e, q, Clock::at(t));
    ASSERT_GE(until, t);
    ASSERT_LT(index.value(e, Clock::at(until)), q) << "trial " << trial;
    ASSERT_LT(index.value(e, Clock::at(t + (until - t) / 2)), q) << "trial " << trial;
    ASSERT_LT(until, there) << "trial " << trial;
    ASSERT_GE(static_cast<double>(until), std::pow(static_cast<double>(there), 0.999) - 3)
        << "trial " << trial;
  }
  EXPECT_GT(crossings, 1000);
}

TEST_P(MgfCrossing, NeverReachesWhatIsAboveOne) {
  const MgfUcb index(1, GetParam(), 2);
  const estimators::Estimate e{50, 100, 3};
  EXPECT_EQ(index.below_until(e, 1.5, Clock::at(7)), kLastRound);
  EXPECT_EQ(index.below_until(e, std::numeric_limits<double>::infinity(), Clock::at(7)),
            kLastRound);
}

TEST_P(MgfCrossing, IsNowWhenTheIndexIsAlreadyThere) {
  const MgfUcb index(1, GetParam(), 2);
  const estimators::Estimate e{50, 100, 3};
  const Clock clock = Clock::at(1000);
  const double now = index.value(e, clock);
  ASSERT_LT(now, 1);
  for (const double q : {0.1, 0.5, 0.6, now}) EXPECT_EQ(index.below_until(e, q, clock), 1000) << q;
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
