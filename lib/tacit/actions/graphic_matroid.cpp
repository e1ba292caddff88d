#include "tacit/actions/graphic_matroid.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tacit/actions/position.hpp"
#include "tacit/core/check.hpp"

namespace tacit::actions {
namespace {

class Forest final : public IndependentSet {
 public:
  Forest(int nodes, const std::vector<Edge>& edges)
      : edges_(edges),
        leader_(at(nodes)),
        size_(at(nodes)),
        first_(at(nodes) + 1),
        depth_(at(nodes)),
        up_(at(nodes)) {
    clear();
  }

  void clear() noexcept override {
    std::iota(leader_.begin(), leader_.end(), 0);
    std::fill(size_.begin(), size_.end(), 1);
    members_.clear();
  }

  bool add(Arm arm) override {
    int a = find(edges_[at(arm)].from);
    int b = find(edges_[at(arm)].to);
    if (a == b) return false;
    if (size_[at(a)] < size_[at(b)]) std::swap(a, b);
    leader_[at(b)] = a;
    size_[at(a)] += size_[at(b)];
    members_.push_back(arm);
    rooted_ = false;
    return true;
  }

  /// The path between the ends of the edge, which a basis puts into the same tree.
  void circuit(Arm outside, std::vector<Arm>& members) override {
    if (!rooted_) root();
    int a = edges_[at(outside)].from;
    int b = edges_[at(outside)].to;
    while (a != b) {
      int& lower = depth_[at(a)] >= depth_[at(b)] ? a : b;
      const Arm arm = up_[at(lower)];
      members.push_back(arm);
      lower = other_end(arm, lower);
    }
  }

 private:
  int other_end(Arm arm, int node) const {
    const Edge& edge = edges_[at(arm)];
    return edge.from == node ? edge.to : edge.from;
  }

  int find(int node) noexcept {
    while (leader_[at(node)] != node) {
      leader_[at(node)] = leader_[at(leader_[at(node)])];
      node = leader_[at(node)];
    }
    return node;
  }

  void root() {
    // The members at node v are incident_[first_[v]..first_[v + 1] - 1].
    std::fill(first_.begin(), first_.end(), 0);
    for (const Arm arm : members_) {
      ++first_[at(edges_[at(arm)].from)];
      ++first_[at(edges_[at(arm)].to)];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    incident_.resize(2 * members_.size());
    for (const Arm arm : members_) {
      incident_[--first_[at(edges_[at(arm)].from)]] = arm;
      incident_[--first_[at(edges_[at(arm)].to)]] = arm;
    }
    std::fill(depth_.begin(), depth_.end(), -1);
    for (std::size_t start = 0; start < depth_.size(); ++start) {
      if (depth_[start] >= 0) continue;
      depth_[start] = 0;
      queue_.assign(1, static_cast<int>(start));
      for (std::size_t next = 0; next < queue_.size(); ++next) {
        const int node = queue_[next];
        for (std::size_t i = first_[at(node)]; i < first_[at(node) + 1]; ++i) {
          const int child = other_end(incident_[i], node);
          if (depth_[at(child)] >= 0) continue;
          depth_[at(child)] = depth_[at(node)] + 1;
          up_[at(child)] = incident_[i];
          queue_.push_back(child);
        }
      }
    }
    rooted_ = true;
  }

  const std::vector<Edge>& edges_;
  std::vector<int> leader_;  // union-find, by node
  std::vector<int> size_;
  std::vector<Arm> members_;
  bool rooted_ = false;  // whether what follows belongs to the members
  std::vector<std::size_t> first_;
  std::vector<Arm> incident_;
  std::vector<int> depth_;
  std::vector<Arm> up_;  // by node, but for roots: the edge to its parent
  std::vector<int> queue_;
};

}  // namespace

GraphicMatroid::GraphicMatroid(int nodes, std::vector<Edge> edges)
    : nodes_(static_cast<int>(check::at_least("GraphicMatroid", "nodes", nodes, 1))),
      edges_(std::move(edges)) {
  for (std::size_t arm = 0; arm < edges_.size(); ++arm) {
    for (const int end : {edges_[arm].from, edges_[arm].to}) {
      if (end >= 0 && end < nodes) continue;
      throw InvalidParameter("GraphicMatroid", fmt::format("end of edge {}", arm),
                             fmt::format("{}", end),
                             fmt::format("must be one of the {} nodes, numbered from 0", nodes));
    }
  }
}

std::unique_ptr<IndependentSet> GraphicMatroid::empty_set() const {
  return std::make_unique<Forest>(nodes_, edges_);
}

}  // namespace tacit::actions
