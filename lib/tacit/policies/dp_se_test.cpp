#include <gtest/gtest.h>

#include <vector>

#include "tacit/policies/recipes/dp_se.hpp"

namespace tacit::policies::recipes {
namespace {

using privacy::Secret;

DpSe::Policy policy(double epsilon, Pace pace) {
  return DpSe::make({.arms = 3,
                     .epsilon = epsilon,
                     .delta = std::nullopt,
                     .horizon = 100000,
                     .pace = pace,
                     .key = random::SimulationKey(1, "dp-se", "test", 0)},
                    {.beta = 0.5});
}

/// Plays whole decisions with the outcome `share` of each arm in this epoch, and returns the survivors.
std::vector<Arm> play_epoch(DpSe::Policy& se, Round& t, const std::vector<double>& share) {
  const RotatingDecision d = se.decide(t);
  const auto stride = static_cast<Round>(d.rotation.size());
  const Round pulls = (d.until - t + 1) / stride;
  EXPECT_EQ((d.until - t + 1) % stride, 0);
  for (const Arm arm : d.rotation) {
    const auto ones =
        static_cast<Round>(share[static_cast<std::size_t>(arm)] * static_cast<double>(pulls));
    se.learn(arm, pulls, Secret<Sum>(Sum::of_ones(ones)));
  }
  t = d.until + 1;
  const RotatingDecision next = se.decide(t);
  return {next.rotation.begin(), next.rotation.end()};
}

TEST(DpSe, EpochsHaveTheirLengths) {
  // e = 1, D = 1/2, S = 3, beta = 1/2: 32 ln(48)/D^2 = 495.5 beats 8 ln(24)/(eps D) = 50.8 at eps = 1.
  auto se = policy(1, Pace::kSkipping);
  EXPECT_EQ(se.decide(1).until, 3 * 497);
  // eps = 0.05: 8 ln(24)/(0.05/2) = 1017.0 wins.
  EXPECT_EQ(policy(0.05, Pace::kSkipping).decide(1).until, 3 * 1018);
}

TEST(DpSe, DropsOnlyWhatIsClearlyWorseAndPlaysTheLastToTheEnd) {
  auto se = policy(1, Pace::kSkipping);
  Round t = 1;
  // After epoch 1 (R = 497): 2h + 2c = 2 sqrt(ln 48/994) + 2 ln 24/497 = 0.1377.
  EXPECT_EQ(play_epoch(se, t, {0.9, 0.83, 0.2}), (std::vector<Arm>{0, 1}));
  EXPECT_EQ(play_epoch(se, t, {0.9, 0.4, 0}), (std::vector<Arm>{0}));
  EXPECT_EQ(se.decide(t).until, kLastRound);
}

TEST(DpSe, EpochsDoNotShareData) {
  // Epoch 1 has R = 497 and keeps arms within 0.125 of the best, epoch 2 has R = 2694 and 0.0625. Arm 1 is
  // 0.075 behind in epoch 2 alone; with its lead of 0.12 from epoch 1 added it would be 0.053 behind.
  auto se = policy(1000, Pace::kSkipping);
  Round t = 1;
  EXPECT_EQ(play_epoch(se, t, {0.88, 1.0, 0.95}), (std::vector<Arm>{0, 1, 2}));
  EXPECT_EQ(play_epoch(se, t, {0.95, 0.875, 0.2}), (std::vector<Arm>{0}));
}

TEST(DpSe, EpochsAndArmsHaveNoiseOfTheirOwn) {
  // With equal outcomes and little privacy budget only noise can drop an arm. Noise shared over arms would drop
  // none. Noise shared over epochs would drop none in epoch 2 that survived epoch 1, since the margin on the
  // sums grows from epoch to epoch.
  int dropped_first = 0;
  int dropped_second = 0;
  for (std::uint64_t run = 0; run < 10000; ++run) {
    auto se = DpSe::make({.arms = 3,
                          .epsilon = 0.002,
                          .delta = std::nullopt,
                          .horizon = kLastRound,
                          .pace = Pace::kSkipping,
                          .key = random::SimulationKey(1, "dp-se", "noise", run)},
                         {.beta = 0.999});
    Round t = 1;
    if (play_epoch(se, t, {0, 0, 0}).size() < 3) {
      ++dropped_first;
    } else if (play_epoch(se, t, {0, 0, 0}).size() < 3) {
      ++dropped_second;
    }
  }
  // Chances by the tail of a difference of two Laplace: about 0.035 and 0.0017.
  EXPECT_GT(dropped_first, 200);
  EXPECT_LT(dropped_first, 600);
  EXPECT_GT(dropped_second, 0);
  EXPECT_LT(dropped_second, 60);
}

TEST(DpSe, PlainRoundsGoThroughTheSurvivorsInTurn) {
  auto se = policy(1, Pace::kPlain);
  for (Round t = 1; t <= 7; ++t) {
    const RotatingDecision d = se.decide(t);
    ASSERT_EQ(d.rotation.size(), 1U);
    EXPECT_EQ(d.rotation[0], (t - 1) % 3);
    EXPECT_EQ(d.until, t);
    se.learn(d.rotation[0], 1, Secret<Sum>(Sum::of_ones(0)));
  }
}

}  // namespace
}  // namespace tacit::policies::recipes
