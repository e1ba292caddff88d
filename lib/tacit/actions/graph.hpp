// Graphs whose edges are arms: edge number i of the list is arm i.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/core/indexed.hpp"
#include "tacit/core/round.hpp"

namespace tacit::actions {

struct Edge {
  int from = 0;
  int to = 0;
};

/// Nodes are 0..nodes-1. Parallel edges and loops are allowed; a loop is an arm that no path or
/// cascade needs.
struct Graph {
  int nodes = 0;
  std::vector<Edge> edges;
  bool directed = true;
};

/// One thing a node.
template <class T>
using PerNode = Indexed<T>;

/// Returns the graph. Throws InvalidParameter, in the name of `function`, unless there is an edge and
/// every end of an edge is a node.
const Graph& check_graph(std::string_view function, const Graph& graph);
/// The same for edges that lead from one of `left` nodes to one of `right` nodes, counted apart.
void check_bipartite(std::string_view function, int left, int right, std::span<const Edge> edges);

/// 16 hexadecimal digits that stand for the edges in their order, for names of action sets.
std::string digest(std::span<const Edge> edges);

/// For every node the edges that one may leave it by, in the order of the list.
class Incidence {
 public:
  struct Step {
    int node;  // where the edge leads
    Arm edge;
  };

  static Incidence leaving(const Graph& graph) { return {graph, false}; }
  /// Edges are walked backwards: those that enter a node, and where they come from.
  static Incidence entering(const Graph& graph) { return {graph, true}; }

  int nodes() const noexcept { return first_.count() - 1; }
  std::span<const Step> at(int node) const noexcept {
    return std::span(steps_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  Incidence(const Graph& graph, bool backwards);

  PerNode<std::size_t> first_;  // where the steps of a node begin; one more, where the last ends
  std::vector<Step> steps_;
};

/// Every node that can be walked to, the starts first, then in order of the number of steps.
std::vector<int> reachable(const Incidence& incidence, std::span<const int> starts);

}  // namespace tacit::actions
