// Action set "matching": the matchings of a bipartite graph, such as tasks given to workers.
//
// Arms are the edges; no two edges of an action share a node. The reward is the sum of the means.
// Means are at least 0, so nothing is lost by playing matchings that no edge could be added to, and
// those alone are played. A score below 0 counts as 0; a score of +infinity counts for more than all
// finite ones together. Ties are broken by a second weight drawn for every edge from the round's
// key: at random, not uniformly.
//
// The oracle is the Hungarian algorithm by shortest augmenting paths, O(n^2 m) for n nodes on the
// smaller side and m on the larger, on exact integers (weight.hpp). Written out because
// boost::maximum_weighted_matching fails where scores tie (with Boost 1.74 and doubles it did not
// return for 188 of 2000 graphs of at most ten nodes, and was wrong for 8; boostorg/graph, issues
// 199, 223 and 399). Ties are the rule here: every run starts with them.
//
// Why a choice stands: take a margin off each of its own m edges. Another maximal matching has at
// most m - 1 of them, so if the best total has lost m margins, every other one was worse by at least
// one. If it has lost less there may be a rival: "tied".
//
// References: Kuhn 1955, Naval Research Logistics Quarterly 2; Jonker & Volgenant 1987, Computing 38.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/actions/graph.hpp"

namespace tacit::actions {

class BipartiteMatching final : public ActionSet {
 public:
  /// An edge leads from a left node 0..left-1 to a right node 0..right-1. Parallel edges are
  /// allowed. Throws InvalidParameter otherwise, and without an edge.
  BipartiteMatching(int left, int right, std::vector<Edge> edges);

  int arms() const noexcept override { return arms_; }
  /// The number of edges in a largest matching.
  int size() const noexcept override { return size_; }
  /// matching(left x right, edges, digest of the edges).
  std::string name() const override { return name_; }
  /// Its choices are in the order of the arms.
  std::unique_ptr<Oracle> oracle() const override;
  /// Every matching that no edge could be added to, as they are played; arms in order.
  std::vector<std::vector<Arm>> all(std::size_t most) const override;

 private:
  struct Board;
  class Hungarian;

  int arms_;
  int size_ = 0;
  std::string name_;
  std::shared_ptr<const Board> board_;
};

}  // namespace tacit::actions
