#include "tacit/actions/top_k.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "tacit/actions/choices.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::actions {
namespace {

class TopKOracle final : public Oracle {
 public:
  TopKOracle(int arms, int k)
      : Oracle(arms), leaves_(std::bit_ceil(at(arms))), nodes_(2 * leaves_), k_(at(k)) {
    chosen_.reserve(k_);
    rebuild();
  }

  void set_score(Arm arm, double score) noexcept override {
    Oracle::set_score(arm, score);
    put(arm, {score, 1});
  }
  void set_scores(std::span<const double> scores) noexcept override {
    Oracle::set_scores(scores);
    rebuild();
  }

  ChosenSet choose(Round t, const random::Dice& dice) override {
    auto ties = dice.ties(t);
    chosen_.clear();
    bool tied = false;
    while (chosen_.size() < k_) {
      const std::size_t places = k_ - chosen_.size();
      tied = tied || std::cmp_greater(nodes_[1].count, places);
      const Arm arm = best(tied ? random::uniform_index(ties, nodes_[1].count) : 0);
      chosen_.push_back(arm);
      put(arm, kTaken);
    }
    for (const Arm arm : chosen_) put(arm, {scores_[arm], 1});
    return {chosen_, tied};
  }

  Skipping skipping() const noexcept override { return Skipping::kByOrder; }
  std::span<const Arm> guards(Arm) override { return chosen_; }

 private:
  struct Node {
    double largest;
    int count;  // how many arms below score `largest`; 0: none is left
  };
  static constexpr Node kTaken{-std::numeric_limits<double>::infinity(), 0};

  static Node merged(const Node& a, const Node& b) noexcept {
    if (a.count == 0) return b;
    if (b.count == 0 || a.largest > b.largest) return a;
    if (b.largest > a.largest) return b;
    return {a.largest, a.count + b.count};
  }

  void put(Arm arm, Node node) noexcept {
    std::size_t i = leaves_ + at(arm);
    nodes_[i] = node;
    for (i /= 2; i > 0; i /= 2) nodes_[i] = merged(nodes_[2 * i], nodes_[2 * i + 1]);
  }

  void rebuild() noexcept {
    const auto first_leaf = nodes_.begin() + static_cast<std::ptrdiff_t>(leaves_);
    const auto beyond_the_arms =
        std::transform(scores_.begin(), scores_.end(), first_leaf, [](double score) {
          return Node{score, 1};
        });
    std::fill(beyond_the_arms, nodes_.end(), kTaken);
    for (std::size_t i = leaves_ - 1; i > 0; --i) {
      nodes_[i] = merged(nodes_[2 * i], nodes_[2 * i + 1]);
    }
  }

  /// The arm that comes `skip`-th among those with the largest score.
  Arm best(int skip) const noexcept {
    const double largest = nodes_[1].largest;
    std::size_t i = 1;
    while (i < leaves_) {
      const Node& left = nodes_[2 * i];
      const int there = left.count > 0 && left.largest == largest ? left.count : 0;
      i *= 2;
      if (skip >= there) {
        skip -= there;
        ++i;
      }
    }
    return static_cast<Arm>(i - leaves_);
  }

  std::size_t leaves_;
  std::vector<Node> nodes_;  // 1 is the root, the children of i are 2i and 2i + 1
  std::size_t k_;
  std::vector<Arm> chosen_;
};

}  // namespace

TopK::TopK(int arms, int k) : arms_(arms), k_(k) {
  if (k < 1 || k > arms) {
    throw InvalidParameter("TopK", "K", fmt::format("{}", k),
                           fmt::format("must be from 1 to the number of arms, {}", arms));
  }
}

std::string TopK::name() const { return fmt::format("top:{}", k_); }

std::unique_ptr<Oracle> TopK::oracle() const { return std::make_unique<TopKOracle>(arms_, k_); }

std::vector<std::vector<Arm>> TopK::all(std::size_t most) const {
  std::vector<std::vector<Arm>> actions;
  if (choices(arms_, k_) > static_cast<double>(most)) return actions;
  for_each_choice(arms_, k_, [&](std::span<const int> chosen) {
    actions.emplace_back(chosen.begin(), chosen.end());
  });
  return actions;
}

}  // namespace tacit::actions
