#include "tacit/actions/seed_search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "tacit/actions/position.hpp"
#include "tacit/core/check.hpp"
#include "tacit/core/log_gamma.hpp"

namespace tacit::actions {
namespace {

constexpr double kGreedyShare = 1 - 1 / std::numbers::e;

double log_choices(int total, std::size_t count) {
  const auto n = static_cast<double>(total);
  const auto k = static_cast<double>(count);
  return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
}

struct Coverage {
  std::vector<int> seeds;
  std::int64_t most = 0;  // no choice of as many nodes covers more
};

/// Covers sets greedily; of equally good nodes the first in `order` is taken.
Coverage cover_greedily(const NodeSets& sets, int nodes, const std::vector<int>& order,
                        std::size_t count) {
  PerNode<std::size_t> first(nodes + 1);  // where a node's list of sets begins
  for (std::size_t i = 0; i < sets.count(); ++i) {
    for (const int node : sets[i]) ++first[node + 1];
  }
  PerNode<std::int64_t> gain(nodes);
  std::copy(first.begin() + 1, first.end(), gain.begin());
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::size_t> set_of(first[nodes]);
  PerNode<std::size_t> next = first;
  for (std::size_t i = 0; i < sets.count(); ++i) {
    for (const int node : sets[i]) set_of[next[node]++] = i;
  }

  Coverage result;
  std::vector<bool> covered(sets.count());
  std::int64_t total = 0;
  std::vector<std::int64_t> largest;
  const auto bound_the_best = [&] {  // L3
    largest.clear();
    for (const int node : order) largest.push_back(gain[node]);
    const auto middle = largest.begin() + static_cast<std::ptrdiff_t>(count);
    if (middle != largest.end()) {
      std::nth_element(largest.begin(), middle, largest.end(), std::greater<>());
    }
    const std::int64_t most = std::accumulate(largest.begin(), middle, total);
    result.most = result.seeds.empty() ? most : std::min(result.most, most);
  };
  bound_the_best();
  PerNode<bool> taken(nodes);
  while (result.seeds.size() < count) {
    int best = -1;
    for (const int node : order) {
      if (taken[node]) continue;
      if (best < 0 || gain[node] > gain[best]) best = node;
    }
    taken[best] = true;
    total += gain[best];
    for (std::size_t j = first[best]; j < first[best + 1]; ++j) {
      if (covered[set_of[j]]) continue;
      covered[set_of[j]] = true;
      for (const int node : sets[set_of[j]]) --gain[node];
    }
    result.seeds.push_back(best);
    bound_the_best();
  }
  return result;
}

std::int64_t covered_by(const std::vector<int>& seeds, const NodeSets& sets, int nodes) {
  PerNode<bool> is_seed(nodes);
  for (const int seed : seeds) is_seed[seed] = true;
  std::int64_t covered = 0;
  for (std::size_t i = 0; i < sets.count(); ++i) {
    const auto set = sets[i];
    covered += std::any_of(set.begin(), set.end(), [&](int node) { return is_seed[node]; });
  }
  return covered;
}

}  // namespace

SeedSearch::SeedSearch(const Graph& graph, int count, double epsilon, double delta)
    : nodes_(graph.nodes),
      count_(static_cast<std::size_t>(check::at_least("SeedSearch", "count", count, 1))),
      epsilon_(check::strictly_within("SeedSearch", "epsilon", epsilon, 0, kGreedyShare)),
      delta_(check::strictly_within("SeedSearch", "delta", delta, 0, 1)),
      walk_(check_graph("SeedSearch", graph)) {
  if (!graph.directed) {
    throw InvalidParameter("SeedSearch", "graph", "undirected",
                           "must be directed: list an edge both ways if influence goes both ways");
  }
  const auto leaving = Incidence::leaving(graph);
  for (int node = 0; node < nodes_; ++node) {
    if (!leaving.at(node).empty()) candidates_.push_back(node);
  }
  if (count_ > candidates_.size()) {
    throw InvalidParameter(
        "SeedSearch", "count", fmt::format("{}", count),
        fmt::format("must be at most {}, the number of nodes that an edge leaves",
                    candidates_.size()));
  }
}

Seeding SeedSearch::run(std::span<const double> probabilities, Round t, const random::Dice& dice) {
  std::vector<int> order = candidates_;
  // The highest position; sets count theirs up from 0.
  auto shuffle = dice.ties(t, ~std::uint64_t{0});
  for (std::size_t i = order.size() - 1; i > 0; --i) {
    const int j = random::uniform_index(shuffle, static_cast<int>(i) + 1);
    std::swap(order[i], order[at(j)]);
  }
  const auto grow = [&](NodeSets& sets, std::uint64_t which, double size) {
    while (static_cast<double>(sets.count()) < size) {
      const auto position = 2 * std::uint64_t{sets.count()} + which;
      auto draw = dice.ties(t, position);
      const int root = random::uniform_index(draw, nodes_);
      sets.add(walk_.from(
          root, [&](Arm edge) { return random::bernoulli(draw, probabilities[at(edge)]); }));
    }
  };

  const double n = nodes_;
  const auto k = static_cast<double>(count_);
  const double a_choice = std::log(6 / delta_);
  const double root_sum = kGreedyShare * std::sqrt(a_choice) +
                          std::sqrt(kGreedyShare * (log_choices(nodes_, count_) + a_choice));
  double size = 2 * root_sum * root_sum;  // theta_0
  const double doublings = std::max(0.0, std::ceil(std::log2(n / (epsilon_ * epsilon_ * k))));
  const double rounds = doublings + 1;
  const double a = std::log(3 * rounds / delta_);

  NodeSets to_choose;
  NodeSets to_validate;
  Seeding result;
  for (double i = 1;; ++i, size *= 2) {
    grow(to_choose, 0, size);    // L1
    grow(to_validate, 1, size);  // L1
    Coverage coverage = cover_greedily(to_choose, nodes_, order, count_);
    const double upper = std::pow(  // L2
        std::sqrt(static_cast<double>(coverage.most) + a / 2) + std::sqrt(a / 2), 2);
    const auto hits = static_cast<double>(covered_by(coverage.seeds, to_validate, nodes_));
    const double lower =
        std::pow(std::sqrt(hits + 2 * a / 9) - std::sqrt(a / 2), 2) - a / 18;  // L4
    result.certificate = std::max(0.0, lower) / upper;
    if (result.certificate >= kGreedyShare - epsilon_ || i >= rounds) {  // L5
      result.seeds = std::move(coverage.seeds);
      result.spread = n * hits / static_cast<double>(to_validate.count());
      result.sets = static_cast<std::int64_t>(to_choose.count() + to_validate.count());
      return result;
    }
  }
}

Seeding influence_greedy(const Graph& graph, std::span<const double> probabilities, int count,
                         double epsilon, double delta, const random::Dice& dice, Round t) {
  SeedSearch search(graph, count, epsilon, delta);
  if (probabilities.size() != graph.edges.size()) {
    throw InvalidParameter("influence_greedy", "number of probabilities",
                           fmt::format("{}", probabilities.size()),
                           fmt::format("must be the number of edges, {}", graph.edges.size()));
  }
  for (const double p : probabilities) check::within("influence_greedy", "probability", p, 0, 1);
  return search.run(probabilities, t, dice);
}

}  // namespace tacit::actions
