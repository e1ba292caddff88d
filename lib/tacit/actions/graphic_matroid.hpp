// Graphic matroid: an arm is an edge of an undirected graph, a set of arms is independent when it
// has no cycle. Bases are the spanning trees, or forests when the graph is not connected; edges may
// be parallel, and an edge from a node to itself is never played.
//
// Cost of a test: almost O(1) (union-find). Of a circuit: its length, after O(nodes) once for each
// basis to root the forest.
#pragma once

#include <memory>
#include <vector>

#include "tacit/actions/graph.hpp"
#include "tacit/actions/matroid.hpp"

namespace tacit::actions {

class GraphicMatroid final : public Matroid {
 public:
  /// Nodes are numbered from 0.
  GraphicMatroid(int nodes, std::vector<Edge> edges);

  int arms() const noexcept override { return static_cast<int>(edges_.size()); }
  std::unique_ptr<IndependentSet> empty_set() const override;

 private:
  int nodes_;
  std::vector<Edge> edges_;
};

}  // namespace tacit::actions
