#include "tacit/actions/top_k.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::actions {
namespace {

class TopKOracle final : public Oracle {
 public:
  TopKOracle(int arms, int k)
      : Oracle(arms),
        leaves_(std::bit_ceil(static_cast<std::size_t>(arms))),
        nodes_(2 * leaves_),
        k_(static_cast<std::size_t>(k)) {
    chosen_.reserve(k_);
    rebuild();
  }

  void set_score(Arm arm, double score) noexcept override {
    Oracle::set_score(arm, score);
    put(static_cast<std::size_t>(arm), {score, 1});
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
      tied = tied || static_cast<std::size_t>(nodes_[1].count) > places;
      const std::size_t arm = best(tied ? random::uniform_index(ties, nodes_[1].count) : 0);
      chosen_.push_back(static_cast<Arm>(arm));
      put(arm, kTaken);
    }
    for (const Arm arm : chosen_) {
      const auto a = static_cast<std::size_t>(arm);
      put(a, {scores_[a], 1});
    }
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

  void put(std::size_t arm, Node node) noexcept {
    std::size_t i = leaves_ + arm;
    nodes_[i] = node;
    for (i /= 2; i > 0; i /= 2) nodes_[i] = merged(nodes_[2 * i], nodes_[2 * i + 1]);
  }

  void rebuild() noexcept {
    std::fill(nodes_.begin() + static_cast<std::ptrdiff_t>(leaves_), nodes_.end(), kTaken);
    for (std::size_t i = 0; i < scores_.size(); ++i) nodes_[leaves_ + i] = {scores_[i], 1};
    for (std::size_t i = leaves_ - 1; i > 0; --i) {
      nodes_[i] = merged(nodes_[2 * i], nodes_[2 * i + 1]);
    }
  }

  /// The arm that comes `skip`-th among those with the largest score.
  std::size_t best(int skip) const noexcept {
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
    return i - leaves_;
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

}  // namespace tacit::actions
