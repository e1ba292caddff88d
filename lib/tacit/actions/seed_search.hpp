// Influence maximisation in one graph: which nodes start the largest cascades?
//
// Independent cascade: seeds are reached; a node that is reached tries each of its outgoing edges
// once, and edge e succeeds with probability p_e. The spread of a seed set is the expected number of
// nodes reached, seeds included.
//
// A reverse-reachable set is drawn by picking a node uniformly and walking backwards over edges that
// succeed. A seed set's spread is  nodes x P(the set contains a seed)  (Borgs, Brautbar, Chayes &
// Lucier 2014), so choosing seeds becomes covering a sample of such sets.
//
// SeedSearch is OPIM-C (Tang, Tang, Xiao & Yuan 2018, SIGMOD, "Online processing algorithms for
// influence maximization", Algorithm 2), in our words, n nodes, k seeds:
//
//   L1  two independent samples R1, R2 of theta_0 sets each
//   L2  choose seeds greedily to cover R1; from R1 bound the best spread from above,
//         n/|R1| (sqrt(c + a/2) + sqrt(a/2))^2,  c >= the best coverage of R1,  a = ln(3 rounds/delta)
//   L3  c is the least, over the greedy's steps, of what is covered plus the k largest gains left
//   L4  from R2, which the seeds do not depend on, bound their spread from below,
//         n/|R2| ((sqrt(c2 + 2a/9) - sqrt(a/2))^2 - a/18),  c2 = the seeds' coverage of R2
//   L5  stop if lower/upper >= 1 - 1/e - epsilon, or when |R1| >= theta_max; else double both samples
//
//   theta_max = theta_0 n / (epsilon^2 k)
//   theta_0 = 2 ((1-1/e) sqrt(ln(6/delta)) + sqrt((1-1/e) (ln(n choose k) + ln(6/delta))))^2
//
// The seeds are worth at least 1 - 1/e - epsilon of the best with probability 1 - delta. When the
// loop ends by L5 the ratio lower/upper is itself such a guarantee, usually better.
//
// Departures: 1. Only nodes that an edge leaves can be seeds (an action needs arms to observe), and
// the best is meant among those. 2. Ties of the greedy are broken at random. 3. One doubling more
// than published, so that the last sample is not smaller than theta_max.
//
// Cost: the total size of the sets, plus k n for each doubling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tacit/actions/graph.hpp"
#include "tacit/core/round.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::actions {

/// Walks backwards from a node. Keeps its scratch space, so it belongs to one thread.
class BackwardWalk {
 public:
  explicit BackwardWalk(const Graph& graph)
      : entering_(Incidence::entering(graph)), seen_(graph.nodes) {}

  /// The nodes that reach `root` over edges for which succeeds(edge) is true; it is asked at
  /// most once for an edge. Valid until the next call.
  template <class Succeeds>
  std::span<const int> from(int root, Succeeds succeeds) {
    nodes_.assign(1, root);
    seen_[root] = true;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (const auto& [node, edge] : entering_.at(nodes_[i])) {
        if (seen_[node] || !succeeds(edge)) continue;
        seen_[node] = true;
        nodes_.push_back(node);
      }
    }
    for (const int node : nodes_) seen_[node] = false;
    return nodes_;
  }

 private:
  Incidence entering_;
  PerNode<bool> seen_;
  std::vector<int> nodes_;
};

/// A sample of sets of nodes, kept one after the other.
class NodeSets {
 public:
  void add(std::span<const int> nodes) {
    nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
    ends_.push_back(nodes_.size());
  }
  std::size_t count() const noexcept { return ends_.size(); }
  std::span<const int> operator[](std::size_t i) const noexcept {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(nodes_).subspan(begin, ends_[i] - begin);
  }

 private:
  std::vector<int> nodes_;
  std::vector<std::size_t> ends_;
};

struct Seeding {
  std::vector<int> seeds;  // in the order in which the greedy took them
  double spread = 0;       // estimated from R2, which the seeds do not depend on
  double certificate = 0;  // lower/upper: share of the best spread that is certain up to delta
  std::int64_t sets = 0;   // reverse-reachable sets drawn, both samples together
};

/// Belongs to one thread; the answer depends on its arguments alone.
class SeedSearch {
 public:
  /// Throws InvalidParameter unless the graph is directed, count is at least 1 and at most the
  /// number of nodes that an edge leaves, epsilon in (0, 1 - 1/e) and delta in (0, 1).
  SeedSearch(const Graph& graph, int count, double epsilon, double delta);

  /// One probability in [0, 1] for each edge. Draws from dice.ties(t, ...) only.
  Seeding run(std::span<const double> probabilities, Round t, const random::Dice& dice);

  /// The nodes that an edge leaves.
  std::span<const int> candidates() const noexcept { return candidates_; }

 private:
  int nodes_;
  std::size_t count_;
  double epsilon_;
  double delta_;
  std::vector<int> candidates_;
  BackwardWalk walk_;
};

/// SeedSearch once: for a whole graph, by hand. Probabilities must be in [0, 1], one for each edge.
Seeding influence_greedy(const Graph& graph, std::span<const double> probabilities, int count,
                         double epsilon, double delta, const random::Dice& dice, Round t = 1);

}  // namespace tacit::actions
