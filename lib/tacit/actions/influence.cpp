#include "tacit/actions/influence.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tacit/actions/choices.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/actions/seed_search.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::actions {
namespace {

std::vector<double> probabilities(std::span<const double> scores) {
  std::vector<double> clipped;
  clipped.reserve(scores.size());
  for (const double score : scores) clipped.push_back(std::clamp(score, 0.0, 1.0));
  return clipped;
}

std::vector<Arm> edges_reached(const Incidence& leaving, std::span<const int> seeds) {
  std::vector<Arm> edges;
  for (const int node : reachable(leaving, seeds)) {
    for (const auto& step : leaving.at(node)) edges.push_back(step.edge);
  }
  return edges;
}

}  // namespace

class Influence::SpreadOracle final : public Oracle {
 public:
  SpreadOracle(const Graph& graph, std::shared_ptr<const Incidence> leaving, int count,
               double epsilon, double delta)
      : Oracle(static_cast<int>(graph.edges.size())),
        leaving_(std::move(leaving)),
        search_(graph, count, epsilon, delta) {}

  ChosenSet choose(Round t, const random::Dice& dice) override {
    action_ = edges_reached(*leaving_, search_.run(probabilities(scores_), t, dice).seeds);
    return {action_, true};
  }

 private:
  std::shared_ptr<const Incidence> leaving_;
  SeedSearch search_;
  std::vector<Arm> action_;
};

/// For every node the reverse-reachable sets that contain it.
struct Influence::Sample {
  std::vector<double> means;
  PerNode<std::vector<int>> sets_with;
};

Influence::Influence(Graph graph, int count, double epsilon, std::optional<double> delta)
    : graph_(std::make_shared<const Graph>(std::move(graph))),
      count_(count),
      epsilon_(epsilon),
      delta_(delta ? *delta : 1.0 / std::max(2, graph_->nodes)) {
  check_graph("Influence", *graph_);
  const SeedSearch search(*graph_, count, epsilon_, delta_);  // checks the rest
  leaving_ = std::make_shared<const Incidence>(Incidence::leaving(*graph_));
  name_ = fmt::format("influence({}x{},{},{},{},{})", graph_->nodes, graph_->edges.size(), count,
                      epsilon_, delta_, digest(graph_->edges));

  constexpr double kMostWork = 1e8;
  if (static_cast<double>(graph_->nodes) * arms() > kMostWork) {
    size_ = arms();
    b1_ = graph_->nodes;
    reach_ = graph_->nodes;
    return;
  }
  PerNode<bool> is_head(graph_->nodes);
  for (const Edge& edge : graph_->edges) is_head[edge.to] = true;
  std::vector<int> edges_from;
  std::vector<int> nodes_from;
  for (int node = 0; node < graph_->nodes; ++node) {
    const auto nodes = reachable(*leaving_, std::span(&node, 1));
    if (is_head[node]) b1_ = std::max(b1_, static_cast<double>(nodes.size()));
    nodes_from.push_back(static_cast<int>(nodes.size()));
    int edges = 0;
    for (const int reached : nodes) edges += static_cast<int>(leaving_->at(reached).size());
    edges_from.push_back(edges);
  }
  std::sort(edges_from.begin(), edges_from.end(), std::greater<>());
  for (const int edges : std::span(edges_from).first(at(count))) {
    size_ = std::min(arms(), size_ + edges);
  }
  std::sort(nodes_from.begin(), nodes_from.end(), std::greater<>());
  for (const int nodes : std::span(nodes_from).first(at(count))) {
    reach_ = std::min(graph_->nodes, reach_ + nodes);
  }
}

std::unique_ptr<Oracle> Influence::oracle() const {
  return std::make_unique<SpreadOracle>(*graph_, leaving_, count_, epsilon_, delta_);
}

Approximation Influence::approximation() const {
  return {1 - 1 / std::numbers::e - epsilon_, 1 - delta_};
}

std::vector<Arm> Influence::action(std::span<const int> seeds) const {
  return edges_reached(*leaving_, seeds);
}

std::vector<int> Influence::seeds(std::span<const Arm> action) const {
  std::vector<int> found;
  for (const Arm arm : action) {
    if (std::ssize(found) == count_) break;
    const int node = graph_->edges[at(arm)].from;
    if (std::find(found.begin(), found.end(), node) == found.end()) found.push_back(node);
  }
  // The order in which seeds were found must not move the last bit of a value.
  std::sort(found.begin(), found.end());
  return found;
}

std::int64_t Influence::value(std::span<const Arm> action, std::span<const double> means) const {
  const std::vector<int> from = seeds(action);
  if (arms() <= kMostEdgesForExact) return units(exact_spread(from, means));
  const auto current = sample(means);
  Indexed<bool> hit(kSetsForValue);
  std::int64_t hits = 0;
  for (const int seed : from) {
    for (const int set : current->sets_with[seed]) {
      if (hit[set]) continue;
      hit[set] = true;
      ++hits;
    }
  }
  return units(static_cast<double>(graph_->nodes) * static_cast<double>(hits) / kSetsForValue);
}

GiniSmoothness Influence::gini_smoothness() const {
  const double of_the_range = (reach_ - count_) / 2.0;
  return {b1_, std::min(of_the_range, b1_ * std::sqrt(size_) / 2)};
}

std::optional<std::int64_t> Influence::best_value(std::span<const double> means) const {
  return best_of_all(means, 1000);
}

std::vector<std::vector<Arm>> Influence::all(std::size_t most) const {
  std::vector<std::vector<Arm>> actions;
  const SeedSearch search(*graph_, count_, epsilon_, delta_);
  const auto nodes = search.candidates();
  if (choices(static_cast<int>(nodes.size()), count_) > static_cast<double>(most)) return actions;
  std::vector<int> chosen(at(count_));
  for_each_choice(static_cast<int>(nodes.size()), count_, [&](std::span<const int> places) {
    std::transform(places.begin(), places.end(), chosen.begin(),
                   [&](int place) { return nodes[at(place)]; });
    actions.push_back(action(chosen));
  });
  return actions;
}

double Influence::exact_spread(std::span<const int> seeds, std::span<const double> means) const {
  // Follows a cascade and branches at every edge that it tries. An edge into a node that is reached
  // already decides nothing, so far fewer than 2^edges branches remain.
  PerNode<bool> reached(graph_->nodes);
  std::vector<Arm> waiting;
  double spread = 0;
  const auto reach = [&](int node) {
    reached[node] = true;
    for (const auto& step : leaving_->at(node)) waiting.push_back(step.edge);
  };
  for (const int seed : seeds) reach(seed);
  const auto cascade = [&](const auto& self, std::size_t tried, double probability) -> void {
    while (tried < waiting.size()) {
      const std::size_t edge = at(waiting[tried++]);
      const int head = graph_->edges[edge].to;
      const double p = std::clamp(means[edge], 0.0, 1.0);
      if (reached[head] || p == 0) continue;
      const std::size_t before = waiting.size();
      reach(head);
      self(self, tried, probability * p);
      waiting.resize(before);
      reached[head] = false;
      probability *= 1 - p;
      if (probability == 0) return;
    }
    spread += probability * static_cast<double>(std::count(reached.begin(), reached.end(), true));
  };
  cascade(cascade, 0, 1);
  return spread;
}

std::shared_ptr<const Influence::Sample> Influence::sample(std::span<const double> means) const {
  const std::scoped_lock lock(mutex_);
  if (latest_ && std::equal(means.begin(), means.end(), latest_->means.begin())) return latest_;
  auto fresh = std::make_shared<Sample>();
  fresh->means.assign(means.begin(), means.end());
  fresh->sets_with = PerNode<std::vector<int>>(graph_->nodes);
  const std::vector<double> p = probabilities(means);
  const random::Dice dice = random::Dice::named("value", name_);
  BackwardWalk walk(*graph_);
  for (int set = 0; set < kSetsForValue; ++set) {
    auto root = dice.ties(set, ~std::uint64_t{0});
    const auto nodes = walk.from(random::uniform_index(root, graph_->nodes), [&](Arm edge) {
      auto coin = dice.ties(set, static_cast<std::uint64_t>(edge));
      return random::bernoulli(coin, p[at(edge)]);
    });
    for (const int node : nodes) fresh->sets_with[node].push_back(set);
  }
  latest_ = std::move(fresh);
  return latest_;
}

}  // namespace tacit::actions
