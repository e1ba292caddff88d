#include "tacit/actions/max_cut.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/actions/weight.hpp"
#include "tacit/core/check.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::actions {
namespace {

std::vector<Arm> cut_by(const Graph& graph, const PerNode<bool>& part) {
  std::vector<Arm> cut;
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    if (part[graph.edges[i].from] != part[graph.edges[i].to]) cut.push_back(static_cast<Arm>(i));
  }
  return cut;
}

}  // namespace

class MaxCut::LocalSearch final : public Oracle {
 public:
  explicit LocalSearch(std::shared_ptr<const Graph> graph)
      : Oracle(static_cast<int>(graph->edges.size())),
        graph_(std::move(graph)),
        edges_(Incidence::leaving(*graph_)),
        weights_(scores_.arms()),
        part_(graph_->nodes),
        placed_(graph_->nodes),
        block_(graph_->nodes),
        nodes_(graph_->nodes) {}

  ChosenSet choose(Round t, const random::Dice& dice) override {
    auto draw = dice.ties(t);
    for (Arm arm = 0; arm < weights_.arms(); ++arm) {
      weights_[arm] = std::max(Weight{0}, weight(scores_[arm])) + tie_break(draw);
    }
    join_what_may_not_be_cut();
    place(draw);
    improve();
    cut_ = cut_by(*graph_, part_);
    return {cut_, true};
  }

 private:
  /// Nodes that an edge with a score of -infinity joins stay on one side: they are moved together, as a block.
  void join_what_may_not_be_cut() {
    std::iota(block_.begin(), block_.end(), 0);
    for (std::size_t i = 0; i < graph_->edges.size(); ++i) {
      if (scores_[static_cast<Arm>(i)] != -std::numeric_limits<double>::infinity()) continue;
      const auto [from, to] =
          std::minmax(block_[graph_->edges[i].from], block_[graph_->edges[i].to]);
      if (from != to) std::replace(block_.begin(), block_.end(), int{to}, int{from});
    }
    for (int node = 0; node < graph_->nodes; ++node) nodes_[node].clear();
    for (int node = 0; node < graph_->nodes; ++node) nodes_[block_[node]].push_back(node);
  }

  /// What it would add to the cut if the block changed sides, of edges to nodes that are placed.
  Weight gain(int block) const {
    Weight sum = 0;
    for (const int node : nodes_[block]) {
      for (const auto& step : edges_.at(node)) {
        if (block_[step.node] == block || !placed_[step.node]) continue;
        sum += part_[step.node] == part_[node] ? weights_[step.edge] : -weights_[step.edge];
      }
    }
    return sum;
  }

  void move(int block) {
    for (const int node : nodes_[block]) part_[node] = !part_[node];
  }

  void place(random::KeyedDraw& draw) {
    std::vector<int> order;
    for (int node = 0; node < graph_->nodes; ++node) {
      if (block_[node] == node) order.push_back(node);
    }
    std::fill(placed_.begin(), placed_.end(), false);
    std::fill(part_.begin(), part_.end(), false);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const int ahead = random::uniform_index(draw, static_cast<int>(order.size() - i));
      std::swap(order[i], order[i + at(ahead)]);
      const int block = order[i];
      for (const int node : nodes_[block]) placed_[node] = true;
      if (gain(block) > 0) move(block);
    }
  }

  void improve() {
    int moves_left = 16 * graph_->nodes;
    for (bool moved = true; moved && moves_left > 0;) {
      moved = false;
      for (int block = 0; block < graph_->nodes && moves_left > 0; ++block) {
        if (gain(block) <= 0) continue;
        move(block);
        moved = true;
        --moves_left;
      }
    }
  }

  std::shared_ptr<const Graph> graph_;
  Incidence edges_;
  PerArm<Weight> weights_;
  PerNode<bool> part_;
  PerNode<bool> placed_;
  PerNode<int> block_;  // the lowest node that it is moved with
  PerNode<std::vector<int>>
      nodes_;  // of a block; empty for nodes that are not the lowest of theirs
  std::vector<Arm> cut_;
};

MaxCut::MaxCut(Graph graph) {
  constexpr auto kHere = "MaxCut";
  graph.directed = false;
  graph_ = std::make_shared<const Graph>(std::move(graph));
  check_graph(kHere, *graph_);
  check::within(kHere, "edges", arms(), 1, kMostArms);
  const auto& edges = graph_->edges;
  size_ = static_cast<int>(std::count_if(edges.begin(), edges.end(),
                                         [](const Edge& edge) { return edge.from != edge.to; }));
  if (size_ == 0) {
    throw InvalidParameter(kHere, "edges that are no loops", "0", "there must be an edge to cut");
  }
  name_ = fmt::format("cut({}x{},{})", graph_->nodes, arms(), digest(edges));

  const auto incidence = Incidence::leaving(*graph_);
  PerNode<bool> seen(graph_->nodes);
  for (int node = 0; node < graph_->nodes; ++node) {
    if (seen[node]) {
      movable_.push_back(node);
      continue;
    }
    for (const int reached : reachable(incidence, std::vector{node})) seen[reached] = true;
  }
  auto cuts = all(kMostCutsForExact);
  if (cuts.empty()) return;
  small_ = std::make_unique<const ExplicitList>(arms(), std::move(cuts));
  size_ = small_->size();
}

MaxCut::~MaxCut() = default;

std::unique_ptr<Oracle> MaxCut::oracle() const {
  if (small_) return small_->oracle();
  return std::make_unique<LocalSearch>(graph_);
}

Approximation MaxCut::approximation() const {
  return small_ ? Approximation{} : Approximation{0.5, 1};
}

std::vector<std::vector<Arm>> MaxCut::all(std::size_t most) const {
  std::vector<std::vector<Arm>> cuts;
  constexpr std::size_t kBits = 40;  // more would not fit in memory whatever `most` is
  if (movable_.size() > kBits || (std::size_t{1} << movable_.size()) - 1 > most) return cuts;
  for (std::size_t division = 1; division < std::size_t{1} << movable_.size(); ++division) {
    PerNode<bool> part(graph_->nodes);
    for (std::size_t i = 0; i < movable_.size(); ++i) part[movable_[i]] = (division >> i & 1U) != 0;
    cuts.push_back(cut_by(*graph_, part));
  }
  return cuts;
}

}  // namespace tacit::actions
