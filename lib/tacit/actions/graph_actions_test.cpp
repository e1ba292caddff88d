#include <gtest/gtest.h>

#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "tacit/actions/counting_matroids.hpp"
#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/instances_test.hpp"
#include "tacit/actions/matching.hpp"
#include "tacit/actions/paths.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::actions {
namespace {

using namespace testing;
using tacit::testing::chi_square;
using tacit::testing::chi_square_critical;

/// What an oracle maximises: infinite scores first, then the sum of the others.
using Total = std::pair<int, double>;
using Objective = std::function<Total(const Action&, std::span<const double>)>;

Total sum_of_scores(const Action& action, std::span<const double> scores) {
  Total total{0, 0};
  for (const Arm arm : action) {
    const double score = scores[at(arm)];
    if (score == kInfinity) {
      ++total.first;
    } else {
      total.second += score;
    }
  }
  return total;
}

Total sum_of_positive_scores(const Action& action, std::span<const double> scores) {
  std::vector<double> positive;
  for (const double score : scores) positive.push_back(std::max(0.0, score));
  return sum_of_scores(action, positive);
}

Total minus_length(const Action& action, std::span<const double> scores) {
  double length = 0;
  for (const Arm arm : action) {
    length += std::max(0.0, 1 - scores[at(arm)]);
  }
  return {0, -length};
}

constexpr double kSame = 1e-10;  // far below the margin of the oracles, far above rounding
constexpr double kClear = 1e-6;  // far above the margin

bool at_least_as_good(const Total& a, const Total& b) {
  return a.first > b.first || (a.first == b.first && a.second >= b.second - kSame);
}

bool clearly_better(const Total& a, const Total& b) {
  return a.first > b.first || (a.first == b.first && a.second > b.second + kClear);
}

/// The oracle of `set` against all of its actions. Returns how many choices had no rival.
int expect_best(const ActionSet& set, const std::vector<Action>& all, const Objective& objective,
                Draw& draw) {
  int alone = 0;
  const auto oracle = set.oracle();
  EXPECT_EQ(oracle->skipping(), Skipping::kByValue);
  EXPECT_FALSE(oracle->still_best(oracle->scores())) << "nothing was chosen yet";
  for (Round t = 1; t <= 12; ++t) {
    const auto scores = random_scores(draw, set.arms(), static_cast<int>(t % 4));
    oracle->set_scores(scores);
    const ChosenSet choice = oracle->choose(t, dice());
    const Action own = sorted(choice.arms);
    EXPECT_NE(std::find(all.begin(), all.end(), own), all.end()) << set.name();
    EXPECT_LE(std::ssize(own), set.size());
    EXPECT_EQ(choice.tied, !oracle->still_best(scores));
    // The choice is best for its own scores, and then looked at again under others.
    for (int look = 0; look < 4; ++look) {
      auto now = scores;
      if (look > 0) now = random_scores(draw, set.arms(), look == 3 ? 1 : 0);
      if (look == 1) {  // its own arms do well, so that there is something to confirm
        for (const Arm arm : own) now[at(arm)] = 0.9;
      }
      const Total mine = objective(own, now);
      bool has_rival = false;
      bool is_clear = true;
      for (const Action& other : all) {
        if (other == own) continue;
        const Total theirs = objective(other, now);
        if (look == 0) {
          EXPECT_TRUE(at_least_as_good(mine, theirs)) << set.name() << " round " << t;
        }
        has_rival = has_rival || at_least_as_good(theirs, mine);
        is_clear = is_clear && clearly_better(mine, theirs);
      }
      // An arm that is worth nothing makes the matching's own subsets rivals.
      for (const Arm arm : own) is_clear = is_clear && now[at(arm)] > kClear;
      if (has_rival) {
        EXPECT_FALSE(oracle->still_best(now)) << set.name() << " round " << t;
      }
      if (is_clear) {
        EXPECT_TRUE(oracle->still_best(now)) << set.name() << " round " << t;
      }
      alone += is_clear ? 1 : 0;
    }
  }
  return alone;
}

/// all() finds these and no others, if it may find as many.
void expect_all(const ActionSet& set, std::vector<Action> expected) {
  std::vector<Action> found;
  for (const Action& action : set.all(expected.size())) found.push_back(sorted(action));
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(found, expected) << set.name();
  EXPECT_TRUE(set.all(expected.size() - 1).empty()) << set.name();
  EXPECT_TRUE(set.all(0).empty());
}

TEST(ExplicitList, FindsTheLargestTotal) {
  int alone = 0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    auto draw = instance(run);
    const int arms = between(draw, 2, 8);
    std::set<Action> distinct{{0}};
    for (int i = between(draw, 1, 6); i > 0; --i) {
      Action action;
      for (Arm arm = 0; arm < arms; ++arm) {
        if (random::uniform_open(draw) < 0.4) action.push_back(arm);
      }
      if (!action.empty()) distinct.insert(action);
    }
    const std::vector<Action> all(distinct.begin(), distinct.end());
    const ExplicitList list(arms, all);
    alone += expect_best(list, all, sum_of_scores, draw);
    expect_smooth(list, all.back(), draw);
  }
  EXPECT_GT(alone, 1000);
}

TEST(ExplicitList, MoreInfinitiesComeBeforeALargerSum) {
  const ExplicitList list(5, {{0, 1}, {2, 3}, {0, 4}});
  EXPECT_EQ(chosen(list, std::vector{kInfinity, -5.0, 1000.0, 1000.0, -6.0}, 1), (Action{0, 1}));
  EXPECT_EQ(chosen(list, std::vector{kInfinity, 1.0, kInfinity, kInfinity, 1.0}, 1),
            (Action{2, 3}));
}

TEST(ExplicitList, BreaksTiesUniformlyAndByTheRoundAlone) {
  const ExplicitList list(6, {{0, 1, 2}, {3, 4}, {5}, {2, 1}, {0}});
  // The same three numbers in two orders, whose sums as doubles differ; {0} is worse.
  const auto counts =
      choices_over_rounds(list, std::vector{0.1, 0.2, 0.3, 0.1 + 0.2, 0.3, 0.6}, 3000);
  ASSERT_EQ(counts.size(), 3U);
  std::vector<std::int64_t> observed;
  for (const auto& [action, count] : counts) observed.push_back(count);
  EXPECT_LT(chi_square(observed, std::vector<double>(3, 1.0 / 3)), chi_square_critical(3, kError));
}

TEST(ActionSets, SayWhatTheyAre) {
  const TopK any(4, 2);
  const MatroidBases bases(std::make_shared<UniformMatroid>(4, 2), "uniform");
  const ExplicitList list(4, {{0, 1}, {2, 3}});
  const BipartiteMatching matching(1, 2, {{0, 0}, {0, 1}});
  EXPECT_EQ(any.structure(), Structure::kAnyK);
  EXPECT_EQ(bases.structure(), Structure::kMatroid);
  EXPECT_EQ(list.structure(), Structure::kOther);
  EXPECT_EQ(matching.structure(), Structure::kOther);
  EXPECT_TRUE(are_bases(Structure::kAnyK) && are_bases(Structure::kMatroid));
  EXPECT_FALSE(are_bases(Structure::kOther));
  ASSERT_EQ(list.listed().size(), 2U);
  EXPECT_EQ(list.listed()[1], (std::vector<Arm>{2, 3}));
  EXPECT_TRUE(any.listed().empty() && bases.listed().empty() && matching.listed().empty());
}

TEST(ExplicitList, RefusesWhatIsNoListOfActions) {
  EXPECT_THROW(ExplicitList(0, {{0}}), InvalidParameter);
  EXPECT_THROW(ExplicitList(2, {}), InvalidParameter);
  EXPECT_THROW(ExplicitList(2, {{0}, {}}), InvalidParameter);
  EXPECT_THROW(ExplicitList(2, {{0, 2}}), InvalidParameter);
  EXPECT_THROW(ExplicitList(2, {{-1}}), InvalidParameter);
  EXPECT_THROW(ExplicitList(2, {{1, 1}}), InvalidParameter);
  EXPECT_THROW(ExplicitList(2, {{0, 1}, {1, 0}}), InvalidParameter);
  EXPECT_EQ(ExplicitList(3, {{0}, {2, 1}}).size(), 2);
  EXPECT_NE(ExplicitList(3, {{0}, {1}}).name(), ExplicitList(3, {{0}, {2}}).name());
}

/// Every simple path, by walking on in every direction.
std::vector<Action> simple_paths(const Graph& graph, int source, int target) {
  const auto leaving = Incidence::leaving(graph);
  std::vector<Action> paths;
  PerNode<bool> visited(graph.nodes);
  Action path;
  const auto walk = [&](const auto& self, int node) -> void {
    if (node == target) {
      paths.push_back(sorted(path));
      return;
    }
    visited[node] = true;
    for (const auto& step : leaving.at(node)) {
      if (visited[step.node]) continue;
      path.push_back(step.edge);
      self(self, step.node);
      path.pop_back();
    }
    visited[node] = false;
  };
  walk(walk, source);
  return paths;
}

TEST(Paths, FindsAShortestPath) {
  int alone = 0;
  int instances = 0;
  for (std::uint64_t run = 0; run < 300; ++run) {
    auto draw = instance(run);
    Graph graph;
    graph.nodes = between(draw, 2, 6);
    graph.directed = run % 2 == 0;
    graph.edges = random_edges(draw, graph.nodes, graph.nodes, graph.directed ? 0.4 : 0.25);
    if (graph.edges.empty()) continue;
    if (run % 5 == 0) graph.edges.push_back(graph.edges.front());  // parallel edges are two arms
    const auto all = simple_paths(graph, 0, graph.nodes - 1);
    if (all.empty()) {
      EXPECT_THROW(Paths(graph, 0, graph.nodes - 1), InvalidParameter);
      continue;
    }
    ++instances;
    const Paths paths(graph, 0, graph.nodes - 1);
    alone += expect_best(paths, all, minus_length, draw);
    expect_all(paths, all);
    expect_smooth(paths, all.back(), draw);
  }
  EXPECT_GT(instances, 150);
  EXPECT_GT(alone, 500);
}

TEST(Paths, AChoiceLeadsFromTheSourceToTheTarget) {
  const Graph graph{4, {{2, 3}, {1, 2}, {0, 1}}, false};
  const auto oracle = Paths(graph, 0, 3).oracle();
  const auto forth = oracle->choose(1, dice()).arms;
  EXPECT_EQ(Action(forth.begin(), forth.end()), (Action{2, 1, 0}));
  const auto opposite = Paths(graph, 3, 0).oracle();
  const auto back = opposite->choose(1, dice()).arms;
  EXPECT_EQ(Action(back.begin(), back.end()), (Action{0, 1, 2}));
}

TEST(Paths, TheRewardIsMinusTheCost) {
  const Graph graph{3, {{0, 1}, {1, 2}, {0, 2}}, true};
  const Paths paths(graph, 0, 2);
  const std::vector<double> means{0.75, 0.75, 0.25};
  EXPECT_EQ(paths.value(std::vector<Arm>{0, 1}, means), ActionSet::units(-0.5));
  EXPECT_EQ(paths.value(std::vector<Arm>{2}, means), ActionSet::units(-0.75));
  EXPECT_EQ(paths.benchmark(means), ActionSet::units(-0.5));
}

TEST(Paths, BoundsTheLengthOfAPath) {
  // A path around a dead end and an unreachable part, without cycles: exact.
  EXPECT_EQ(Paths({7, {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {2, 4}, {5, 1}, {6, 5}}, true}, 0, 3).size(),
            3);
  // With a cycle: the nodes on a walk, less one.
  EXPECT_EQ(Paths({4, {{0, 1}, {1, 2}, {2, 1}, {2, 3}}, true}, 0, 3).size(), 3);
  EXPECT_EQ(Paths({5, {{0, 1}, {1, 2}, {3, 4}}, false}, 0, 1).size(), 2);
  for (std::uint64_t run = 0; run < 100; ++run) {
    auto draw = instance(run);
    Graph graph{6, random_edges(draw, 6, 6, 0.5), true};
    std::erase_if(graph.edges, [](const Edge& edge) { return edge.from >= edge.to; });
    const auto all = simple_paths(graph, 0, 5);
    if (all.empty()) continue;
    const auto longest = std::max_element(all.begin(), all.end(),
                                          [](auto& a, auto& b) { return a.size() < b.size(); });
    EXPECT_EQ(Paths(graph, 0, 5).size(), static_cast<int>(longest->size()));
  }
}

TEST(Paths, EveryShortestPathIsChosenSometimes) {
  const Graph grid{9,
                   {{0, 1},
                    {1, 2},
                    {3, 4},
                    {4, 5},
                    {6, 7},
                    {7, 8},
                    {0, 3},
                    {3, 6},
                    {1, 4},
                    {4, 7},
                    {2, 5},
                    {5, 8}},
                   false};
  EXPECT_EQ(choices_over_rounds(Paths(grid, 0, 8), std::vector<double>(12, 0.3), 1000).size(), 6U);
  // Edges of length zero: a detour is as short as the direct way.
  const Graph all_to_all{4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}, false};
  const Paths detours(all_to_all, 0, 3);
  EXPECT_EQ(choices_over_rounds(detours, std::vector<double>(6, kInfinity), 5000).size(), 5U);
}

TEST(Paths, RefusesWhatHasNoPath) {
  const Graph graph{3, {{0, 1}}, true};
  EXPECT_NO_THROW(Paths(graph, 0, 1));
  EXPECT_THROW(Paths(graph, 1, 0), InvalidParameter);
  EXPECT_THROW(Paths(graph, 0, 2), InvalidParameter);
  EXPECT_THROW(Paths(graph, 0, 0), InvalidParameter);
  EXPECT_THROW(Paths(graph, -1, 1), InvalidParameter);
  EXPECT_THROW(Paths(graph, 0, 3), InvalidParameter);
  EXPECT_THROW(Paths({2, {}, true}, 0, 1), InvalidParameter);
  EXPECT_THROW(Paths({2, {{0, 2}}, true}, 0, 1), InvalidParameter);
  EXPECT_THROW(Paths({0, {{0, 1}}, true}, 0, 1), InvalidParameter);
  EXPECT_NO_THROW(Paths({3, {{0, 1}}, false}, 1, 0));
  EXPECT_NE(Paths({3, {{0, 1}}, false}, 0, 1).name(), Paths(graph, 0, 1).name());
}

TEST(Paths, AgreeWithBellmanAndFordInTheStreetsOfRome) {
  const auto [graph, metres] = read_extract("rome99_part.csv");
  ASSERT_GE(graph.edges.size(), 60U);
  const double longest = *std::max_element(metres.begin(), metres.end());
  std::vector<double> means;
  for (const double m : metres) means.push_back(1 - m / longest);
  int pairs = 0;
  for (int source = 0; source < graph.nodes; source += 5) {
    PerNode<double> distance(graph.nodes, kInfinity);
    distance[source] = 0;
    for (int pass = 1; pass < graph.nodes; ++pass) {
      for (std::size_t i = 0; i < metres.size(); ++i) {
        double& to = distance[graph.edges[i].to];
        to = std::min(to, distance[graph.edges[i].from] + metres[i]);
      }
    }
    for (int target = 0; target < graph.nodes; ++target) {
      const double expected = distance[target];
      if (target == source || expected == kInfinity) continue;
      ++pairs;
      const Paths paths(graph, source, target);
      double walked = 0;
      for (const Arm arm : chosen(paths, means, 1)) walked += metres[at(arm)];
      EXPECT_EQ(walked, expected) << source << " to " << target;
      EXPECT_NEAR(ActionSet::from_units(paths.benchmark(means)), -expected / longest, 1e-8);
    }
  }
  EXPECT_GT(pairs, 100);
}

/// Every matching that no edge can be added to.
std::vector<Action> maximal_matchings(const std::vector<Edge>& edges) {
  std::vector<Action> all;
  const auto meet = [&](std::size_t a, std::size_t b) {
    return edges[a].from == edges[b].from || edges[a].to == edges[b].to;
  };
  for (unsigned mask = 1; mask < 1U << edges.size(); ++mask) {
    Action action;
    bool matching = true;
    bool maximal = true;
    for (std::size_t a = 0; a < edges.size() && matching && maximal; ++a) {
      bool blocked = false;
      for (std::size_t b = 0; b < edges.size(); ++b) {
        if (b != a && (mask >> b & 1U) != 0 && meet(a, b)) blocked = true;
      }
      if ((mask >> a & 1U) != 0) {
        matching = !blocked;
        action.push_back(static_cast<Arm>(a));
      } else {
        maximal = blocked;
      }
    }
    if (matching && maximal) all.push_back(action);
  }
  return all;
}

TEST(BipartiteMatching, FindsTheHeaviestMatching) {
  int alone = 0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    auto draw = instance(run);
    const int left = between(draw, 1, 4);
    const int right = between(draw, 1, 4);
    auto edges = random_edges(draw, left, right, 0.6);
    if (edges.empty()) continue;
    if (edges.size() > 11) edges.resize(11);
    if (run % 5 == 0) edges.push_back(edges.front());  // parallel edges are two arms
    const auto all = maximal_matchings(edges);
    const BipartiteMatching matching(left, right, edges);
    alone += expect_best(matching, all, sum_of_positive_scores, draw);
    expect_all(matching, all);
    expect_smooth(matching, all.front(), draw);
    std::size_t largest = 0;
    for (const Action& action : all) largest = std::max(largest, action.size());
    EXPECT_EQ(matching.size(), static_cast<int>(largest));
  }
  EXPECT_GT(alone, 1000);
}

TEST(BipartiteMatching, ManyInfiniteScoresComeBeforeAnyFiniteSum) {
  // One edge of unknown worth against three that are known to be good.
  const BipartiteMatching star(3, 3, {{0, 0}, {0, 1}, {1, 0}, {2, 2}});
  EXPECT_EQ(chosen(star, std::vector{kInfinity, 1e6, 1e6, 1.0}, 1), (Action{0, 3}));
}

TEST(BipartiteMatching, PlaysWhateverTheScoresAre) {
  const BipartiteMatching matching(2, 2, {{0, 0}, {1, 1}, {0, 1}});
  EXPECT_FALSE(chosen(matching, std::vector{-1.0, -2.0, -3.0}, 1).empty());
  EXPECT_EQ(chosen(matching, std::vector{-1.0, -2.0, 0.5}, 1), (Action{2}));
}

TEST(BipartiteMatching, EveryHeaviestMatchingIsChosenSometimes) {
  const BipartiteMatching square(
      3, 3, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}});
  EXPECT_EQ(choices_over_rounds(square, std::vector<double>(9, 0.1), 500).size(), 6U);
  EXPECT_EQ(choices_over_rounds(square, std::vector<double>(9, kInfinity), 500).size(), 6U);
  EXPECT_EQ(choices_over_rounds(square, std::vector<double>(9, -1), 500).size(), 6U);
}

TEST(ActionSets, ManyActionsAreNotGoneThrough) {
  // 30 steps of two parallel edges are 2^30 paths; 20 workers for 20 tasks more than 10^18 matchings.
  Graph ladder{31, {}, true};
  for (int node = 0; node < 30; ++node) {
    ladder.edges.push_back({node, node + 1});
    ladder.edges.push_back({node, node + 1});
  }
  EXPECT_TRUE(Paths(ladder, 0, 30).all(5000).empty());
  std::vector<Edge> everybody;
  for (int i = 0; i < 400; ++i) everybody.push_back({i / 20, i % 20});
  EXPECT_TRUE(BipartiteMatching(20, 20, everybody).all(5000).empty());
}

TEST(Paths, ListTheirEdgesFromTheSource) {
  const Paths paths(Graph{3, {{1, 2}, {0, 1}, {0, 2}}, true}, 0, 2);
  const auto all = paths.all(2);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0], (Action{1, 0}));
  EXPECT_EQ(all[1], (Action{2}));
}

TEST(BipartiteMatching, RefusesWhatIsNoBipartiteGraph) {
  EXPECT_THROW(BipartiteMatching(0, 1, {{0, 0}}), InvalidParameter);
  EXPECT_THROW(BipartiteMatching(1, 0, {{0, 0}}), InvalidParameter);
  EXPECT_THROW(BipartiteMatching(1, 1, {}), InvalidParameter);
  EXPECT_THROW(BipartiteMatching(1, 2, {{1, 0}}), InvalidParameter);
  EXPECT_THROW(BipartiteMatching(2, 1, {{0, 1}}), InvalidParameter);
  EXPECT_THROW(BipartiteMatching(2, 1, {{0, -1}}), InvalidParameter);
}

}  // namespace
}  // namespace tacit::actions
