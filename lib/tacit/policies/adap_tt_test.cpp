#include "tacit/policies/recipes/adap_tt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "tacit/privacy/published.hpp"

namespace tacit::policies::recipes {
namespace {

using Learner = AdapTopTwo::Learner;
using evidence::Threshold;

Setting setting(int arms, double epsilon, Pace pace) {
  return {
      .arms = arms, .epsilon = epsilon, .delta = std::nullopt, .horizon = kLastRound, .pace = pace};
}
template <class Recipe = AdapTt>
Learner learner(int arms, const AdapTopTwo::Parameters& parameters = {}, double epsilon = 1,
                Pace pace = Pace::kSkipping) {
  return Recipe::learner(setting(arms, epsilon, pace), parameters, random::Dice::numbered(1));
}

Choice chosen_at(Learner& tt, Round t, std::span<const Arm> eligible = {}) {
  Choice choice;
  tt.choose({t, eligible}, choice);
  return choice;
}

void deliver(Learner& tt, Slot slot, double mean, Round n) {
  const privacy::Released<double> released =
      privacy::Published::again(mean * static_cast<double>(n));
  tt.deliver(slot, {&released, 1}, n, 1);
}

/// The arm's phases up to this number, each at this mean.
void feed(Learner& tt, Arm arm, int phases, double mean) {
  for (int k = 0; k < phases; ++k) {
    const Slot slot{arm, k};
    const Round length = k == 0 ? 1 : Round{1} << (k - 1);
    EXPECT_EQ(tt.assign(slot, length), length);
    deliver(tt, slot, mean, length);
  }
}

/// Plays what is chosen, and releases at the arm's mean what that fills. Returns the choice.
Choice play(Learner& tt, Round& t, const std::vector<double>& means,
            std::span<const Arm> eligible = {}) {
  const Choice choice = chosen_at(tt, t, eligible);
  const Round n = choice.slots().empty() ? 1 : choice.until - t + 1;
  t += n;
  if (choice.slots().empty()) return choice;
  const Round full = tt.assign(choice.slots()[0], n);
  if (full > 0) {
    deliver(tt, choice.slots()[0], means[static_cast<std::size_t>(choice.arm())], full);
  }
  return choice;
}

TEST(AdapTt, BeginsWithEveryArmOnce) {
  auto tt = learner(4);
  std::set<Arm> played;
  Round t = 1;
  while (t <= 4) {
    const Choice choice = play(tt, t, {0.5, 0.5, 0.5, 0.5});
    EXPECT_EQ(choice.slots()[0].phase, 0);
    played.insert(choice.arm());
  }
  EXPECT_EQ(t, 5) << "a round each";
  EXPECT_EQ(played.size(), 4U);
}

TEST(AdapTt, PhasesEndWhenPullsHaveDoubledAndTheLastOneCounts) {
  auto tt = learner(2);
  for (int k = 0; k < 6; ++k) {
    const Round length = k == 0 ? 1 : Round{1} << (k - 1);
    EXPECT_EQ(tt.assign({0, k}, length), length);
    deliver(tt, {0, k}, 0.1 * k, length);
    EXPECT_EQ(tt.show(0).n, static_cast<double>(length));
    EXPECT_DOUBLE_EQ(tt.show(0).sum, 0.1 * k * static_cast<double>(length));
  }
  EXPECT_EQ(tt.assign({1, 0}, 1), 1);
  EXPECT_EQ(tt.assign({1, 1}, 1), 1);
  EXPECT_EQ(tt.assign({1, 2}, 1), 0) << "one of two";
}

TEST(AdapTt, TheLeaderHasTheLargestIndexAndTheChallengerIsHardestToTellFromIt) {
  // Phases of 8 (k = 5) of all: the largest mean leads, and W asks for the smallest gap, arm 2.
  auto tt = learner(4);
  const double means[] = {0.3, 0.6, 0.5, 0.2};
  for (Arm arm = 0; arm < 4; ++arm) feed(tt, arm, 5, means[arm]);
  // Tracking by halves: L rounds have floor(L/2) + 1 of the leader, whose 16 are reached at L = 30.
  const Choice first = chosen_at(tt, 100);
  EXPECT_EQ(first.arm(), 2);
  EXPECT_EQ(first.until, 100 + 14 - 1);
  EXPECT_EQ(tt.assign(first.slots()[0], 14), 0);
  const Choice second = chosen_at(tt, 114);
  EXPECT_EQ(second.arm(), 1);
  EXPECT_EQ(second.until, 114 + 16 - 1);
  EXPECT_EQ(tt.assign(second.slots()[0], 16), 16) << "its phase ends what stands";
}

TEST(AdapTt, TheBonusIsThatOfTheArmsOwnPhasesOrOfRounds) {
  // Arm 0: k = 5, w = 8: 0.6 + sqrt(5/8) + 5/8 = 2.02; arm 1: k = 2, w = 1: 0 + sqrt(2) + 2 = 3.41. With ln 11: 1.29, 3.49.
  for (const auto bonus : {AdapTopTwo::Bonus::kPhases, AdapTopTwo::Bonus::kRounds}) {
    auto tt = learner(2, {.bonus = bonus});
    feed(tt, 0, 5, 0.6);
    feed(tt, 1, 2, 0);
    // Arm 1 leads, and its 2 pulls are reached before the challenger has one.
    const Choice choice = chosen_at(tt, 11);
    EXPECT_EQ(choice.arm(), 1);
    EXPECT_EQ(choice.until, 12);
  }
  // Of three arms one is much too low after a single pull: 1 + 1 - 2.5 stays below 0.5 + sqrt(12/1024) + 12/1024, and the two
  // that are alike are each other's challengers. With ln t it comes back.
  for (const auto bonus : {AdapTopTwo::Bonus::kPhases, AdapTopTwo::Bonus::kRounds}) {
    auto tt = learner(3, {.bonus = bonus});
    feed(tt, 0, 12, 0.5);
    feed(tt, 1, 12, 0.5);
    feed(tt, 2, 1, -2.5);
    EXPECT_EQ(chosen_at(tt, 1000000).arm() == 2, bonus == AdapTopTwo::Bonus::kRounds);
  }
}

/// Two arms with phases of 1024 (k = 12); the gap at which W reaches the level.
template <class Recipe>
void stops_at(double gap, const AdapTopTwo::Parameters& parameters, double epsilon) {
  for (const double factor : {0.999, 1.001}) {
    auto tt = learner<Recipe>(2, parameters, epsilon);
    feed(tt, 0, 12, 0);
    feed(tt, 1, 12, gap * factor);
    ASSERT_EQ(tt.verdict().size(), factor > 1 ? 1U : 0U) << factor;
    if (factor > 1) {
      EXPECT_EQ(tt.verdict()[0], 1);
    }
  }
}

TEST(AdapTt, StopsAtTheLevelAndNotBefore) {
  // W = gap^2 1024 with sigma 1/2, gap^2 256 with sigma 1; linear beyond a cap of 3 epsilon.
  const evidence::LastPhase phase{1024, 12};
  const double proven = evidence::PhaseLevel(Threshold::kProven, 2, 0.1, 1).of(phase, phase);
  stops_at<AdapTt>(std::sqrt(proven / 1024), {.error = 0.1}, 1);
  stops_at<AdapTtStar>(std::sqrt(proven / 1024), {.error = 0.1}, 1);
  const double noisy = evidence::PhaseLevel(Threshold::kProven, 2, 0.1, 0.05).of(phase, phase);
  ASSERT_GT(std::sqrt(noisy / 1024), 0.15);
  stops_at<AdapTt>(std::sqrt(noisy / 1024), {.error = 0.1}, 0.05);
  stops_at<AdapTtStar>(noisy / 1024 / 0.15, {.error = 0.1}, 0.05);
  const double heuristic = evidence::PhaseLevel(Threshold::kHeuristic, 2, 0.1, 1).of(phase, phase);
  stops_at<AdapTt>(std::sqrt(heuristic / 256), {.error = 0.1, .threshold = Threshold::kHeuristic},
                   1);
}

TEST(AdapTt, PlaysWhatItFoundAndRecordsNothing) {
  for (const Pace pace : {Pace::kSkipping, Pace::kPlain}) {
    auto tt = learner(3, {}, 1, pace);
    Round t = 1;
    const std::vector<double> means = {0.1, 0.9, 0.2};
    while (tt.verdict().empty()) play(tt, t, means);
    EXPECT_EQ(tt.verdict()[0], 1);
    const Choice last = chosen_at(tt, t);
    EXPECT_EQ(last.arm(), 1);
    EXPECT_EQ(last.until, pace == Pace::kPlain ? t : kLastRound);
    EXPECT_TRUE(last.slots().empty());
    const std::vector<Arm> without_it = {0, 2};
    EXPECT_NE(play(tt, t, means, without_it).arm(), 1);
    EXPECT_EQ(tt.verdict()[0], 1) << "for good";
  }
}

TEST(AdapTt, PlainRoundsAreThoseOfTheSkippingOne) {
  const std::vector<double> means = {0.5, 0.6, 0.45, 0.55};
  auto plain = learner(4, {}, 1, Pace::kPlain);
  auto skipping = learner(4);
  std::vector<Arm> rounds;
  std::vector<Arm> skipped;
  for (Round t = 1; t <= 5000;) rounds.push_back(play(plain, t, means).arm());
  for (Round t = 1; t <= 5000;) {
    const Round before = t;
    const Arm arm = play(skipping, t, means).arm();
    skipped.insert(skipped.end(), static_cast<std::size_t>(t - before), arm);
  }
  skipped.resize(rounds.size());
  EXPECT_EQ(rounds, skipped);
}

TEST(AdapTt, PlaysEligibleArmsWhateverItKnows) {
  auto tt = learner(3);
  const std::vector<double> means = {0.2, 0.8, 0.3};
  const std::vector<Arm> without_the_best = {0, 2};
  const std::vector<Arm> only = {2};
  Round t = 1;
  for (int i = 0; i < 12; ++i) {
    EXPECT_NE(play(tt, t, means, without_the_best).arm(), 1);
    EXPECT_EQ(play(tt, t, means, only).arm(), 2);
  }
  EXPECT_TRUE(tt.verdict().empty()) << "an arm was never seen";
  while (tt.verdict().empty()) play(tt, t, means);
  EXPECT_EQ(tt.verdict()[0], 1);
}

TEST(AdapTt, WaitsForReleases) {
  auto tt = learner(2);
  struct Due {
    Slot slot;
    Round n;
  };
  std::vector<Due> due;
  std::set<Arm> played;
  for (Round t = 1; t <= 4000;) {
    const Choice choice = chosen_at(tt, t);
    const Round n = choice.until - t + 1;
    const Round full = tt.assign(choice.slots()[0], n);
    if (full > 0) due.push_back({choice.slots()[0], full});
    played.insert(choice.arm());
    t += n;
  }
  EXPECT_EQ(played.size(), 2U);
  EXPECT_TRUE(tt.verdict().empty());
  for (const Due& d : due) deliver(tt, d.slot, d.slot.arm == 0 ? 0.95 : 0.05, d.n);
  ASSERT_EQ(tt.verdict().size(), 1U);
  EXPECT_EQ(tt.verdict()[0], 0);
}

TEST(AdapTt, KnowsAtOnceWhatNeedsNoLooking) {
  auto one = learner(1);
  EXPECT_EQ(one.verdict().size(), 1U);
  EXPECT_EQ(chosen_at(one, 1).arm(), 0);
}

TEST(AdapTt, GoesOnAsItWouldHaveWhenTakenUpAgain) {
  const std::vector<double> means = {0.5, 0.6, 0.55};
  for (int stop_after = 0; stop_after < 30; ++stop_after) {
    auto one = learner(3);
    Round t = 1;
    for (int i = 0; i < stop_after; ++i) play(one, t, means);
    StateWriter writer;
    writer(one);
    auto other = learner(3);
    StateReader reader(writer.text());
    reader(other);
    Round t_other = t;
    for (int i = 0; i < 20; ++i) {
      const Choice a = play(one, t, means);
      const Choice b = play(other, t_other, means);
      ASSERT_EQ(a.arm(), b.arm());
      ASSERT_EQ(a.until, b.until);
    }
  }
}

}  // namespace
}  // namespace tacit::policies::recipes
