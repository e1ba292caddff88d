#include "tacit/policies/recipes/dp_se.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tacit/curators/phase_sums.hpp"
#include "tacit/privacy/published.hpp"

namespace tacit::policies::recipes {
namespace {

Setting setting(double epsilon, Pace pace, Round horizon = 100000) {
  return {.arms = 3, .epsilon = epsilon, .delta = std::nullopt, .horizon = horizon, .pace = pace};
}
DpSe::Learner learner(double epsilon, Pace pace) {
  return DpSe::learner(setting(epsilon, pace), {.beta = 0.5}, random::Dice::numbered(1));
}

Choice chosen_at(DpSe::Learner& se, Round t) {
  Choice choice;
  se.choose({t}, choice);
  return choice;
}

void deliver(DpSe::Learner& se, Slot slot, double value, Round n) {
  const privacy::Released<double> released = privacy::Published::again(value);
  se.deliver(slot, {&released, 1}, n, 1);
}

struct Full {
  Slot slot;
  Round n;
};

/// Plays an epoch of the survivors, and says what it filled.
std::vector<Full> fill_epoch(DpSe::Learner& se, Round& t) {
  std::vector<Full> filled;
  for (std::size_t members = se.survivors().size(); filled.size() < members;) {
    const Choice choice = chosen_at(se, t);
    const Round n = choice.until - t + 1;
    EXPECT_EQ(se.assign(choice.slots()[0], n), n) << "one choice a survivor";
    filled.push_back({choice.slots()[0], n});
    t += n;
  }
  return filled;
}

/// Plays an epoch with the outcome `share` of each arm, released without noise; returns the survivors.
std::vector<Arm> play_epoch(DpSe::Learner& se, Round& t, const std::vector<double>& share) {
  for (const Full& full : fill_epoch(se, t)) {
    deliver(se, full.slot,
            share[static_cast<std::size_t>(full.slot.arm)] * static_cast<double>(full.n), full.n);
  }
  return se.survivors();
}

TEST(DpSe, EpochsHaveTheirLengths) {
  // e = 1, D = 1/2, S = 3, beta = 1/2: 32 ln(48)/D^2 = 495.5 beats 8 ln(24)/(eps D) = 50.8 at eps = 1.
  auto se = learner(1, Pace::kSkipping);
  EXPECT_EQ(chosen_at(se, 1).until, 497);
  // eps = 0.05: 8 ln(24)/(0.05/2) = 1017.0 wins.
  auto quiet = learner(0.05, Pace::kSkipping);
  EXPECT_EQ(chosen_at(quiet, 1).until, 1018);
}

TEST(DpSe, DropsOnlyWhatIsClearlyWorseAndPlaysTheLastToTheEnd) {
  auto se = learner(1, Pace::kSkipping);
  Round t = 1;
  // After epoch 1 (R = 497): 2h + 2c = 2 sqrt(ln 48/994) + 2 ln 24/497 = 0.1377.
  EXPECT_EQ(play_epoch(se, t, {0.9, 0.83, 0.2}), (std::vector<Arm>{0, 1}));
  EXPECT_EQ(play_epoch(se, t, {0.9, 0.4, 0}), (std::vector<Arm>{0}));
  const Choice last = chosen_at(se, t);
  EXPECT_EQ(last.arm(), 0);
  EXPECT_EQ(last.until, kLastRound);
  EXPECT_TRUE(last.slots().empty()) << "nothing is recorded any more";
}

TEST(DpSe, EpochsDoNotShareData) {
  // Epoch 1 has R = 497 and keeps arms within 0.125 of the best, epoch 2 has R = 2694 and 0.0625. Arm 1 is
  // 0.075 behind in epoch 2 alone; with its lead of 0.12 from epoch 1 added it would be 0.053 behind.
  auto se = learner(1000, Pace::kSkipping);
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
    const Setting s = setting(0.002, Pace::kSkipping, kLastRound);
    const DpSe::Parameters parameters{.beta = 0.999};
    auto se = DpSe::learner(s, parameters, random::Dice::numbered(run));
    const random::SimulationKey key(1, "dp-se", "noise", run);
    curators::PhaseSums<privacy::SimulatedNoise> sums(
        DpSe::plan(s, parameters), 3,
        privacy::SimulatedNoise(key, privacy::Arithmetic::kIdealised));
    Round t = 1;
    const auto dropped = [&] {
      for (const Full& full : fill_epoch(se, t)) {
        deliver(se, full.slot, sums.release(full.slot, full.n).value.value(), full.n);
      }
      return se.survivors().size() < 3;
    };
    if (dropped()) {
      ++dropped_first;
    } else if (dropped()) {
      ++dropped_second;
    }
  }
  // Chances by the tail of a difference of two Laplace: about 0.035 and 0.0017.
  EXPECT_GT(dropped_first, 200);
  EXPECT_LT(dropped_first, 600);
  EXPECT_GT(dropped_second, 0);
  EXPECT_LT(dropped_second, 60);
}

TEST(DpSe, PlainRoundsPlayOneSurvivorAfterTheOther) {
  auto se = learner(1, Pace::kPlain);
  std::set<Arm> played;
  for (Round t = 1; t <= 3 * 497; ++t) {
    const Choice choice = chosen_at(se, t);
    played.insert(choice.arm());
    ASSERT_EQ(static_cast<Round>(played.size()), (t - 1) / 497 + 1);
    ASSERT_EQ(choice.until, t);
    ASSERT_EQ(se.assign(choice.slots()[0], 1), t % 497 == 0 ? 497 : 0);
  }
}

TEST(DpSe, AnEpochThatIsUnderWayDoesNotHoldUpTheNext) {
  auto se = learner(1, Pace::kSkipping);
  Round t = 1;
  const auto first = fill_epoch(se, t);
  EXPECT_EQ(se.show(2).under_way, 497);
  const auto second = fill_epoch(se, t);
  ASSERT_EQ(second.size(), 3U) << "all survive as far as is known";
  for (const Full& full : first) deliver(se, full.slot, full.slot.arm == 2 ? 0 : 0.9 * 497, full.n);
  EXPECT_EQ(se.survivors(), (std::vector<Arm>{0, 1}));
  EXPECT_EQ(fill_epoch(se, t).size(), 2U);
}

TEST(DpSe, AnEpochMayBeReleasedBeforeAnOlderOneThatWaitsForADroppedArm) {
  auto se = learner(1, Pace::kSkipping);
  Round t = 1;
  const auto first = fill_epoch(se, t);
  const auto second = fill_epoch(se, t);
  for (const Full& full : first) deliver(se, full.slot, full.slot.arm == 2 ? 0 : 0.9 * 497, full.n);
  const auto third = fill_epoch(se, t);
  ASSERT_EQ(third.size(), 2U);
  const auto value = [](const Full& full) { return 0.9 * static_cast<double>(full.n); };
  for (const Full& full : second) {
    if (full.slot.arm != 2) deliver(se, full.slot, value(full), full.n);
  }
  for (const Full& full : third)
    deliver(se, full.slot, full.slot.arm == 0 ? value(full) : 0, full.n);
  EXPECT_EQ(se.survivors(), (std::vector<Arm>{0}));
  // The last answer of the older epoch comes in, and drops nobody who is left.
  for (const Full& full : second) {
    if (full.slot.arm == 2) deliver(se, full.slot, static_cast<double>(full.n), full.n);
  }
  EXPECT_EQ(se.survivors(), (std::vector<Arm>{0}));
  EXPECT_EQ(chosen_at(se, t).arm(), 0);
}

TEST(DpSe, TwoEpochsThatDisagreeLeaveSomebody) {
  auto se = learner(1, Pace::kSkipping);
  Round t = 1;
  const auto first = fill_epoch(se, t);
  const auto second = fill_epoch(se, t);
  for (const Full& full : first) deliver(se, full.slot, full.slot.arm == 0 ? 497 : 0, full.n);
  ASSERT_EQ(se.survivors(), (std::vector<Arm>{0}));
  for (const Full& full : second)
    deliver(se, full.slot, full.slot.arm == 0 ? 0 : static_cast<double>(full.n), full.n);
  EXPECT_EQ(se.survivors(), (std::vector<Arm>{0}));
}

TEST(DpSe, AnEpochThatIsOvershotCountsAllOfItsChoices) {
  auto se = learner(1, Pace::kSkipping);
  Round t = 1;
  for (int i = 0; i < 3; ++i) {
    const Choice choice = chosen_at(se, t);
    EXPECT_EQ(se.assign(choice.slots()[0], 1000), 1000);
    deliver(se, choice.slots()[0], choice.arm() == 2 ? 700 : 900, 1000);
    t += 1000;
  }
  EXPECT_EQ(se.survivors(), (std::vector<Arm>{0, 1})) << "0.9, 0.9 and 0.7";
}

DpSe::Learner guessing(Pace pace, double epsilon = 1) {
  return DpSe::learner(setting(epsilon, pace, 1), {.horizon = DpSe::Horizon::kDoubling},
                       random::Dice::numbered(1));
}
// The first two guesses end here; the first epoch of the second, at eps = 1, has
// ceil(32 ln(8 3 2^16)/(1/4) + 1) = 1828 pulls of every arm.
constexpr Round kFirstEnd = 256;
constexpr Round kSecondEnd = kFirstEnd + 65536;
constexpr Round kLength = 1828;

TEST(DpSeGuessing, BeginsAnewWithWhatIsNotReleasedYet) {
  auto se = guessing(Pace::kSkipping);
  const Choice first = chosen_at(se, 1);
  EXPECT_EQ(first.until, kFirstEnd) << "an epoch takes longer than the guess";
  EXPECT_EQ(se.assign(first.slots()[0], kFirstEnd), 0);
  Round t = kFirstEnd + 1;
  std::set<Arm> seen;
  for (int i = 0; i < 3; ++i) {
    const Choice choice = chosen_at(se, t);
    const Round n = choice.until - t + 1;
    const bool again = choice.arm() == first.arm();
    EXPECT_EQ(choice.slots()[0].phase, 1);
    EXPECT_EQ(n, again ? kLength - kFirstEnd : kLength);
    EXPECT_EQ(se.assign(choice.slots()[0], n), kLength) << "all that is in the slot";
    seen.insert(choice.arm());
    t += n;
  }
  EXPECT_EQ(seen.size(), 3U);
}

TEST(DpSeGuessing, TakesUpDroppedArmsAgain) {
  auto se = guessing(Pace::kSkipping);
  Round t = kFirstEnd + 1;
  EXPECT_EQ(play_epoch(se, t, {0.9, 0.1, 0.1}), (std::vector<Arm>{0}));
  const Choice last = chosen_at(se, t);
  EXPECT_EQ(last.arm(), 0);
  EXPECT_EQ(last.until, kSecondEnd);
  EXPECT_TRUE(last.slots().empty());
  t = kSecondEnd + 1;
  EXPECT_EQ(chosen_at(se, t).slots().size(), 1U);
  EXPECT_EQ(se.survivors().size(), 3U);
  EXPECT_EQ(play_epoch(se, t, {0.1, 0.9, 0.1}), (std::vector<Arm>{1})) << "what was is forgotten";
  EXPECT_EQ(chosen_at(se, t).until, kSecondEnd + (Round{1} << 32));
  t = kSecondEnd + (Round{1} << 32) + 1;
  EXPECT_EQ(chosen_at(se, t).slots()[0].phase, 3) << "of an arm the third";
  EXPECT_EQ(play_epoch(se, t, {0.1, 0.1, 0.9}), (std::vector<Arm>{2}));
  EXPECT_EQ(chosen_at(se, t).until, kLastRound) << "the last guess";
}

TEST(DpSeGuessing, HearsNothingFromAnswersToAnOlderGuess) {
  auto se = guessing(Pace::kSkipping);
  Round t = kFirstEnd + 1;
  const std::vector<Full> late = fill_epoch(se, t);
  Round later = kSecondEnd + 1;
  const Choice choice = chosen_at(se, later);
  EXPECT_EQ(choice.slots()[0].phase, 2);
  EXPECT_EQ(se.show(1).under_way, kLength);
  for (const Full& full : late) deliver(se, full.slot, full.slot.arm == 0 ? kLength : 0, full.n);
  EXPECT_EQ(se.survivors().size(), 3U);
  EXPECT_EQ(se.show(1).under_way, 0);
  EXPECT_EQ(se.show(0).n, kLength) << "but they are shown";
  EXPECT_EQ(play_epoch(se, later, {0.1, 0.9, 0.1}), (std::vector<Arm>{1}));
}

TEST(DpSeGuessing, ASlotThatHasMoreThanAnEpochNeedsIsReleasedWithItsNextOutcome) {
  auto se = guessing(Pace::kSkipping);
  Round t = kFirstEnd + 1;
  EXPECT_EQ(play_epoch(se, t, {0.5, 0.5, 0.5}).size(), 3U);
  EXPECT_EQ(play_epoch(se, t, {0.5, 0.5, 0.5}).size(), 3U);
  // The third epoch is cut off; it is longer than the first one of the next guess.
  const Choice cut_off = chosen_at(se, t);
  EXPECT_EQ(cut_off.slots()[0].phase, 3);
  EXPECT_EQ(se.assign(cut_off.slots()[0], 20000), 0);
  t = kSecondEnd + 1;
  for (int i = 0; i < 3; ++i) {
    const Choice choice = chosen_at(se, t);
    const Round n = choice.until - t + 1;
    const bool again = choice.arm() == cut_off.arm();
    EXPECT_EQ(choice.slots()[0].phase, 3);
    EXPECT_EQ(n == 1, again);
    EXPECT_EQ(se.assign(choice.slots()[0], n), again ? 20001 : n);
    t += n;
  }
}

/// Plays rounds of both paces, whose slots come out at these shares as soon as they are full; every arm's slots in order.
std::vector<Arm> played(Pace pace, Round rounds, const std::vector<double>& share) {
  auto se = guessing(pace);
  std::vector<Arm> arms;
  std::vector<Round> phase(3, 1);
  std::vector<Round> inside(3, 0);
  for (Round t = 1; t <= rounds;) {
    const Choice choice = chosen_at(se, t);
    const Round n = std::min(choice.until, rounds) - t + 1;
    arms.insert(arms.end(), static_cast<std::size_t>(n), choice.arm());
    t += n;
    if (choice.slots().empty()) continue;
    const auto at = static_cast<std::size_t>(choice.arm());
    EXPECT_EQ(choice.slots()[0].phase, phase[at]);
    inside[at] += n;
    const Round full = se.assign(choice.slots()[0], n);
    if (full == 0) continue;
    EXPECT_EQ(full, inside[at]) << "every outcome is in one release";
    deliver(se, choice.slots()[0], share[at] * static_cast<double>(full), full);
    inside[at] = 0;
    ++phase[at];
  }
  return arms;
}

TEST(DpSeGuessing, PlaysTheSameAtBothPaces) {
  constexpr Round kRounds = 140000;  // into the third guess
  for (const std::vector<double>& share :
       {std::vector<double>{0.9, 0.1, 0.1}, {0.5, 0.52, 0.48}, {0.5, 0.5, 0.5}}) {
    EXPECT_EQ(played(Pace::kSkipping, kRounds, share), played(Pace::kPlain, kRounds, share));
  }
  for (Round rounds = 1; rounds <= 70; ++rounds) {
    EXPECT_EQ(played(Pace::kSkipping, rounds, {1, 0, 0}).size(), static_cast<std::size_t>(rounds));
  }
}

TEST(DpSeGuessing, DoesNotLookAtTheHorizon) {
  for (const Round horizon : {Round{1}, Round{1000}, kLastRound}) {
    auto se = DpSe::learner(setting(1, Pace::kSkipping, horizon),
                            {.horizon = DpSe::Horizon::kDoubling}, random::Dice::numbered(1));
    EXPECT_EQ(chosen_at(se, 1).until, kFirstEnd);
    Round t = kFirstEnd + 1;
    EXPECT_EQ(fill_epoch(se, t).at(0).n, kLength);
  }
}

}  // namespace
}  // namespace tacit::policies::recipes
