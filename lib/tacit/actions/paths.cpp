#include "tacit/actions/paths.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/function_property_map.hpp>

#include "tacit/actions/weight.hpp"
#include "tacit/core/check.hpp"
#include "tacit/core/per_arm.hpp"

namespace tacit::actions {
namespace {

// An arc of the map carries the arm it belongs to: an undirected edge is two arcs of one arm.
using Map = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Arm>;
using Arc = boost::graph_traits<Map>::edge_descriptor;
using Node = boost::graph_traits<Map>::vertex_descriptor;

Map make_map(const Graph& graph) {
  std::vector<std::pair<Node, Node>> arcs;
  std::vector<Arm> arms;
  const auto leaving = Incidence::leaving(graph);
  for (int node = 0; node < graph.nodes; ++node) {
    for (const auto& step : leaving.at(node)) {
      arcs.emplace_back(node, step.node);
      arms.push_back(step.edge);
    }
  }
  return {boost::edges_are_sorted, arcs.begin(), arcs.end(), arms.begin(),
          static_cast<Node>(graph.nodes)};
}

/// The number of edges of the longest path to `target` over `nodes`, all of which lie on a walk from
/// source to target; their number less one if they contain a cycle.
int longest_path(const Incidence& leaving, const std::vector<int>& nodes,
                 const PerNode<bool>& on_the_way, int target) {
  PerNode<int> entering(leaving.nodes());
  for (const int node : nodes) {
    for (const auto& step : leaving.at(node)) ++entering[step.node];
  }
  PerNode<int> longest(leaving.nodes());
  std::vector<int> ready;
  for (const int node : nodes) {
    if (entering[node] == 0) ready.push_back(node);
  }
  for (std::size_t i = 0; i < ready.size(); ++i) {
    for (const auto& step : leaving.at(ready[i])) {
      auto& here = longest[step.node];
      here = std::max(here, longest[ready[i]] + 1);
      if (--entering[step.node] == 0 && on_the_way[step.node]) {
        ready.push_back(step.node);
      }
    }
  }
  return ready.size() == nodes.size() ? longest[target] : static_cast<int>(nodes.size()) - 1;
}

}  // namespace

struct Paths::Network {
  Map map;
  int arms;
  Node source;
  Node target;
  Incidence leaving;
};

class Paths::Dijkstra final : public Oracle {
 public:
  explicit Dijkstra(std::shared_ptr<const Network> network)
      : Oracle(network->arms),
        network_(std::move(network)),
        lengths_(scores_.arms()),
        distance_(num_vertices(network_->map)),
        came_by_(distance_.size()) {}

  ChosenSet choose(Round t, const random::Dice& dice) override {
    measure(scores_);
    auto draw = dice.ties(t);
    for (Weight& length : lengths_) length += tie_break(draw);
    search();
    path_.clear();
    for (Node node = network_->target; node != network_->source;) {
      path_.push_back(network_->map[came_by_[node]]);
      node = boost::source(came_by_[node], network_->map);
    }
    std::reverse(path_.begin(), path_.end());
    return {path_, !best_by_a_margin(scores_)};
  }

  Skipping skipping() const noexcept override { return Skipping::kByValue; }

  bool still_best(std::span<const double> scores) override {
    return !path_.empty() && best_by_a_margin(scores);
  }

 private:
  struct Arrived {};

  /// Remembers arcs, not nodes: parallel edges are different arms. Ends the search at the target by
  /// an exception, the way that Boost.Graph provides.
  struct Guide : boost::default_dijkstra_visitor {
    explicit Guide(Dijkstra& dijkstra) : self(&dijkstra) {}
    void edge_relaxed(const Arc& arc, const Map& map) const {
      self->came_by_[boost::target(arc, map)] = arc;
    }
    void examine_vertex(Node node, const Map&) const {
      if (node == self->network_->target) throw Arrived();
    }
    Dijkstra* self;
  };

  void measure(std::span<const double> scores) {
    std::transform(scores.begin(), scores.end(), lengths_.begin(),
                   [](double score) { return std::max(Weight{0}, weight(1) - weight(score)); });
  }

  void search() {
    const auto length = [this](const Arc& arc) { return lengths_[network_->map[arc]]; };
    try {
      boost::dijkstra_shortest_paths(
          network_->map, network_->source,
          boost::weight_map(boost::make_function_property_map<Arc, Weight>(length))
              .distance_map(boost::make_iterator_property_map(
                  distance_.begin(), get(boost::vertex_index, network_->map)))
              .distance_compare(std::less<>())
              .distance_combine(std::plus<>())
              .distance_inf(kFar)
              .distance_zero(Weight{0})
              .visitor(Guide(*this)));
    } catch (const Arrived&) {  // the target's distance and the arcs to it are final
    }
  }

  bool best_by_a_margin(std::span<const double> scores) {
    measure(scores);
    Weight expected = 0;
    for (const Arm arm : path_) expected += lengths_[arm] += kMargin;
    search();
    return distance_[network_->target] == expected;
  }

  std::shared_ptr<const Network> network_;
  PerArm<Weight> lengths_;
  std::vector<Weight> distance_;
  std::vector<Arc> came_by_;
  std::vector<Arm> path_;
};

Paths::Paths(const Graph& graph, int source, int target)
    : arms_(static_cast<int>(graph.edges.size())) {
  constexpr auto kHere = "Paths";
  check_graph(kHere, graph);
  check::within(kHere, "source", source, 0, graph.nodes - 1);
  check::within(kHere, "target", target, 0, graph.nodes - 1);
  if (source == target) {
    throw InvalidParameter(kHere, "target", fmt::format("{}", target),
                           "must not be the source: there is no edge to play");
  }

  const auto leaving = Incidence::leaving(graph);
  PerNode<bool> from_source(graph.nodes);
  for (const int node : reachable(leaving, std::vector{source})) {
    from_source[node] = true;
  }
  if (!from_source[target]) {
    throw InvalidParameter(kHere, "target", fmt::format("{}", target),
                           fmt::format("must be reachable from the source {}", source));
  }
  std::vector<int> nodes;
  PerNode<bool> on_the_way(graph.nodes);
  for (const int node : reachable(Incidence::entering(graph), std::vector{target})) {
    if (!from_source[node]) continue;
    nodes.push_back(node);
    on_the_way[node] = true;
  }
  size_ = longest_path(leaving, nodes, on_the_way, target);
  if (size_ > kMostArms) {
    throw InvalidParameter(kHere, "graph", fmt::format("{} nodes", graph.nodes),
                           fmt::format("must have paths of at most {} edges", kMostArms));
  }
  name_ = fmt::format("paths({}-{},{}x{},{},{})", source, target, graph.nodes, arms_,
                      graph.directed ? "directed" : "undirected", digest(graph.edges));
  network_ = std::make_shared<const Network>(Network{
      make_map(graph), arms_, static_cast<Node>(source), static_cast<Node>(target), leaving});
}

std::unique_ptr<Oracle> Paths::oracle() const { return std::make_unique<Dijkstra>(network_); }

std::int64_t Paths::value(std::span<const Arm> action, std::span<const double> means) const {
  return ActionSet::value(action, means) -
         static_cast<std::int64_t>(action.size()) * ActionSet::units(1);
}

std::vector<std::vector<Arm>> Paths::all(std::size_t most) const {
  const Incidence& leaving = network_->leaving;
  const int target = static_cast<int>(network_->target);
  std::vector<std::vector<Arm>> paths;
  std::vector<Arm> path;
  PerNode<bool> visited(leaving.nodes());
  // Whether the target can be walked to from here without coming back.
  const auto arrives = [&](int from) {
    PerNode<bool> seen = visited;
    std::vector<int> waiting{from};
    seen[from] = true;
    while (!waiting.empty()) {
      const int node = waiting.back();
      waiting.pop_back();
      if (node == target) return true;
      for (const auto& step : leaving.at(node)) {
        if (seen[step.node]) continue;
        seen[step.node] = true;
        waiting.push_back(step.node);
      }
    }
    return false;
  };
  const auto walk = [&](const auto& self, int node) -> void {
    if (node == target) {
      paths.push_back(path);
      return;
    }
    visited[node] = true;
    for (const auto& step : leaving.at(node)) {
      if (paths.size() > most) break;
      if (visited[step.node] || !arrives(step.node)) continue;
      path.push_back(step.edge);
      self(self, step.node);
      path.pop_back();
    }
    visited[node] = false;
  };
  walk(walk, static_cast<int>(network_->source));
  if (paths.size() > most) return {};
  return paths;
}

}  // namespace tacit::actions
