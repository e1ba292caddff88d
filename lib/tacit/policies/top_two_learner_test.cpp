#include "tacit/policies/top_two_learner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "tacit/policies/recipes/mgf_tt.hpp"
#include "tacit/privacy/published.hpp"

namespace tacit::policies::recipes {
namespace {

Setting setting(int arms, double epsilon = 1, Pace pace = Pace::kSkipping) {
  return {
      .arms = arms, .epsilon = epsilon, .delta = std::nullopt, .horizon = kLastRound, .pace = pace};
}
MgfTt::Learner learner(int arms, const MgfTt::Parameters& parameters = {}, double epsilon = 1,
                       Pace pace = Pace::kSkipping) {
  return MgfTt::learner(setting(arms, epsilon, pace), parameters, random::Dice::numbered(1));
}

Choice chosen_at(MgfTt::Learner& tt, Round t, std::span<const Arm> eligible = {}) {
  Choice choice;
  tt.choose({t, eligible}, choice);
  return choice;
}

void deliver(MgfTt::Learner& tt, Slot slot, double value, Round n) {
  const privacy::Released<double> released = privacy::Published::again(value);
  tt.deliver(slot, {&released, 1}, n, 1);
}

/// Plays a phase, whose outcomes come out at the arm's mean. Returns its choice.
Choice play_phase(MgfTt::Learner& tt, Round& t, const std::vector<double>& means,
                  std::span<const Arm> eligible = {}) {
  const Choice choice = chosen_at(tt, t, eligible);
  const Round n = choice.until - t + 1;
  if (choice.slots().empty()) {
    t += 1;
    return choice;
  }
  const Round full = tt.assign(choice.slots()[0], n);
  EXPECT_EQ(full, n) << "a choice is a phase";
  deliver(tt, choice.slots()[0],
          means[static_cast<std::size_t>(choice.arm())] * static_cast<double>(n), n);
  t += n;
  return choice;
}

TEST(TopTwo, BeginsWithEveryArm) {
  for (const double epsilon : {0.1, 1.0, 10.0}) {
    auto tt = learner(4, {}, epsilon);
    Round t = 1;
    std::set<Arm> played;
    for (int i = 0; i < 4; ++i) {
      const Round before = t;
      played.insert(play_phase(tt, t, {0.5, 0.5, 0.5, 0.5}).arm());
      EXPECT_EQ(t - before, static_cast<Round>(std::ceil(40 / std::min(epsilon, 1.0))));
    }
    EXPECT_EQ(played.size(), 4u);
  }
}

TEST(TopTwo, StopsWhenEveryPairIsApartAndNotBefore) {
  const std::vector<double> means = {0.5, 0.7, 0.65};
  auto tt = learner(3, {.error = 0.01});
  const evidence::Mixture mixture(*evidence::law_of(MgfTt::plan(setting(3), {})));
  const auto record = [&](Arm arm) {
    const View view = tt.show(arm);
    return evidence::Record{view.sum, view.n, static_cast<double>(view.noises)};
  };
  Round t = 1;
  int phases = 0;
  while (tt.verdict().empty()) {
    play_phase(tt, t, means);
    ASSERT_LT(++phases, 200);
    bool apart = true;
    for (const Arm other : {0, 2}) {
      apart = apart && mixture.apart(record(1), record(other)) >= std::log(2 / 0.01) + 1e-3;
    }
    EXPECT_LE(apart ? 1u : 0u, tt.verdict().size());
  }
  EXPECT_EQ(tt.verdict()[0], 1);
  for (const Arm other : {0, 2}) {
    EXPECT_GE(mixture.apart(record(1), record(other)), std::log(2 / 0.01) - 1e-3);
  }
  // From then on it plays what it found, and records nothing.
  const Choice last = chosen_at(tt, t);
  EXPECT_EQ(last.arm(), 1);
  EXPECT_EQ(last.until, kLastRound);
  EXPECT_TRUE(last.slots().empty());
}

TEST(TopTwo, PlaysTheTwoThatAreHardToTellApart) {
  auto tt = learner(5);
  Round t = 1;
  const std::vector<double> means = {0.1, 0.7, 0.15, 0.66, 0.2};
  for (int i = 0; i < 5; ++i) play_phase(tt, t, means);
  for (int i = 0; i < 12 && tt.verdict().empty(); ++i) play_phase(tt, t, means);
  EXPECT_GT(tt.show(1).n + tt.show(3).n, 5 * (tt.show(0).n + tt.show(2).n + tt.show(4).n));
}

TEST(TopTwo, PhasesAreAsLongAsTheEvidenceAsksFor) {
  auto tt = learner(2);
  Round t = 1;
  const std::vector<double> means = {0.52, 0.5};
  for (int i = 0; i < 2; ++i) play_phase(tt, t, means);
  while (tt.verdict().empty()) {
    const double before[] = {tt.show(0).n, tt.show(1).n};
    const Arm arm = play_phase(tt, t, means).arm();
    const double growth = tt.show(arm).n / before[arm];
    EXPECT_GE(growth, 1.19);
    EXPECT_LE(growth, 4.03);
  }
}

TEST(TopTwo, FindsSeveral) {
  auto tt = learner(5, {.error = 0.05, .top = 2});
  Round t = 1;
  while (tt.verdict().empty() && t < 10000000) play_phase(tt, t, {0.2, 0.7, 0.3, 0.6, 0.25});
  EXPECT_EQ(std::vector<Arm>(tt.verdict().begin(), tt.verdict().end()), (std::vector<Arm>{1, 3}));
}

TEST(TopTwo, WithABudgetNeverStops) {
  auto tt = learner(2, {.stops = Stops::kNever});
  Round t = 1;
  for (int i = 0; i < 60; ++i) play_phase(tt, t, {0.9, 0.1});
  EXPECT_TRUE(tt.verdict().empty());
}

TEST(TopTwo, KnowsAtOnceWhatNeedsNoLooking) {
  auto one = learner(1);
  EXPECT_EQ(one.verdict().size(), 1u);
  EXPECT_EQ(chosen_at(one, 1).arm(), 0);
  auto all = learner(3, {.top = 3});
  EXPECT_EQ(all.verdict().size(), 3u);
}

TEST(TopTwo, PlaysEligibleArmsWhateverItKnows) {
  auto tt = learner(3);
  Round t = 1;
  const std::vector<double> means = {0.2, 0.8, 0.3};
  const std::vector<Arm> without_the_best = {0, 2};
  const std::vector<Arm> only = {2};
  for (int i = 0; i < 40; ++i) {
    EXPECT_NE(play_phase(tt, t, means, without_the_best).arm(), 1);
    EXPECT_EQ(play_phase(tt, t, means, only).arm(), 2);
  }
  EXPECT_TRUE(tt.verdict().empty()) << "an arm was never seen";
  while (tt.verdict().empty()) play_phase(tt, t, means);
  EXPECT_EQ(tt.verdict()[0], 1);
  EXPECT_NE(play_phase(tt, t, means, without_the_best).arm(), 1);
}

/// A phase that is under way is reckoned with, and no verdict is found in it.
TEST(TopTwo, WaitsForReleases) {
  auto tt = learner(2);
  struct Due {
    Slot slot;
    Round n;
  };
  std::vector<Due> due;
  Round t = 1;
  for (int i = 0; i < 8; ++i) {
    const Choice choice = chosen_at(tt, t);
    const Round n = tt.assign(choice.slots()[0], choice.until - t + 1);
    due.push_back({choice.slots()[0], n});
    t += n;
  }
  std::set<Arm> played;
  for (const Due& d : due) played.insert(d.slot.arm);
  EXPECT_EQ(played.size(), 2u);
  EXPECT_TRUE(tt.verdict().empty());
  for (const Due& d : due) {
    deliver(tt, d.slot, (d.slot.arm == 0 ? 0.95 : 0.05) * static_cast<double>(d.n), d.n);
  }
  EXPECT_EQ(tt.verdict()[0], 0);
}

TEST(TopTwo, GoesOnAsItWouldHaveWhenTakenUpAgain) {
  const std::vector<double> means = {0.5, 0.6, 0.55};
  for (int stop_after = 0; stop_after < 12; ++stop_after) {
    auto one = learner(3);
    Round t = 1;
    for (int i = 0; i < stop_after; ++i) play_phase(one, t, means);
    StateWriter writer;
    writer(one);
    auto other = learner(3);
    StateReader reader(writer.text());
    reader(other);
    Round t_other = t;
    for (int i = 0; i < 20; ++i) {
      const Choice a = play_phase(one, t, means);
      const Choice b = play_phase(other, t_other, means);
      ASSERT_EQ(a.arm(), b.arm());
      ASSERT_EQ(a.until, b.until);
      ASSERT_EQ(one.verdict().size(), other.verdict().size());
    }
  }
}

}  // namespace
}  // namespace tacit::policies::recipes
