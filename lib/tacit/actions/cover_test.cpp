#include <gtest/gtest.h>

#include <array>
#include <iterator>
#include <numbers>
#include <set>
#include <thread>

#include "tacit/actions/choices.hpp"
#include "tacit/actions/cover.hpp"
#include "tacit/actions/influence.hpp"
#include "tacit/actions/instances_test.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/actions/seed_search.hpp"
#include "tacit/core/indexed.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::actions {
namespace {

using namespace testing;

constexpr double kGreedyShare = 1 - 1 / std::numbers::e;

TEST(Choices, AreAllAndDistinct) {
  std::vector<std::vector<int>> seen;
  for_each_choice(5, 3, [&](std::span<const int> c) { seen.emplace_back(c.begin(), c.end()); });
  EXPECT_EQ(seen.size(), 10U);
  EXPECT_EQ(choices(5, 3), 10);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
  EXPECT_EQ(seen.front(), (std::vector{0, 1, 2}));
  EXPECT_EQ(seen.back(), (std::vector{2, 3, 4}));
  EXPECT_EQ(choices(4, 4), 1);
  EXPECT_NEAR(choices(60, 30), 1.1826458156486e17, 1e5);
}

struct CoverInstance {
  int left;
  int right;
  std::vector<Edge> edges;
  int count;
};

CoverInstance random_cover(Draw& draw, int most) {
  CoverInstance instance;
  instance.left = between(draw, 2, most);
  instance.right = between(draw, 2, most);
  instance.edges = random_edges(draw, instance.left, instance.right, 0.5);
  Indexed<bool> used(instance.left);
  for (const Edge& edge : instance.edges) used[edge.from] = true;
  for (int set = 0; set < instance.left; ++set) {
    if (!used[set]) instance.edges.push_back({set, 0});
  }
  instance.count = between(draw, 1, instance.left);
  return instance;
}

TEST(Cover, TheValueIsTheExpectedNumberOfItemsCovered) {
  for (std::uint64_t run = 0; run < 30; ++run) {
    auto draw = instance(run);
    const auto [left, right, edges, count] = random_cover(draw, 3);
    const Cover cover(left, right, edges, count);
    const auto means = random_means(draw, cover.arms());
    const Action action = chosen(cover, means, 1);
    const double expected = expectation(means, [&, &all = edges](unsigned bits) {
      std::set<int> covered;
      for (const Arm arm : action) {
        if ((bits >> arm & 1U) != 0) covered.insert(all[at(arm)].to);
      }
      return static_cast<double>(covered.size());
    });
    EXPECT_NEAR(value(cover, action, means), expected, 1e-9);
  }
}

TEST(Cover, TheValueDoesNotDependOnTheOrderOfArms) {
  const Cover cover(3, 1, {{0, 0}, {1, 0}, {2, 0}}, 3);
  // Found by search: the last bit of the product moves the value to another unit.
  const std::vector<double> means{0.096, 0.695, 0.423};
  EXPECT_EQ(cover.value(std::vector<Arm>{0, 1, 2}, means),
            cover.value(std::vector<Arm>{2, 1, 0}, means));
}

TEST(Cover, TheGreedyReachesItsShareOfTheBest) {
  double worst = 1;
  for (std::uint64_t run = 0; run < 300; ++run) {
    auto draw = instance(run);
    const auto [left, right, edges, count] = random_cover(draw, 7);
    const Cover cover(left, right, edges, count);
    const auto means = random_scores(draw, cover.arms(), static_cast<int>(run % 2));
    std::vector<double> clipped;
    for (const double m : means) clipped.push_back(std::clamp(m, 0.0, 1.0));
    double best = 0;
    bool is_an_action = false;
    const Action own = chosen(cover, means, 1);
    for_each_choice(left, count, [&](std::span<const int> sets) {
      const Action action = cover.action(sets);
      best = std::max(best, value(cover, action, clipped));
      is_an_action = is_an_action || action == own;
    });
    EXPECT_TRUE(is_an_action);
    EXPECT_LE(std::ssize(own), cover.size());
    const double reached = value(cover, own, clipped);
    EXPECT_GE(reached, kGreedyShare * best - 1e-8);
    if (count == 1 || count == left) {
      EXPECT_NEAR(reached, best, 1e-8);
    }
    if (best > 0) worst = std::min(worst, reached / best);
    EXPECT_NEAR(ActionSet::from_units(cover.benchmark(clipped)), kGreedyShare * best, 1e-9);
    expect_smooth(cover, own, draw);
  }
  EXPECT_LT(worst, 1) << "no instance on which greedy is not best";
}

TEST(Cover, TakesTheSecondSetForWhatTheFirstLeaves) {
  // The two largest sets overlap; the small one adds more.
  const Cover cover(3, 6, {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1}, {1, 2}, {1, 3}, {2, 4}, {2, 5}},
                    2);
  EXPECT_EQ(chosen(cover, std::vector<double>(9, kInfinity), 1), (Action{0, 1, 2, 3, 7, 8}));
  EXPECT_EQ(cover.size(), 7);
  EXPECT_DOUBLE_EQ(cover.approximation().alpha, kGreedyShare);
  EXPECT_EQ(cover.approximation().beta, 1);
  const auto oracle = cover.oracle();
  oracle->set_scores(std::vector<double>{1, 1, 1, 1, .5, .5, .5, .9, .9});
  EXPECT_FALSE(oracle->choose(1, dice()).tied);
  oracle->set_scores(std::vector<double>(9, 0.0));
  EXPECT_TRUE(oracle->choose(1, dice()).tied);
}

TEST(Cover, BreaksTiesUniformlyAndByTheRoundAlone) {
  const Cover cover(4, 4, {{0, 0}, {1, 1}, {2, 2}, {3, 3}}, 2);
  std::vector<std::int64_t> observed;
  for (const auto& [action, count] :
       choices_over_rounds(cover, std::vector<double>(4, 0.5), 3000)) {
    observed.push_back(count);
  }
  ASSERT_EQ(observed.size(), 6U);
  EXPECT_LT(tacit::testing::chi_square(observed, std::vector<double>(6, 1.0 / 6)),
            tacit::testing::chi_square_critical(6, kError));
}

TEST(Cover, TheGreedyStandsForTheBestWhereChoicesAreTooMany) {
  auto draw = instance(0);
  const Cover cover(30, 30, random_edges(draw, 30, 30, 0.4), 10);
  const auto means = random_means(draw, cover.arms());
  EXPECT_NEAR(ActionSet::from_units(cover.benchmark(means)),
              kGreedyShare * value(cover, chosen(cover, means, 1), means), 1e-9);
}

TEST(Cover, RefusesWhatIsNoFamilyOfSets) {
  EXPECT_NO_THROW(Cover(2, 1, {{0, 0}, {1, 0}}, 2));
  EXPECT_THROW(Cover(2, 1, {{0, 0}, {1, 0}}, 3), InvalidParameter);
  EXPECT_THROW(Cover(2, 1, {{0, 0}, {1, 0}}, 0), InvalidParameter);
  EXPECT_THROW(Cover(2, 1, {{0, 0}}, 1), InvalidParameter);
  EXPECT_THROW(Cover(1, 1, {{0, 0}, {0, 0}}, 1), InvalidParameter);
  EXPECT_THROW(Cover(1, 1, {{0, 1}}, 1), InvalidParameter);
  EXPECT_THROW(Cover(1, 1, {}, 1), InvalidParameter);
}

}  // namespace
}  // namespace tacit::actions
