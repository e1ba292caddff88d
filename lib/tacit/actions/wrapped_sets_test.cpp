// Sets made of other sets, and what is known of the rewards of all.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "tacit/actions/approximate.hpp"
#include "tacit/actions/cover.hpp"
#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/influence.hpp"
#include "tacit/actions/instances_test.hpp"
#include "tacit/actions/matching.hpp"
#include "tacit/actions/paths.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/actions/scaled.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::actions {
namespace {

using namespace testing;

std::shared_ptr<const Cover> small_cover(int count = 2) {
  return std::make_shared<Cover>(
      4, 4, std::vector<Edge>{{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 0}}, count);
}

TEST(Scaled, PlaysTheSameForBTimesTheReward) {
  const auto cover = small_cover();
  const Scaled scaled(cover, 2.5);
  auto draw = instance(1);
  for (Round t = 1; t <= 20; ++t) {
    const auto means = random_means(draw, cover->arms());
    const Action action = chosen(scaled, means, t);
    EXPECT_EQ(action, chosen(*cover, means, t));
    EXPECT_NEAR(value(scaled, action, means), 2.5 * value(*cover, action, means), 1e-9);
    EXPECT_NEAR(ActionSet::from_units(scaled.benchmark(means)),
                2.5 * ActionSet::from_units(cover->benchmark(means)), 1e-9);
    expect_smooth(scaled, action, draw);
  }
  EXPECT_EQ(scaled.smoothness().b1, 2.5);
  EXPECT_EQ(scaled.smoothness().b_infinity, 2.5 * cover->size());
  EXPECT_EQ(scaled.approximation().alpha, cover->approximation().alpha);
  EXPECT_EQ(scaled.all(100), cover->all(100));
  EXPECT_FALSE(scaled.linear());
  EXPECT_NE(scaled.name(), Scaled(cover, 2).name());
}

TEST(Scaled, IsNoLongerRanked) {
  const Scaled top(std::make_shared<TopK>(4, 2), 3);
  EXPECT_EQ(top.structure(), Structure::kMatroid);
  const Scaled list(std::make_shared<ExplicitList>(2, std::vector<Action>{{0}, {1}}), 3);
  EXPECT_EQ(list.structure(), Structure::kOther);
  EXPECT_EQ(list.listed().size(), 2U);
}

TEST(Scaled, RefusesWhatIsNoFactor) {
  const auto top = std::make_shared<TopK>(4, 2);
  for (const double factor : {0.0, -1.0, std::nan(""), kInfinity, 2e6, 9.9e-7, 1e-300}) {
    EXPECT_THROW(Scaled(top, factor), InvalidParameter) << factor;
  }
  EXPECT_THROW(Scaled(std::make_shared<TopK>(100, 100), 1e6), InvalidParameter);
  EXPECT_NO_THROW(Scaled(top, 1e6));
  EXPECT_THROW(Scaled(std::make_shared<Scaled>(top, 1e-4), 1e-3), InvalidParameter);
  EXPECT_NO_THROW(Scaled(std::make_shared<Scaled>(top, 1e-4), 1e-1));
}

TEST(Scaled, TheSmallestFactorStillTellsValuesApart) {
  const auto one = std::make_shared<TopK>(4, 1);
  const Scaled scaled(one, 1e-6);
  const std::vector<double> means = {1, 0.7, 0.3, 0.001};
  for (Arm arm = 0; arm < 4; ++arm) {
    const Action action = {arm};
    EXPECT_NEAR(value(scaled, action, means) / 1e-6, value(*one, action, means), 1e-5) << arm;
  }
  EXPECT_GT(scaled.value(Action{3}, means), 0);
}

/// Values 1, 0.8, 0.5, 0.2 and 0 of four arms and of none that pays.
std::shared_ptr<const ActionSet> five_arms() { return std::make_shared<TopK>(5, 1); }
const std::vector<double> kFiveScores = {0.5, 1, 0.2, 0.8, 0};

TEST(Approximate, FindsTheWorstOfWhatIsGoodEnough) {
  const auto found = [](double alpha) {
    return chosen(Approximate(five_arms(), alpha, 1), kFiveScores, 1);
  };
  EXPECT_EQ(found(1), (Action{1}));
  EXPECT_EQ(found(0.9), (Action{1}));
  EXPECT_EQ(found(0.8), (Action{3}));  // exactly what was asked
  EXPECT_EQ(found(0.79), (Action{3}));
  EXPECT_EQ(found(0.5), (Action{0}));
  EXPECT_EQ(found(0.2), (Action{2}));
  EXPECT_EQ(found(0.01), (Action{2}));
}

TEST(Approximate, IsGoodEnoughAsOftenAsAsked) {
  constexpr Round kRounds = 20000;
  const Approximate oracle(five_arms(), 0.5, 0.7);
  const auto counts = choices_over_rounds(oracle, kFiveScores, kRounds);
  ASSERT_EQ(counts.size(), 2U);
  const std::vector<std::int64_t> observed = {counts.at(Action{0}), counts.at(Action{4})};
  EXPECT_LT(tacit::testing::chi_square(observed, {0.7, 0.3}),
            tacit::testing::chi_square_critical(2, kError));
  EXPECT_EQ(choices_over_rounds(Approximate(five_arms(), 0.5, 1), kFiveScores, 100).size(), 1U);
}

TEST(Approximate, TheCoinDoesNotDependOnScores) {
  const Approximate oracle(five_arms(), 0.5, 0.7);
  std::vector<double> other(5, 0.0);
  other[2] = 1;  // the others pay nothing: a failure is any of them
  for (Round t = 1; t <= 200; ++t) {
    EXPECT_EQ(chosen(oracle, kFiveScores, t) == Action{0}, chosen(oracle, other, t) == Action{2});
  }
}

TEST(Approximate, TheRealisedShareIsThatOfABruteForce) {
  for (std::uint64_t run = 0; run < 40; ++run) {
    auto draw = instance(run);
    const auto cover = small_cover(1 + static_cast<int>(run % 3));
    const double alpha = 0.3 + 0.7 * random::uniform_open(draw);
    const Approximate oracle(cover, alpha, 1);
    const auto scores = random_scores(draw, cover->arms(), static_cast<int>(run % 4));
    std::vector<double> means;
    for (const double score : scores) means.push_back(std::clamp(score, 0.0, 1.0));
    double best = 0;
    for (const auto& action : cover->all(100)) best = std::max(best, value(*cover, action, means));
    double worst = best;
    for (const auto& action : cover->all(100)) {
      const double here = value(*cover, action, means);
      if (here >= alpha * best - 1e-10) worst = std::min(worst, here);
    }
    EXPECT_NEAR(value(*cover, chosen(oracle, scores, 1), means), worst, 1e-9);
    EXPECT_NEAR(ActionSet::from_units(oracle.benchmark(means)), alpha * best, 1e-9);
    EXPECT_NEAR(ActionSet::from_units(oracle.best_value(means).value()), best, 1e-9);
  }
}

TEST(Approximate, EqualSetsAreDrawnUniformly) {
  const auto counts = choices_over_rounds(Approximate(five_arms(), 0.5, 1),
                                          std::vector{1.0, 0.6, 0.6, 0.6, 0.1}, 3000);
  ASSERT_EQ(counts.size(), 3U);
  std::vector<std::int64_t> observed;
  for (const auto& [action, count] : counts) observed.push_back(count);
  EXPECT_LT(tacit::testing::chi_square(observed, std::vector<double>(3, 1.0 / 3)),
            tacit::testing::chi_square_critical(3, kError));
}

TEST(Approximate, LeavesOutWhatMayNotBePlayed) {
  const Approximate oracle(five_arms(), 0.5, 0.5);
  for (Round t = 1; t <= 50; ++t) {
    const Action action =
        chosen(oracle, std::vector{-kInfinity, -kInfinity, 0.9, kInfinity, -kInfinity}, t);
    EXPECT_TRUE(action == Action{2} || action == Action{3});
  }
  EXPECT_EQ(chosen(oracle, std::vector<double>(5, -kInfinity), 1).size(), 1U);
}

TEST(Approximate, RefusesWhereItSaysNothing) {
  for (const double share : {0.0, -0.5, 1.1, std::nan("")}) {
    EXPECT_THROW(Approximate(five_arms(), share, 1), InvalidParameter);
    EXPECT_THROW(Approximate(five_arms(), 1, share), InvalidParameter);
  }
  const auto paths = std::make_shared<Paths>(Graph{3, {{0, 1}, {1, 2}, {0, 2}}, true}, 0, 2);
  EXPECT_THROW(Approximate(paths, 0.5, 1), InvalidParameter);  // rewards are below 0
  EXPECT_THROW(Approximate(std::make_shared<TopK>(20, 10), 0.5, 1), InvalidParameter);  // too many
  Graph chain{19, {}, true};
  for (int i = 0; i < 18; ++i) chain.edges.push_back({i, i + 1});
  EXPECT_THROW(Approximate(std::make_shared<Influence>(chain, 1), 0.5, 1), InvalidParameter);
  chain.edges.resize(12);
  EXPECT_NO_THROW(Approximate(std::make_shared<Influence>(chain, 1), 0.5, 1));
}

/// The sum that gamma_g bounds, by differences: rewards are linear in each mean.
double gini_sum(const ActionSet& set, std::span<const Arm> action, const std::vector<double>& means,
                double* steepest) {
  double sum = 0;
  for (const Arm arm : action) {
    std::vector<double> with = means;
    std::vector<double> without = means;
    with[at(arm)] = 1;
    without[at(arm)] = 0;
    const double slope = value(set, action, with) - value(set, action, without);
    *steepest = std::max(*steepest, slope);
    sum += means[at(arm)] * (1 - means[at(arm)]) * slope * slope;
  }
  return sum;
}

void expect_gini_smooth(const ActionSet& set, Draw& draw) {
  const GiniSmoothness smooth = set.gini_smoothness();
  for (const auto& action : set.all(200)) {
    for (int trial = 0; trial < 10; ++trial) {
      double steepest = 0;
      const double sum = gini_sum(set, action, random_means(draw, set.arms()), &steepest);
      EXPECT_LE(sum, smooth.gamma_g * smooth.gamma_g + 1e-8) << set.name();
      EXPECT_LE(steepest, smooth.gamma_infinity + 1e-8) << set.name();
    }
  }
}

TEST(GiniSmoothness, HoldsForEveryReward) {
  auto draw = instance(2);
  expect_gini_smooth(TopK(5, 3), draw);
  expect_gini_smooth(Scaled(std::make_shared<TopK>(5, 3), 4), draw);
  expect_gini_smooth(*small_cover(), draw);
  expect_gini_smooth(*small_cover(4), draw);
  expect_gini_smooth(BipartiteMatching(2, 2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}), draw);
  expect_gini_smooth(Paths(Graph{3, {{0, 1}, {1, 2}, {0, 2}}, true}, 0, 2), draw);
  expect_gini_smooth(Influence(Graph{5, {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}}, true}, 1), draw);
  expect_gini_smooth(Influence(Graph{4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}, true}, 2), draw);
}

TEST(GiniSmoothness, IsReachedBySumsAndByItemsOfOneEdge) {
  double steepest = 0;
  const TopK top(4, 4);
  EXPECT_NEAR(std::sqrt(gini_sum(top, top.all(1)[0], std::vector(4, 0.5), &steepest)),
              top.gini_smoothness().gamma_g, 1e-8);
  const Cover apart(1, 9, {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}, {0, 8}},
                    1);
  EXPECT_EQ(apart.gini_smoothness().gamma_g, 1.5);
  EXPECT_NEAR(gini_sum(apart, apart.all(1)[0], std::vector(9, 0.5), &steepest), 2.25, 1e-8);
}

TEST(GiniSmoothness, OfCoverageDoesNotGrowWithTheEdges) {
  // Nine sets that all cover the same two items: K = 18, but gamma_g is that of two items.
  std::vector<Edge> edges;
  for (int set = 0; set < 9; ++set) {
    edges.push_back({set, 0});
    edges.push_back({set, 1});
  }
  const Cover cover(9, 2, edges, 9);
  EXPECT_EQ(cover.size(), 18);
  EXPECT_NEAR(cover.gini_smoothness().gamma_g, std::sqrt(0.5), 1e-12);
}

TEST(BestValue, IsThatOfABruteForceOrUnknown) {
  auto draw = instance(4);
  const auto cover = small_cover();
  const auto means = random_means(draw, cover->arms());
  double best = 0;
  for (const auto& action : cover->all(100)) best = std::max(best, value(*cover, action, means));
  EXPECT_NEAR(ActionSet::from_units(cover->best_value(means).value()), best, 1e-9);
  const Cover large(30, 30, random_edges(draw, 30, 30, 0.4), 10);
  EXPECT_FALSE(large.best_value(random_means(draw, large.arms())));
  const Influence chain(Graph{4, {{0, 1}, {1, 2}, {2, 3}}, true}, 1);
  EXPECT_NEAR(ActionSet::from_units(chain.best_value(std::vector{0.5, 0.5, 1.0}).value()),
              1 + 0.5 + 0.25 + 0.25, 1e-9);
  const TopK top(3, 2);
  EXPECT_EQ(top.best_value(std::vector{0.25, 1.0, 0.5}), ActionSet::units(1.5));
}

}  // namespace
}  // namespace tacit::actions
