#include "tacit/policies/recipes/ctb_tt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "tacit/privacy/published.hpp"

namespace tacit::policies::recipes {
namespace {

using evidence::Threshold;

CtbTt::Learner learner(int arms, const CtbTt::Parameters& parameters = {}) {
  return CtbTt::learner({.arms = arms,
                         .epsilon = 1,
                         .delta = std::nullopt,
                         .horizon = kLastRound,
                         .pace = Pace::kSkipping},
                        parameters, random::Dice::numbered(1));
}

Choice chosen_at(CtbTt::Learner& tt, Round t, std::span<const Arm> eligible = {}) {
  Choice choice;
  tt.choose({t, eligible}, choice);
  return choice;
}

void take(CtbTt::Learner& tt, Arm arm, double report) {
  Choice choice;
  choice.one(arm, {arm, 0}, 1);
  const privacy::Released<double> released = privacy::Published::again(report);
  tt.take(choice, {&released, 1});
}

TEST(CtbTt, BeginsWithEveryArm) {
  auto tt = learner(4);
  std::set<Arm> played;
  for (Round t = 1; t <= 4; ++t) {
    const Choice choice = chosen_at(tt, t);
    EXPECT_EQ(choice.until, t);
    played.insert(choice.arm());
    take(tt, choice.arm(), 0.5);
  }
  EXPECT_EQ(played.size(), 4U);
}

TEST(CtbTt, PlaysTheLeaderAndItsChallengerInTurn) {
  auto tt = learner(4);
  const double means[] = {0.3, 0.7, 0.5, 0.2};
  for (int i = 0; i < 40; ++i) {
    for (Arm arm = 0; arm < 4; ++arm) take(tt, arm, means[arm]);
  }
  std::vector<Arm> played;
  for (Round t = 161; t <= 168; ++t) played.push_back(chosen_at(tt, t).arm());
  EXPECT_EQ(played, (std::vector<Arm>{1, 1, 2, 1, 2, 1, 2, 1}));
}

TEST(CtbTt, WhoWasSeldomSeenLeads) {
  // At t = 55 (ln t = 4.007): 0.6 + sqrt(4.007/100) = 0.800 of 50, 0.2 + sqrt(4.007/8) = 0.908 of 4.
  auto tt = learner(2);
  for (int i = 0; i < 50; ++i) take(tt, 0, 0.6);
  for (int i = 0; i < 4; ++i) take(tt, 1, 0.2);
  EXPECT_EQ(chosen_at(tt, 55).arm(), 1);
  for (int i = 0; i < 4; ++i) take(tt, 1, 0.2);  // 0.2 + sqrt(4.007/16) = 0.700
  EXPECT_EQ(chosen_at(tt, 55).arm(), 0);
}

TEST(CtbTt, StopsAtTheLevelAndNotBefore) {
  // W = gap^2 n of n bits each.
  for (const Threshold threshold : {Threshold::kProven, Threshold::kHeuristic}) {
    const evidence::ReportLevel level(threshold, 2, 0.01);
    const double gap = std::sqrt((level.constant() + 2 * level.part(200)) / 200);
    for (const double factor : {0.999, 1.001}) {
      auto tt = learner(2, {.error = 0.01, .threshold = threshold});
      for (int i = 0; i < 200; ++i) take(tt, 0, 0.3);
      for (int i = 0; i < 199; ++i) take(tt, 1, 0.3);
      ASSERT_TRUE(tt.verdict().empty());
      take(tt, 1, 0.3 + 200 * gap * factor);  // the mean, in one step
      ASSERT_EQ(tt.verdict().size(), factor > 1 ? 1U : 0U);
      if (factor < 1) continue;
      EXPECT_EQ(tt.verdict()[0], 1);
      EXPECT_EQ(chosen_at(tt, 401).arm(), 1);
      for (int i = 0; i < 400; ++i) take(tt, 1, -1);
      EXPECT_EQ(tt.verdict()[0], 1) << "for good";
    }
  }
}

TEST(CtbTt, PlaysEligibleArmsWhateverItKnows) {
  auto tt = learner(3);
  const std::vector<Arm> without_the_best = {0, 2};
  const std::vector<Arm> only = {2};
  Round t = 1;
  for (int i = 0; i < 300; ++i) {
    const Arm arm = chosen_at(tt, t++, without_the_best).arm();
    EXPECT_NE(arm, 1);
    take(tt, arm, 0.3);
    EXPECT_EQ(chosen_at(tt, t++, only).arm(), 2);
  }
  EXPECT_TRUE(tt.verdict().empty()) << "an arm was never seen";
  for (int i = 0; i < 3000 && tt.verdict().empty(); ++i) {
    const Arm arm = chosen_at(tt, t++).arm();
    take(tt, arm, arm == 1 ? 0.8 : 0.3);
  }
  ASSERT_EQ(tt.verdict().size(), 1U);
  EXPECT_NE(chosen_at(tt, t, without_the_best).arm(), 1);
}

TEST(CtbTt, KnowsAtOnceWhatNeedsNoLooking) { EXPECT_EQ(learner(1).verdict().size(), 1U); }

TEST(CtbTt, GoesOnAsItWouldHaveWhenTakenUpAgain) {
  const double means[] = {0.5, 0.6, 0.55};
  for (Round stop_after = 0; stop_after < 40; stop_after += 3) {
    auto one = learner(3);
    Round t = 1;
    for (; t <= stop_after; ++t) {
      const Arm arm = chosen_at(one, t).arm();
      take(one, arm, means[arm]);
    }
    StateWriter writer;
    writer(one);
    auto other = learner(3);
    StateReader reader(writer.text());
    reader(other);
    for (; t <= stop_after + 30; ++t) {
      const Arm arm = chosen_at(one, t).arm();
      ASSERT_EQ(chosen_at(other, t).arm(), arm);
      take(one, arm, means[arm]);
      take(other, arm, means[arm]);
    }
  }
}

}  // namespace
}  // namespace tacit::policies::recipes
