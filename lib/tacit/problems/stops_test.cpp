// Where users stop, on every kind of problem: the law by enumeration of a round's outcomes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "statistics/joint_law.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/privacy/exact.hpp"
#include "tacit/problems/hard_instances.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/problems/replay_matrix.hpp"
#include "tacit/problems/shared_outcomes.hpp"
#include "tacit/problems/table.hpp"

namespace tacit::problems {
namespace {

using testing::Law;
using List = std::vector<Arm>;

constexpr int kLaws = 40;  // at most, in this file
constexpr double kAlpha = testing::kFamilyError / kLaws;

random::SimulationStream stream(std::uint64_t run) {
  return random::SimulationKey(1, "problems", "stops", run).stream(random::Purpose::kOutcomes);
}

int stop_of(const Problem& problem, const List& list, Round t, random::SimulationStream& random) {
  return privacy::declassify(problem.draw_stop(list, t, random)).value().position;
}

/// The law of the stop, given that of all arms' outcomes in one round.
Law law_of_the_stop(const Law& round, const List& list) {
  Law law;
  for (const auto& [outcomes, chance] : round) {
    int stop = 0;
    for (const Arm arm : list) {
      if (outcomes[static_cast<std::size_t>(arm)] != 0) break;
      ++stop;
    }
    if (chance > 0) law[{stop}] += chance;
  }
  return law;
}

void expect_stops(const Problem& problem, const Law& round, const std::vector<List>& lists,
                  std::uint64_t run) {
  for (const List& list : lists) {
    SCOPED_TRACE(::testing::PrintToString(list));
    const Law law = law_of_the_stop(round, list);
    auto random = stream(run++);
    testing::expect_law(
        law, [&] { return std::vector<int>{stop_of(problem, list, 1, random)}; }, kAlpha,
        "draw_stop");
    const auto none = law.find({static_cast<int>(list.size())});
    const double click = 1 - (none == law.end() ? 0 : none->second);
    EXPECT_NEAR(problem.click_chance(list), click, 1e-12);
    List sorted = list;
    std::sort(sorted.begin(), sorted.end());
    do {
      EXPECT_EQ(problem.click_chance(sorted), problem.click_chance(list))
          << "a set has one value however it is ranked";
    } while (std::next_permutation(sorted.begin(), sorted.end()));
  }
}

/// Independent outcomes of groups that several arms may share.
Law independent(const std::vector<double>& means, const std::vector<int>& group_of_arm) {
  Law law;
  for (unsigned bits = 0; bits < 1U << means.size(); ++bits) {
    double chance = 1;
    for (std::size_t g = 0; g < means.size(); ++g) {
      chance *= ((bits >> g) & 1U) != 0 ? means[g] : 1 - means[g];
    }
    std::vector<int> outcomes;
    outcomes.reserve(group_of_arm.size());
    for (const int g : group_of_arm) outcomes.push_back(static_cast<int>((bits >> g) & 1U));
    law[outcomes] += chance;
  }
  return law;
}

TEST(Stops, OfIndependentArmsComeFromTheFirstThatAttracts) {
  const std::vector<double> means{0.31, 0.05, 0.63, 0.47, 0.21};
  const Law round = independent(means, {0, 1, 2, 3, 4});
  const std::vector<List> lists{{0, 1}, {2, 0, 4}, {1, 3, 4, 0}, {4, 3, 2, 1, 0}};
  expect_stops(IndependentArms(means, Rewards::kBernoulli), round, lists, 0);
  // A ranked item that attracts by halves attracts half of all users.
  expect_stops(IndependentArms(means, Rewards::kPoint), round, {lists[2]}, 10);
  expect_stops(IndependentArms(means, Rewards::kBeta), round, {lists[2]}, 11);
}

TEST(Stops, AreCertainWhereItemsAre) {
  const IndependentArms problem({0, 1, 0.5}, Rewards::kBernoulli);
  auto random = stream(20);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(stop_of(problem, {0}, 1, random), 1);
    ASSERT_EQ(stop_of(problem, {1, 0}, 1, random), 0);
    ASSERT_EQ(stop_of(problem, {0, 1, 2}, 1, random), 1);
    ASSERT_LE(stop_of(problem, {2, 1, 0}, 1, random), 1);
  }
  EXPECT_EQ(problem.click_chance(List{0}), 0);
  EXPECT_EQ(problem.click_chance(List{2, 0}), 0.5);
  EXPECT_EQ(problem.click_chance(List{0, 1}), 1);
}

TEST(Stops, OfSharedOutcomesAreNotDrawnTwice) {
  const std::vector<double> means{0.3, 0.6, 0.45};
  const std::vector<int> groups{0, 1, 0, 1, 0, 2};
  // {0, 2, 4} is one group: nobody stops behind its first.
  expect_stops(SharedOutcomes(means, groups), independent(means, groups),
               {{0, 2, 4}, {0, 2, 5}, {0, 1, 2, 3}, {5, 4, 3, 2}}, 30);
}

/// Five users and 70 items, so that a user's bits do not fit into one word.
BitMatrix five_users() {
  BitMatrix bits(5, 70);
  for (const auto& [user, item] : std::vector<std::pair<int, int>>{
           {0, 0}, {0, 65}, {1, 1}, {1, 0}, {2, 65}, {3, 69}, {3, 1}, {3, 2}}) {
    bits.set(user, item);
  }
  return bits;
}

TEST(Stops, OfReplayedUsersFollowTheirTastes) {
  const BitMatrix bits = five_users();
  Law round;
  for (int user = 0; user < bits.users(); ++user) {
    std::vector<int> outcomes;
    for (int item = 0; item < bits.items(); ++item) outcomes.push_back(bits.at(user, item) ? 1 : 0);
    round[outcomes] += 0.2;
  }
  const ReplayMatrix problem(bits);
  expect_stops(problem, round, {{0, 1}, {65, 0, 69}, {2, 69, 1}, {69, 65, 1, 0}}, 40);
  // Users 0 and 1 like item 0, 1 and 3 item 1: three of five, where independence would say 0.64.
  EXPECT_DOUBLE_EQ(problem.click_chance(List{0, 1}), 0.6);
}

TEST(Stops, OfATableAreReadOffItsRows) {
  const std::vector<std::vector<double>> rows{
      {1, 0, 0, 0}, {0, 0.5, 1, 0}, {0.49, 0, 0, 0.51}, {0, 0, 0, 0}, {0, 0, 1, 1}};
  const Table problem(rows);
  auto random = stream(50);
  for (const List& list : {List{0}, List{0, 1}, List{3, 2, 1}, List{1, 0, 3, 2}}) {
    int clicks = 0;
    for (std::size_t t = 0; t < rows.size(); ++t) {
      int stop = 0;
      for (const Arm arm : list) {
        if (rows[t][static_cast<std::size_t>(arm)] >= 0.5) break;
        ++stop;
      }
      EXPECT_EQ(stop_of(problem, list, static_cast<Round>(t) + 1, random), stop) << t;
      clicks += stop < static_cast<int>(list.size()) ? 1 : 0;
    }
    EXPECT_DOUBLE_EQ(problem.click_chance(list), clicks / 5.0);
  }
}

TEST(Stops, HaveAClickAtTheFirstPositionAsOftenAsTheItemAttracts) {
  // What policies that record the first position alone rest on.
  const SharedOutcomes shared({0.3, 0.6}, {0, 1, 0});
  const ReplayMatrix replay(five_users());
  for (const Problem* problem :
       {static_cast<const Problem*>(&shared), static_cast<const Problem*>(&replay)}) {
    for (Arm arm = 0; arm < problem->arms(); ++arm) {
      EXPECT_NEAR(problem->click_chance(List{arm}), problem->mean(arm), 1e-15);
    }
  }
}

/// Clicks on an item that is shown first: of one user, and of several at once.
void expect_clicks(const Problem& problem, Arm item, double mean, std::uint64_t run) {
  SCOPED_TRACE(problem.name());
  const Law one{{{0}, 1 - mean}, {{1}, mean}};
  auto random = stream(run);
  testing::expect_law(
      one,
      [&] {
        const auto click = privacy::Exact::release(problem.draw_click(item, 1, random));
        return std::vector<int>{static_cast<int>(click.value())};
      },
      kAlpha, "draw_click");
  for (const int users : {1, 6}) {
    testing::expect_law(
        testing::sums_of(one, users),
        [&] {
          const auto clicks =
              privacy::Exact::release(problem.draw_click_sum(item, 1, users, random));
          return std::vector<int>{static_cast<int>(clicks.value())};
        },
        kAlpha, "draw_click_sum");
  }
}

TEST(Clicks, OnAnItemShownFirstAreAsFrequentAsItAttracts) {
  const std::vector<double> means{0.31, 0.63};
  for (const Rewards rewards : {Rewards::kBernoulli, Rewards::kPoint, Rewards::kBeta}) {
    expect_clicks(IndependentArms(means, rewards), 1, 0.63, 60);
  }
  expect_clicks(SharedOutcomes({0.3, 0.6}, {0, 1, 0}), 2, 0.3, 61);
  expect_clicks(ReplayMatrix(five_users()), 65, 0.4, 62);
}

TEST(Clicks, OfATableAreReadOffItsColumns) {
  const Table problem({{1, 0}, {0.5, 0}, {0.49, 1}, {0, 0}, {1, 0}});
  auto random = stream(70);
  Round t = 1;
  for (const int clicked : {1, 1, 0, 0, 1}) {  // on item 0
    EXPECT_EQ(privacy::Exact::release(problem.draw_click(0, t, random)).value(), clicked);
    ++t;
  }
  EXPECT_EQ(privacy::Exact::release(problem.draw_click_sum(0, 2, 4, random)).value(), 2);
  EXPECT_EQ(privacy::Exact::release(problem.draw_click_sum(1, 1, 3, random)).value(), 1);
  EXPECT_EQ(privacy::Exact::release(problem.draw_click_sum(1, 4, 2, random)).value(), 0);
}

TEST(CascadeInstance, HasKGoodItemsAndAGap) {
  const HardInstance instance = cascade_instance(5, 2, 0.2, 0.15);
  ASSERT_EQ(instance.means.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(instance.means[i], i < 2 ? 0.2 : 0.05, 1e-15);
  EXPECT_NO_THROW(cascade_instance(5, 5, 1, 1));
  EXPECT_THROW(cascade_instance(5, 0, 0.2, 0.15), InvalidParameter);
  EXPECT_THROW(cascade_instance(5, 6, 0.2, 0.15), InvalidParameter);
  EXPECT_THROW(cascade_instance(5, 2, 1.1, 0.15), InvalidParameter);
  EXPECT_THROW(cascade_instance(5, 2, 0.2, 0), InvalidParameter);
  EXPECT_THROW(cascade_instance(5, 2, 0.2, 0.21), InvalidParameter);
  EXPECT_THROW(cascade_instance(5, 2, std::nan(""), 0.1), InvalidParameter);
}

}  // namespace
}  // namespace tacit::problems
