// The shells of policies on sets, with estimates and indices set by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/paths.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/policies/crossing.hpp"
#include "tacit/policies/leader_plus_one_learner.hpp"
#include "tacit/policies/recording.hpp"

namespace tacit::policies {
namespace {

random::Dice dice() { return random::Dice(random::SimulationKey(1, "shells", "test", 0)); }

/// An arm whose index in round t is  start + growth ln t.
struct Line {
  double start = 0;
  double growth = 0;
  double mean = 0;
  double n = 1;
  Round remaining = 1000000;
};

/// Holds lines in place of estimates; nothing is ever released.
struct Lines {
  static constexpr bool kChangesEveryRound = false;
  std::vector<Line> lines;

  const Line& line(Arm arm) const { return lines[static_cast<std::size_t>(arm)]; }
  int arms() const { return static_cast<int>(lines.size()); }
  Slot slot(Arm arm) const { return {arm, 0}; }
  estimators::Estimate released(Arm arm) const {
    return {static_cast<double>(arm), line(arm).n, 1};
  }
  double expected_n(Arm arm) const { return line(arm).n; }
  Round remaining(Arm arm) const { return line(arm).remaining; }
};

struct LineIndex {
  using State = Line;
  std::vector<Line> lines;
  State prepare(const estimators::Estimate& e) const {
    return lines[static_cast<std::size_t>(e.sum)];
  }
  double value(const State& s, const indices::Clock& c) const {
    return s.start + s.growth * c.log_t;
  }
  double mean(const State& s) const { return s.mean; }
  indices::ConcaveIndex concave(const State& s, const indices::Clock& c) const {
    return {value(s, c), s.growth};
  }
};

using LeaderPlusOne = LeaderPlusOneLearner<Lines, LineIndex>;

LeaderPlusOne leader_plus_one(const std::shared_ptr<const actions::ActionSet>& actions,
                              const std::vector<Line>& lines) {
  return {*actions, Lines{lines}, LineIndex{lines}, Pace::kSkipping, dice()};
}

template <class Learner>
Choice chosen_at(Learner& learner, Round t) {
  Choice choice;
  learner.choose({t}, choice);
  return choice;
}

std::vector<Arm> sorted(std::span<const Arm> arms) {
  std::vector<Arm> all(arms.begin(), arms.end());
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Weakest, HasFewestObservationsThenTheShortestWayToARelease) {
  const Lines lines{{{.n = 5, .remaining = 1}, {.n = 2, .remaining = 9}, {.n = 2, .remaining = 3}}};
  EXPECT_EQ(weakest(lines, std::vector<Arm>{0, 1, 2}, 1, dice()), 2);
  EXPECT_EQ(weakest(lines, std::vector<Arm>{0, 1}, 1, dice()), 1);
  EXPECT_EQ(weakest(lines, std::vector<Arm>{0}, 1, dice()), 0);
}

TEST(Weakest, IsAnyOfThoseThatTieByTheRoundAlone) {
  const Lines lines{{{.n = 2}, {.n = 3}, {.n = 2}, {.n = 2}}};
  const std::vector<Arm> action{3, 1, 0, 2};
  std::vector<std::int64_t> counts(4);
  for (Round t = 1; t <= 30000; ++t) {
    const Arm arm = weakest(lines, action, t, dice());
    EXPECT_EQ(arm, weakest(lines, action, t, dice()));
    ++counts[static_cast<std::size_t>(arm)];
  }
  EXPECT_EQ(counts[1], 0);
  EXPECT_LT(testing::chi_square({counts[0], counts[2], counts[3]}, {1 / 3.0, 1 / 3.0, 1 / 3.0}),
            testing::chi_square_critical(3, testing::kFamilyError));
}

TEST(LeaderPlusOne, PlaysTheLeadersWhenTheIndicesAgreeWithThem) {
  auto learner =
      leader_plus_one(std::make_shared<actions::TopK>(4, 2), {{.start = 0.9, .mean = 0.8, .n = 7},
                                                              {.start = 0.8, .mean = 0.7, .n = 4},
                                                              {.start = 0.7, .mean = 0.1, .n = 1},
                                                              {.start = 0.2, .mean = 0.1, .n = 1}});
  const Choice choice = chosen_at(learner, 5);
  EXPECT_EQ(sorted(choice.arms()), (std::vector<Arm>{0, 1}));
  ASSERT_EQ(choice.slots().size(), 1U);
  EXPECT_EQ(choice.slots()[0].arm, 1) << "the weakest";
  EXPECT_EQ(choice.arms()[0], 1) << "the recorded one comes first";
  EXPECT_EQ(choice.until, 5 + 1000000 - 1);
}

TEST(LeaderPlusOne, WarmsUpWithTheArmsObservedLeastUntilEachWasObservedEnough) {
  const auto actions = std::make_shared<actions::TopK>(4, 2);
  const std::vector<Line> lines{{.start = 0.9, .mean = 0.8, .n = 7},
                                {.start = 0.8, .mean = 0.7, .n = 4},
                                {.start = 0.7, .mean = 0.1, .n = 2},
                                {.start = 0.2, .mean = 0.1, .n = 1}};
  LeaderPlusOne cold(*actions, Lines{lines}, LineIndex{lines}, Pace::kSkipping, dice(), 1.5);
  const Choice first = chosen_at(cold, 5);
  EXPECT_EQ(sorted(first.arms()), (std::vector<Arm>{2, 3}));
  EXPECT_EQ(first.arms()[0], 3);
  EXPECT_EQ(first.slots()[0].arm, 3);
  EXPECT_EQ(first.until, 5);
  LeaderPlusOne warm(*actions, Lines{lines}, LineIndex{lines}, Pace::kSkipping, dice(), 1);
  EXPECT_EQ(sorted(chosen_at(warm, 5).arms()), (std::vector<Arm>{0, 1}));
}

TEST(LeaderPlusOne, PutsInTheMostPromisingArmAndNoOther) {
  // By means 0 and 1 lead; by indices 3 and 2 do. Only 3 comes in, for the lesser leader.
  auto learner =
      leader_plus_one(std::make_shared<actions::TopK>(4, 2), {{.start = 0.5, .mean = 0.8, .n = 9},
                                                              {.start = 0.5, .mean = 0.7, .n = 9},
                                                              {.start = 0.8, .mean = 0.1, .n = 2},
                                                              {.start = 0.9, .mean = 0.2, .n = 3}});
  const Choice choice = chosen_at(learner, 5);
  EXPECT_EQ(sorted(choice.arms()), (std::vector<Arm>{0, 3}));
  EXPECT_EQ(choice.slots()[0].arm, 3);
}

TEST(LeaderPlusOne, PutsInTheMostPromisingArmInWhateverOrderASetIsWritten) {
  const std::vector<Line> lines{{.start = 0.5, .mean = 0.8, .n = 9},
                                {.start = 0.5, .mean = 0.7, .n = 9},
                                {.start = 0.8, .mean = 0.1, .n = 2},
                                {.start = 0.9, .mean = 0.2, .n = 3}};
  for (const std::vector<Arm>& hopeful : {std::vector<Arm>{2, 3}, std::vector<Arm>{3, 2}}) {
    auto learner =
        leader_plus_one(std::make_shared<actions::ExplicitList>(
                            4, std::vector<std::vector<Arm>>{{0, 1}, {0, 2}, {0, 3}, hopeful}),
                        lines);
    EXPECT_EQ(sorted(chosen_at(learner, 5).arms()), (std::vector<Arm>{0, 3}));
  }
}

TEST(LeaderPlusOne, DecidesAgainWhenAnotherArmBecomesMorePromising) {
  // Arms 2 and 3 stay the best two by index; 3 overtakes 2 at ln t = 2, t = 7.4.
  auto learner = leader_plus_one(std::make_shared<actions::TopK>(4, 2),
                                 {{.start = 0.1, .mean = 0.8, .n = 9},
                                  {.start = 0.1, .mean = 0.7, .n = 9},
                                  {.start = 0.5, .growth = 0.1, .mean = 0.1, .n = 2},
                                  {.start = 0.3, .growth = 0.2, .mean = 0.2, .n = 3}});
  const Choice early = chosen_at(learner, 3);
  EXPECT_EQ(sorted(early.arms()), (std::vector<Arm>{0, 2}));
  EXPECT_GE(early.until, 3);
  EXPECT_LT(early.until, 8);
  EXPECT_EQ(sorted(chosen_at(learner, 8).arms()), (std::vector<Arm>{0, 3}));
}

TEST(LeaderPlusOne, DecidesAgainWhenATieShowsOnlyOnceTheArmIsIn) {
  // Leaders {0, 1} are clear. With arm 2 in, {2, 0} and {2, 1} compete: 0 and 1 have equal means.
  auto learner =
      leader_plus_one(std::make_shared<actions::TopK>(3, 2), {{.start = 0.1, .mean = 0.7, .n = 9},
                                                              {.start = 0.2, .mean = 0.7, .n = 9},
                                                              {.start = 0.9, .mean = 0.1, .n = 2}});
  EXPECT_EQ(chosen_at(learner, 5).until, 5);
}

TEST(LeaderPlusOne, PlaysTheHopefulPathWhereTheArmCannotBeForcedIn) {
  // Edge 0 leads straight from 0 to 1; edges 1, 2, 3 go round. By means the straight way is shorter,
  // and one edge of length 0 does not change that; by indices the way round is.
  const actions::Graph graph{4, {{0, 1}, {0, 2}, {2, 3}, {3, 1}}, true};
  auto learner = leader_plus_one(std::make_shared<actions::Paths>(graph, 0, 1),
                                 {{.start = 0.5, .mean = 0.5, .n = 9},
                                  {.start = 1, .mean = 0.1, .n = 1},
                                  {.start = 1, .mean = 0.1, .n = 1},
                                  {.start = 1, .mean = 0.1, .n = 1}});
  const Choice choice = chosen_at(learner, 5);
  EXPECT_EQ(sorted(choice.arms()), (std::vector<Arm>{1, 2, 3}));
  EXPECT_NE(choice.slots()[0].arm, 0);
}

/// Two arms: the first is flat for long and jumps at the end, the second rises early.
struct Humps {
  using State = int;
  double value(int arm, const indices::Clock& c) const {
    if (arm == 0) return c.t >= 1000 ? 2.0 : 1.0;
    return c.t < 100 ? 0.9 : 1.5;
  }
  indices::ConcaveIndex concave(int arm, const indices::Clock& c) const {
    return {value(arm, c), 0};
  }
};

TEST(Crossing, OfListsDoesNotTrustTheEndsOfAStretch) {
  const actions::ExplicitList list(2, {{0}, {1}});
  const auto oracle = list.oracle();
  oracle->set_scores(std::vector<double>{1, 0.9});
  const auto choice = oracle->choose(10, dice());
  ASSERT_EQ(sorted(choice.arms), std::vector<Arm>{0});
  PerArm<int> states(2);
  states[1] = 1;
  Crossing crossing;
  const Round until = crossing.choice_stands_until(*oracle, choice.arms, Humps{}, states,
                                                   indices::Clock::at(10), 1000);
  EXPECT_GE(until, 10);
  EXPECT_LT(until, 100);
}

TEST(LeadsBetween, AsksForMoreThanOrderAtTheEnds) {
  // The leader rises from 1 to 1.2. The challenger may reach 1.1 within a tenth of the stretch.
  EXPECT_FALSE(indices::leads_between({1, 0.2}, {1.2, 0.2}, {0.9, 2}, {1.1, 0}, 1));
  EXPECT_TRUE(indices::leads_between({1, 0.2}, {1.2, 0.2}, {0.9, 0.2}, {1.1, 0.2}, 1));
  // An index of 0 may wake up at any time: only the leader's start counts against its end.
  EXPECT_FALSE(indices::leads_between({0.3, 1}, {0.8, 0.1}, {0, 0}, {0.5, 0.1}, 1));
  EXPECT_TRUE(indices::leads_between({0.6, 1}, {0.8, 0.1}, {0, 0}, {0.5, 0.1}, 1));
}

}  // namespace
}  // namespace tacit::policies
