#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tacit/actions/instances_test.hpp"
#include "tacit/actions/max_cut.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::actions {
namespace {

using namespace testing;

/// Every cut, by every division of all nodes.
std::set<Action> cuts_of(const Graph& graph) {
  std::set<Action> cuts;
  for (unsigned part = 0; part < 1U << graph.nodes; ++part) {
    Action cut;
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
      if ((part >> graph.edges[i].from & 1U) != (part >> graph.edges[i].to & 1U))
        cut.push_back(static_cast<Arm>(i));
    }
    if (!cut.empty()) cuts.insert(cut);
  }
  return cuts;
}

Graph random_graph(Draw& draw, int nodes, double density) {
  Graph graph{nodes, random_edges(draw, nodes, nodes, density), false};
  return graph;
}

double sum_of(const Action& action, std::span<const double> scores) {
  double sum = 0;
  for (const Arm arm : action) sum += scores[at(arm)];
  return sum;
}

double largest_cut(const std::set<Action>& cuts, std::span<const double> scores) {
  double best = 0;
  for (const Action& cut : cuts) best = std::max(best, sum_of(cut, scores));
  return best;
}

TEST(MaxCut, AllAreTheCutsAndTheOracleFindsTheLargest) {
  int instances = 0;
  for (std::uint64_t run = 0; run < 60; ++run) {
    auto draw = instance(run);
    // Loops and separate parts are among them.
    const Graph graph = random_graph(draw, between(draw, 2, 7), run % 3 == 0 ? 0.15 : 0.4);
    const std::set<Action> cuts = cuts_of(graph);
    if (cuts.empty()) {
      EXPECT_THROW(MaxCut{graph}, InvalidParameter);
      continue;
    }
    ++instances;
    const MaxCut cut(graph);
    const auto all = cut.all(cuts.size());
    EXPECT_EQ(std::set<Action>(all.begin(), all.end()), cuts);
    EXPECT_EQ(all.size(), cuts.size());
    EXPECT_TRUE(cut.all(cuts.size() - 1).empty());
    std::size_t largest = 0;
    for (const Action& action : cuts) largest = std::max(largest, action.size());
    EXPECT_EQ(cut.size(), static_cast<int>(largest));
    EXPECT_TRUE(cut.approximation().exact());
    expect_smooth(cut, *cuts.begin(), draw);
    for (Round t = 1; t <= 5; ++t) {
      const auto scores = random_means(draw, cut.arms());
      const Action found = chosen(cut, scores, t);
      EXPECT_EQ(cuts.count(found), 1U);
      EXPECT_NEAR(sum_of(found, scores), largest_cut(cuts, scores), 1e-8);
    }
  }
  EXPECT_GT(instances, 40);
}

TEST(MaxCut, LargerGraphsAreCutByHalfAtLeast) {
  double least = 1;
  for (std::uint64_t run = 0; run < 20; ++run) {
    auto draw = instance(run);
    const Graph graph = random_graph(draw, 13, 0.3);
    const MaxCut cut(graph);
    EXPECT_EQ(cut.approximation().alpha, 0.5);
    EXPECT_EQ(cut.approximation().beta, 1);
    const std::set<Action> cuts = cuts_of(graph);
    for (Round t = 1; t <= 5; ++t) {
      // Without ties, with many, some below 0, all the same.
      for (const int kind : {0, 1, 3}) {
        auto scores = random_scores(draw, cut.arms(), kind);
        const Action found = chosen(cut, scores, t);
        EXPECT_EQ(cuts.count(found), 1U);
        EXPECT_EQ(found, chosen(cut, scores, t));
        for (double& score : scores) score = std::max(score, 0.0);
        const double share = sum_of(found, scores) / largest_cut(cuts, scores);
        EXPECT_GE(share, 0.5 - 1e-9);
        least = std::min(least, share);
      }
    }
  }
  EXPECT_GT(least, 0.8);  // single moves do better than their promise
}

TEST(MaxCut, WhatWasNeverSeenComesFirst) {
  auto draw = instance(3);
  const MaxCut cut(random_graph(draw, 14, 0.3));
  for (Arm arm = 0; arm < cut.arms(); ++arm) {
    std::vector<double> scores(at(cut.arms()), 0.9);
    scores[at(arm)] = kInfinity;
    const Action found = chosen(cut, scores, 1);
    const bool loop = cut.all(1 << 13).front().empty();
    EXPECT_FALSE(loop);
    const auto all = cut.all(1 << 13);
    const bool can_be_cut = std::any_of(all.begin(), all.end(), [&](const Action& action) {
      return std::binary_search(action.begin(), action.end(), arm);
    });
    EXPECT_EQ(std::binary_search(found.begin(), found.end(), arm), can_be_cut);
  }
}

TEST(MaxCut, WhatMayNotBePlayedIsNotCut) {
  int others = 0;
  for (std::uint64_t run = 0; run < 40; ++run) {
    auto draw = instance(run);
    const Graph graph = random_graph(draw, 13, 0.3);
    const MaxCut cut(graph);
    auto scores = random_means(draw, cut.arms());
    std::set<Arm> forbidden;
    for (int i = between(draw, 1, 12); i > 0; --i)
      forbidden.insert(between(draw, 0, cut.arms() - 1));
    for (const Arm arm : forbidden) scores[at(arm)] = -kInfinity;
    std::set<Action> allowed;
    for (const Action& action : cuts_of(graph)) {
      if (std::none_of(action.begin(), action.end(),
                       [&](Arm arm) { return forbidden.contains(arm); }))
        allowed.insert(action);
    }
    if (allowed.empty()) continue;
    ++others;
    const Action found = chosen(cut, scores, 1);
    EXPECT_EQ(allowed.count(found), 1U);
    EXPECT_GE(sum_of(found, scores), largest_cut(allowed, scores) / 2 - 1e-9);
  }
  EXPECT_GT(others, 30);
}

TEST(MaxCut, TheBestIsKnownAsLongAsAllCanBeTried) {
  auto draw = instance(5);
  const Graph graph = random_graph(draw, 13, 0.3);
  const MaxCut small(graph);
  const auto means = random_means(draw, small.arms());
  const double best = largest_cut(cuts_of(graph), means);
  ASSERT_TRUE(small.best_value(means));
  EXPECT_NEAR(ActionSet::from_units(*small.best_value(means)), best, 1e-8);
  EXPECT_NEAR(ActionSet::from_units(small.benchmark(means)), best / 2, 1e-8);
  const MaxCut large(random_graph(draw, 40, 0.3));
  const auto others = random_means(draw, large.arms());
  EXPECT_FALSE(large.best_value(others));
  EXPECT_NEAR(ActionSet::from_units(large.benchmark(others)),
              value(large, large.best_for(others), others) / 2, 1e-8);
}

TEST(MaxCut, RefusesWhatCannotBeCut) {
  EXPECT_THROW(MaxCut(Graph{2, {}, false}), InvalidParameter);
  EXPECT_THROW(MaxCut(Graph{2, {{0, 0}, {1, 1}}, false}), InvalidParameter);
  EXPECT_THROW(MaxCut(Graph{2, {{0, 2}}, false}), InvalidParameter);
  const MaxCut one(Graph{2, {{1, 0}, {0, 0}, {0, 1}}, true});
  EXPECT_EQ(one.all(1), (std::vector<Action>{{0, 2}}));
  EXPECT_EQ(one.size(), 2);
}

}  // namespace
}  // namespace tacit::actions
