// Action set "influence": seeds of an independent cascade in a directed graph.
//
// Arms are the edges, their means the probabilities with which they pass influence on. Choosing
// seeds plays every edge that their cascade could ever try: all edges that leave a node which can be
// walked to from a seed. The reward is the expected number of nodes reached, seeds included.
//
// Model: all these edges are observed, as the semi-bandit setting without probabilistic triggering
// has it (think of a platform that logs every edge). A cascade alone shows only the edges that it
// came to.
//
// An action is a list of arms, and several seed sets can have the same arms (all of them, in a
// strongly connected graph). The order says which seeds are meant: arms are listed node by node, the
// seeds' first, so the seeds are the first `count` distinct nodes that the listed edges leave.
// For the same reason only nodes that an edge leaves can be seeds.
//
// Smoothness: an edge that changes its mind changes at most the nodes that can be walked to from its
// head, so B_1 is the largest number of those; B_infinity = size B_1 (Fact 1 of Chen et al. 2020).
// Monotone.
//
// The oracle is SeedSearch (seed_search.hpp) for scores clipped to [0, 1], +infinity as 1. It draws
// samples, so two seed sets of about the same spread are never told apart for certain: choices are
// always "tied", and nothing is skipped.
//
// Values. Spread is #P-hard. With at most 16 edges it is computed, over all ways that edges can turn
// out. Otherwise it is estimated from 2^16 reverse-reachable sets, drawn once for given means with a
// fixed key, the same random number for the same (set, edge): the same action has the same value at
// all times, and the estimate is monotone in the means. Its standard error is
// sqrt(s (nodes - s)) / 256 for a spread s.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/actions/graph.hpp"

namespace tacit::actions {

class Influence final : public ActionSet {
 public:
  /// Throws InvalidParameter as SeedSearch does. delta is 1/nodes if not given.
  Influence(Graph graph, int count, double epsilon = 0.1, std::optional<double> delta = {});

  int arms() const noexcept override { return static_cast<int>(graph_->edges.size()); }
  /// An upper bound: what the `count` nodes that reach most edges reach, as if apart. In graphs of
  /// more than 10^8 nodes x edges, the number of edges.
  int size() const noexcept override { return size_; }
  /// influence(nodes x edges, count, epsilon, delta, digest of the edges).
  std::string name() const override { return name_; }
  std::unique_ptr<Oracle> oracle() const override;
  /// alpha = 1 - 1/e - epsilon, beta = 1 - delta.
  Approximation approximation() const override;
  /// In graphs of more than 10^8 nodes x edges, B_1 is the number of nodes.
  Smoothness smoothness() const override { return Smoothness::from_b1(b1_, size_); }
  std::int64_t value(std::span<const Arm> action, std::span<const double> means) const override;
  bool linear() const noexcept override { return false; }
  bool values_are_exact() const noexcept override { return arms() <= kMostEdgesForExact; }
  /// gamma_infinity = B_1; gamma_g is half the range of what a cascade reaches beside its seeds, or what B_1 says if
  /// that is less.
  GiniSmoothness gini_smoothness() const override;
  /// Found by looking at all choices, if there are at most 1000.
  std::optional<std::int64_t> best_value(std::span<const double> means) const override;
  std::vector<std::vector<Arm>> all(std::size_t most) const override;

  /// The edges that a cascade from these `count` distinct nodes could try, the seeds' own first.
  std::vector<Arm> action(std::span<const int> seeds) const;
  /// The seeds that an action was made for.
  std::vector<int> seeds(std::span<const Arm> action) const;

  static constexpr int kMostEdgesForExact = 16;
  static constexpr int kSetsForValue = 1 << 16;

 private:
  class SpreadOracle;
  struct Sample;

  double exact_spread(std::span<const int> seeds, std::span<const double> means) const;
  std::shared_ptr<const Sample> sample(std::span<const double> means) const;

  std::shared_ptr<const Graph> graph_;
  std::shared_ptr<const Incidence> leaving_;
  int count_;
  double epsilon_;
  double delta_;
  int size_ = 0;
  double b1_ = 0;
  int reach_ = 0;  // nodes that an action reaches at most
  std::string name_;

  // The sample of the means that were asked for last. A run asks for one vector of means.
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Sample> latest_;
};

}  // namespace tacit::actions
