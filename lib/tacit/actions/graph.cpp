#include "tacit/actions/graph.hpp"

#include <numeric>
#include <string>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::actions {
namespace {

void check_ends(std::string_view function, int left, int right, std::span<const Edge> edges) {
  check::at_least(function, "number of edges", static_cast<std::int64_t>(edges.size()), 1);
  for (const Edge& edge : edges) {
    if (edge.from < 0 || edge.from >= left || edge.to < 0 || edge.to >= right) {
      throw InvalidParameter(std::string(function), "edge",
                             fmt::format("({}, {})", edge.from, edge.to),
                             fmt::format("must lead from 0..{} to 0..{}", left - 1, right - 1));
    }
  }
}

}  // namespace

const Graph& check_graph(std::string_view function, const Graph& graph) {
  check::at_least(function, "nodes", graph.nodes, 1);
  check_ends(function, graph.nodes, graph.nodes, graph.edges);
  return graph;
}

void check_bipartite(std::string_view function, int left, int right, std::span<const Edge> edges) {
  check::at_least(function, "left", left, 1);
  check::at_least(function, "right", right, 1);
  check_ends(function, left, right, edges);
}

std::string digest(std::span<const Edge> edges) {
  std::string text;
  for (const Edge& edge : edges) text += fmt::format("{}-{};", edge.from, edge.to);
  return fmt::format("{:016x}", random::fingerprint(text));
}

Incidence::Incidence(const Graph& graph, bool backwards) : first_(graph.nodes + 1) {
  // Calls f(node, step) in the order of the edges; an undirected edge is left from both ends.
  const auto for_each_step = [&](auto f) {
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
      const auto [from, to] = graph.edges[i];
      const auto arm = static_cast<Arm>(i);
      if (!backwards || !graph.directed) f(from, Step{to, arm});
      if (backwards || !graph.directed) f(to, Step{from, arm});
    }
  };
  for_each_step([&](int node, Step) { ++first_[node + 1]; });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  steps_.resize(first_[graph.nodes]);
  PerNode<std::size_t> next = first_;
  for_each_step([&](int node, Step step) { steps_[next[node]++] = step; });
}

std::vector<int> reachable(const Incidence& incidence, std::span<const int> starts) {
  PerNode<bool> seen(incidence.nodes());
  std::vector<int> order;
  const auto visit = [&](int node) {
    if (seen[node]) return;
    seen[node] = true;
    order.push_back(node);
  };
  for (const int node : starts) visit(node);
  std::size_t next = 0;  // the list grows while it is read
  while (next < order.size()) {
    for (const auto& step : incidence.at(order[next++])) visit(step.node);
  }
  return order;
}

}  // namespace tacit::actions
