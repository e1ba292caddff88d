// Action set "cut": cuts of a graph, as in MAX-CUT.
//
// Arms are the edges. An action is what a division of the nodes in two parts cuts: all edges between the parts, at least
// one. The reward is the sum of the means. The largest cut is NP-hard to find (Karp 1972), which is why Chen et al. 2020
// name it as a reason for approximate oracles.
//
// The oracle. Graphs of at most 1024 cuts: all of them are looked at (ExplicitList), and it is exact. Larger ones: nodes in
// random order, each to the part where it cuts more of its edges to those before, which cuts at least half of all
// scores (every edge belongs to its later node); then nodes change sides as long as that cuts more, at most 16 times
// the number of nodes. Worth at least 1/2 of the best (Sahni & Gonzalez 1976). Scores below 0 count as 0, +infinity for more
// than all finite ones together.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/actions/graph.hpp"

namespace tacit::actions {

class ExplicitList;

class MaxCut final : public ActionSet {
 public:
  /// Edges are taken both ways. Throws InvalidParameter if all of them are loops, which are never cut, or if there are more
  /// than 2^15.
  explicit MaxCut(Graph graph);
  ~MaxCut() override;

  int arms() const noexcept override { return static_cast<int>(graph_->edges.size()); }
  /// The edges of the largest cut; where there are more than 1024 cuts, of all that are no loops.
  int size() const noexcept override { return size_; }
  /// cut(nodes x edges, digest of the edges).
  std::string name() const override { return name_; }
  /// Its choices are in the order of the arms.
  std::unique_ptr<Oracle> oracle() const override;
  /// (1, 1), or (1/2, 1) where there are more than 1024 cuts.
  Approximation approximation() const override;
  std::vector<std::vector<Arm>> all(std::size_t most) const override;

  static constexpr std::size_t kMostCutsForExact = 1024;

 private:
  class LocalSearch;

  std::shared_ptr<const Graph> graph_;
  /// One node of each component stays where it is; the others in any two parts give every cut once.
  std::vector<int> movable_;
  int size_ = 0;
  std::string name_;
  std::unique_ptr<const ExplicitList> small_;  // null: too many
};

}  // namespace tacit::actions
