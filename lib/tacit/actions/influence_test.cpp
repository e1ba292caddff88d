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
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::actions {
namespace {

using namespace testing;

constexpr double kGreedyShare = 1 - 1 / std::numbers::e;

/// The number of nodes that seeds reach over the edges whose bit is set.
int reached_over(const Graph& graph, std::span<const int> seeds, unsigned bits) {
  PerNode<bool> reached(graph.nodes);
  for (const int seed : seeds) reached[seed] = true;
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
      const auto [from, to] = graph.edges[i];
      if ((bits >> i & 1U) == 0 || !reached[from] || reached[to]) continue;
      reached[to] = true;
      grows = true;
    }
  }
  return static_cast<int>(std::count(reached.begin(), reached.end(), true));
}

double exact_spread(const Graph& graph, std::span<const int> seeds, std::span<const double> means) {
  return expectation(means, [&](unsigned bits) { return reached_over(graph, seeds, bits); });
}

Graph random_graph(Draw& draw, int nodes, std::size_t edges) {
  Graph graph{nodes, {}, true};
  while (graph.edges.size() < edges) {
    graph.edges.push_back({between(draw, 0, nodes - 1), between(draw, 0, nodes - 1)});
  }
  return graph;
}

int possible_seeds(const Graph& graph) {
  std::set<int> tails;
  for (const Edge& edge : graph.edges) tails.insert(edge.from);
  return static_cast<int>(tails.size());
}

TEST(Influence, TheValueIsTheExpectedNumberOfNodesReached) {
  for (std::uint64_t run = 0; run < 60; ++run) {
    auto draw = instance(run);
    const Graph graph = random_graph(draw, between(draw, 2, 6), 9);
    const Influence influence(graph, between(draw, 1, possible_seeds(graph)));
    auto means = random_means(draw, influence.arms());
    if (run % 3 == 0) means[0] = 0;
    if (run % 4 == 0) means[1] = 1;
    const auto oracle = influence.oracle();
    oracle->set_scores(means);
    const Action action = [&] {
      const auto arms = oracle->choose(1, dice()).arms;
      return Action(arms.begin(), arms.end());
    }();
    const auto seeds = influence.seeds(action);
    EXPECT_NEAR(value(influence, action, means), exact_spread(graph, seeds, means), 1e-9);
    EXPECT_LE(std::ssize(action), influence.size());
    expect_smooth(influence, action, draw);
  }
}

TEST(Influence, AnActionIsEveryEdgeThatACascadeCouldTry) {
  //      0 -> 1 -> 2    3 -> 4 -> 3    5 -> 2
  const Graph graph{6, {{1, 2}, {0, 1}, {4, 3}, {3, 4}, {5, 2}}, true};
  const Influence influence(graph, 1);
  EXPECT_EQ(sorted(influence.action(std::vector{0})), (Action{0, 1}));
  EXPECT_EQ(sorted(influence.action(std::vector{1})), (Action{0}));
  EXPECT_EQ(sorted(influence.action(std::vector{3})), (Action{2, 3}));
  EXPECT_EQ(influence.size(), 2);
  EXPECT_EQ(influence.smoothness().b1, 2);
  EXPECT_EQ(influence.smoothness().b_infinity, 4);
  // The same arms, different seeds: the order tells.
  EXPECT_EQ(influence.seeds(influence.action(std::vector{3})), (std::vector{3}));
  EXPECT_EQ(influence.seeds(influence.action(std::vector{4})), (std::vector{4}));
}

TEST(Influence, SeedsCanBeReadOffEveryAction) {
  for (std::uint64_t run = 0; run < 50; ++run) {
    auto draw = instance(run);
    const Graph graph = random_graph(draw, 7, 12);
    const SeedSearch search(graph, 1, 0.1, 0.1);
    const auto nodes = search.candidates();
    const int count = between(draw, 1, static_cast<int>(nodes.size()));
    const Influence influence(graph, count);
    for_each_choice(static_cast<int>(nodes.size()), count, [&](std::span<const int> places) {
      std::vector<int> seeds;
      for (const int place : places) seeds.push_back(nodes[at(place)]);
      std::reverse(seeds.begin(), seeds.end());
      const auto read = influence.seeds(influence.action(seeds));
      std::reverse(seeds.begin(), seeds.end());
      EXPECT_EQ(read, seeds);
    });
  }
}

TEST(SeedSearch, ReachesWhatItCertifies) {
  constexpr int kRuns = 60;
  constexpr double kDelta = kError / kRuns;
  double least = 1;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    auto draw = instance(run);
    const Graph graph = random_graph(draw, between(draw, 3, 8), 10);
    const int count = between(draw, 1, std::min(3, possible_seeds(graph)));
    const auto means = random_means(draw, 10);
    const Seeding seeding = influence_greedy(graph, means, count, 0.1, kDelta, dice(run));
    ASSERT_EQ(std::ssize(seeding.seeds), count);

    double best = 0;
    const SeedSearch search(graph, count, 0.1, kDelta);
    const auto nodes = search.candidates();
    for_each_choice(static_cast<int>(nodes.size()), count, [&](std::span<const int> places) {
      std::vector<int> seeds;
      for (const int place : places) seeds.push_back(nodes[at(place)]);
      best = std::max(best, exact_spread(graph, seeds, means));
    });
    const double spread = exact_spread(graph, seeding.seeds, means);
    EXPECT_GE(spread, (kGreedyShare - 0.1) * best);
    EXPECT_GE(spread, seeding.certificate * best);
    EXPECT_GE(seeding.certificate, kGreedyShare - 0.1);
    least = std::min(least, seeding.certificate);

    // Hoeffding's bound for the second half of the sets; at most 20 sample sizes were looked at.
    const double sets = static_cast<double>(seeding.sets) / 2;
    EXPECT_NEAR(seeding.spread, spread,
                graph.nodes * std::sqrt(std::log(2 * 20 / kDelta) / (2 * sets)));
    const Influence influence(graph, count);
    EXPECT_NEAR(ActionSet::from_units(influence.benchmark(means)),
                (kGreedyShare - 0.1) * (1 - 1.0 / graph.nodes) * best, 1e-9);
  }
  EXPECT_LT(least, 0.8) << "the search goes on longer than it must";
}

TEST(SeedSearch, StopsAtTheFirstSampleThatCertifies) {
  // A ring in which every edge works: every set contains every node, so nothing is left to chance.
  // Expected figures from the formulas L2 and L4 and those of theta_0, by hand: samples of 18, 35
  // and 70 sets certify 0.20, 0.33 and 0.457.
  const Graph ring{5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}, true};
  const auto seeding = influence_greedy(ring, std::vector<double>(5, 1.0), 1, 0.1, 0.2, dice());
  EXPECT_EQ(seeding.sets, 2 * 139);
  EXPECT_NEAR(seeding.certificate, 0.57725635809337, 1e-12);
  EXPECT_EQ(seeding.spread, 5);
}

TEST(SeedSearch, ASmallerErrorTakesMoreSets) {
  auto draw = instance(3);
  const Graph graph = random_graph(draw, 30, 60);
  const std::vector<double> means(60, 0.2);
  const auto rough = influence_greedy(graph, means, 3, 0.3, 0.01, dice());
  const auto fine = influence_greedy(graph, means, 3, 0.02, 0.01, dice());
  EXPECT_GT(fine.sets, 4 * rough.sets);
  EXPECT_GE(fine.certificate, kGreedyShare - 0.02);
}

TEST(SeedSearch, TheSpreadIsEstimatedFromSetsThatDidNotChooseTheSeeds) {
  // Nothing is passed on, so any 5 of 100 nodes meet a set with probability 1/20, however chosen.
  // Hits less sets/20 is a martingale, wherever the search stops; on the sets that chose the seeds
  // hits would be far more.
  constexpr double kHit = 0.05;
  Graph ring{100, {}, true};
  for (int node = 0; node < 100; ++node) ring.edges.push_back({node, (node + 1) % 100});
  SeedSearch search(ring, 5, 0.4, 0.1);
  double sets = 0;
  double hits = 0;
  for (Round t = 1; t <= 100; ++t) {
    const auto seeding = search.run(std::vector<double>(100, 0.0), t, dice());
    const double half = static_cast<double>(seeding.sets) / 2;
    sets += half;
    hits += seeding.spread / ring.nodes * half;
  }
  EXPECT_LE(std::abs(hits - kHit * sets),
            tacit::testing::two_sided_z(kError) * std::sqrt(kHit * (1 - kHit) * sets));
}

TEST(SeedSearch, StopsWhereNothingIsPassedOn) {
  // Coverage is count/nodes at best, so certificates come slowly.
  const Graph graph{50, {{0, 1}, {2, 3}, {4, 5}}, true};
  const auto seeding = influence_greedy(graph, std::vector<double>(3, 0.0), 1, 0.1, 0.01, dice());
  EXPECT_EQ(seeding.seeds.size(), 1U);
  EXPECT_GE(seeding.certificate, kGreedyShare - 0.1);
}

TEST(Influence, TheEstimateIsNearTheSpread) {
  constexpr int kRuns = 4;
  const double bound = std::sqrt(std::log(2 * kRuns / kError) / (2.0 * Influence::kSetsForValue));
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    auto draw = instance(run);
    const Graph graph = random_graph(draw, 9, Influence::kMostEdgesForExact + 1);
    const Influence influence(graph, 2);
    const auto means = random_means(draw, influence.arms());
    const Action action =
        influence.action(std::vector{graph.edges[0].from, [&] {
                                       std::size_t i = 1;
                                       while (graph.edges[i].from == graph.edges[0].from) ++i;
                                       return graph.edges[i].from;
                                     }()});
    const double estimate = value(influence, action, means);
    EXPECT_NEAR(estimate, exact_spread(graph, influence.seeds(action), means), 9 * bound);
    // Exactly monotone, and the same again after other means were asked for.
    auto more = means;
    for (double& m : more) m += 0.1 * (1 - m);
    EXPECT_GT(value(influence, action, more), estimate);
    EXPECT_EQ(value(influence, action, means), estimate);
  }
}

TEST(Influence, ThreadsShareValues) {
  auto draw = instance(5);
  const Graph graph = random_graph(draw, 12, 30);
  const Influence influence(graph, 1);
  const std::array<std::vector<double>, 2> means{random_means(draw, 30), random_means(draw, 30)};
  const Action action = influence.action(std::vector{graph.edges[0].from});
  const std::array<std::int64_t, 2> expected{influence.value(action, means[0]),
                                             influence.value(action, means[1])};
  std::array<std::int64_t, 2> found{};
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 2; ++i) {
      threads.emplace_back([&, i] {
        for (int again = 0; again < 3; ++again) found[i] = influence.value(action, means[i]);
      });
    }
  }
  EXPECT_EQ(found, expected);
}

TEST(Influence, TiesAreBrokenByTheRoundAlone) {
  // A ring in which every edge works: any node reaches all.
  Graph ring{5, {}, true};
  for (int node = 0; node < 5; ++node) ring.edges.push_back({node, (node + 1) % 5});
  const Influence influence(ring, 1);
  const auto oracle = influence.oracle();
  EXPECT_EQ(oracle->skipping(), Skipping::kNever);
  std::set<int> found;
  for (Round t = 40; t >= 1; --t) {
    oracle->set_scores(std::vector<double>(5, kInfinity));
    const ChosenSet choice = oracle->choose(t, dice());
    EXPECT_TRUE(choice.tied);
    const auto seeds = influence.seeds(choice.arms);
    found.insert(seeds.front());
    const auto fresh = influence.oracle();
    fresh->set_scores(std::vector<double>(5, 1.0));
    EXPECT_EQ(influence.seeds(fresh->choose(t, dice()).arms), seeds);
  }
  EXPECT_EQ(found.size(), 5U);
}

TEST(Influence, RefusesWhatHasNoSeeds) {
  const Graph graph{4, {{0, 1}, {1, 2}}, true};
  EXPECT_NO_THROW(Influence(graph, 2));
  EXPECT_THROW(Influence(graph, 3), InvalidParameter);  // two nodes have an edge that leaves
  EXPECT_THROW(Influence(graph, 0), InvalidParameter);
  EXPECT_THROW(Influence(graph, 1, 0), InvalidParameter);
  EXPECT_THROW(Influence(graph, 1, 0.64), InvalidParameter);
  EXPECT_THROW(Influence(graph, 1, 0.1, 0), InvalidParameter);
  EXPECT_THROW(Influence(graph, 1, 0.1, 1), InvalidParameter);
  EXPECT_THROW(Influence({4, {{0, 1}}, false}, 1), InvalidParameter);
  EXPECT_THROW(Influence({4, {}, true}, 1), InvalidParameter);
  EXPECT_THROW(Influence({4, {{0, 4}}, true}, 1), InvalidParameter);
  EXPECT_THROW(influence_greedy(graph, std::vector{0.5}, 1, 0.1, 0.1, dice()), InvalidParameter);
  EXPECT_THROW(influence_greedy(graph, std::vector{0.5, 1.5}, 1, 0.1, 0.1, dice()),
               InvalidParameter);
}

TEST(SeedSearch, AgreesWithCascadesAmongPhysicists) {
  Graph graph = read_extract("nethept_part.csv").graph;
  const std::size_t pairs = graph.edges.size();
  ASSERT_GE(pairs, 50U);
  for (std::size_t i = 0; i < pairs; ++i)
    graph.edges.push_back({graph.edges[i].to, graph.edges[i].from});
  PerNode<int> entering(graph.nodes);
  for (const Edge& edge : graph.edges) ++entering[edge.to];
  std::vector<double> means;  // weighted cascade
  for (const Edge& edge : graph.edges) means.push_back(1.0 / entering[edge.to]);
  const auto seeding = influence_greedy(graph, means, 3, 0.02, 0.001, dice());

  constexpr int kCascades = 40000;
  const auto leaving = Incidence::leaving(graph);
  auto draw = instance(0);
  double sum = 0;
  for (int i = 0; i < kCascades; ++i) {
    PerNode<bool> reached(graph.nodes);
    std::vector<int> wave = seeding.seeds;
    for (const int seed : wave) reached[seed] = true;
    for (std::size_t next = 0; next < wave.size(); ++next) {
      for (const auto& [node, edge] : leaving.at(wave[next])) {
        if (reached[node]) continue;
        if (!random::bernoulli(draw, means[at(edge)])) continue;
        reached[node] = true;
        wave.push_back(node);
      }
    }
    sum += static_cast<double>(wave.size());
  }
  // Hoeffding for both samples; at most 20 sizes of the first were looked at.
  const double a = std::log(4 * 20 / kError);
  const double sets = static_cast<double>(seeding.sets) / 2;
  const double bound = graph.nodes * (std::sqrt(a / (2 * sets)) + std::sqrt(a / (2.0 * kCascades)));
  EXPECT_NEAR(seeding.spread, sum / kCascades, bound);
  EXPECT_LT(bound, 0.25 * seeding.spread) << "the comparison says little";

  const Influence influence(graph, 3);
  const double estimate = value(influence, influence.action(seeding.seeds), means);
  EXPECT_NEAR(estimate, sum / kCascades,
              graph.nodes * (std::sqrt(a / (2.0 * Influence::kSetsForValue)) +
                             std::sqrt(a / (2.0 * kCascades))));
  EXPECT_LE(ActionSet::from_units(influence.benchmark(means)), 0.54 * graph.nodes);
}

}  // namespace
}  // namespace tacit::actions
