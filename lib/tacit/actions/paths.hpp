// Action set "paths": the simple paths from a source to a target.
//
// Arms are the edges. An outcome is 1 - cost, so an edge is short where its score is high: its
// length is max(0, 1 - score), and 0 for a score of +infinity. The oracle is Dijkstra's algorithm
// (Boost.Graph), O(edges log nodes), run once to choose and once to see whether the choice is the
// only best one. Lengths are exact integers (weight.hpp).
//
// Reward: minus the expected cost,  r_mu(S) = - sum over S of (1 - mu_e).  Not the sum of the means,
// which would prefer a long way round. Monotone, and B_1 = 1.
//
// Ties. A second length, drawn for every edge from the round's key, decides between paths that are
// equally short. Every one of them can win, but not all with the same probability: paths of few
// edges, and paths that share few edges with others, win more often.
//
// Why a choice stands: lengthen each of the path's own m edges by a margin. Another simple path has
// at most m - 1 of them, so if the shortest distance has grown by m margins, every other path was
// longer by at least one. If it has grown by less there may be a rival within m margins, or not: the
// answer is then "tied", which only costs another look.
//
// K. The longest simple path is hard to find (NP-hard), unless no cycle lies on the way: then it is
// computed. Otherwise the bound is one less than the number of nodes on a walk from the source to
// the target.
//
// Reference: Dijkstra 1959, Numerische Mathematik 1.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/actions/graph.hpp"

namespace tacit::actions {

class Paths final : public ActionSet {
 public:
  /// Throws InvalidParameter if source and target are the same or not nodes, if no path leads from
  /// one to the other, or if paths may have more than 2^15 edges.
  Paths(const Graph& graph, int source, int target);

  int arms() const noexcept override { return arms_; }
  int size() const noexcept override { return size_; }
  /// paths(source-target, nodes x edges, directed or undirected, digest of the edges).
  std::string name() const override { return name_; }
  /// Its choices list the edges from the source to the target.
  std::unique_ptr<Oracle> oracle() const override;
  std::int64_t value(std::span<const Arm> action, std::span<const double> means) const override;
  /// Every simple path, its edges from the source to the target. No step is tried that cannot be completed, so the
  /// cost is that of a search of the graph for each edge of what is found.
  std::vector<std::vector<Arm>> all(std::size_t most) const override;

 private:
  struct Network;
  class Dijkstra;

  int arms_;
  int size_;
  std::string name_;
  std::shared_ptr<const Network> network_;
};

}  // namespace tacit::actions
