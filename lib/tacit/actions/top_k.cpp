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
  TopKOracle(int arms, int k) : Oracle(arms), leaves_(std::bit_ceil(at(arms))), k_(at(k)) {
    if (!has_few_arms()) nodes_.resize(2 * leaves_);
    chosen_.reserve(k_);
    largest_.reserve(k_);
    equal_.reserve(at(arms));
  }

  void set_score(Arm arm, double score) noexcept override {
    Oracle::set_score(arm, score);
    if (tree_stands_) put(arm, {score, 1});
  }
  void set_scores(std::span<const double> scores) noexcept override {
    Oracle::set_scores(scores);
    tree_stands_ = false;
    all_are_new_ = true;
  }

  ChosenSet choose(Round t, const random::Dice& dice) override {
    const bool look = has_few_arms() || (all_are_new_ && k_ <= kFewPlaces);
    all_are_new_ = false;
    if (look) return choose_by_looking(t, dice);
    if (!tree_stands_) rebuild();
    return choose_by_tree(t, dice);
  }

  Skipping skipping() const noexcept override { return Skipping::kByOrder; }
  std::span<const Arm> guards(Arm) override { return chosen_; }

 private:
  // Up to here looking at every arm is cheaper than keeping a tree, whatever changed in between.
  static constexpr int kFewArms = 64;
  // Up to here an arm is put among the best ones so far by moving those behind it.
  static constexpr std::size_t kFewPlaces = 16;

  bool has_few_arms() const noexcept { return scores_.arms() <= kFewArms; }

  // ---- by looking

  ChosenSet choose_by_looking(Round t, const random::Dice& dice) {
    const bool tied = find_largest();
    if (tied) [[unlikely]]
      draw_last_places(t, dice);
    return {chosen_, tied};
  }

  /// The arms with the largest scores, of equal ones the first, largest first. Whether another scores as the last of
  /// them does.
  bool find_largest() noexcept {
    chosen_.clear();
    largest_.clear();
    Arm arm = 0;
    for (; chosen_.size() < k_; ++arm) {
      chosen_.push_back(arm);
      largest_.push_back(scores_[arm]);
      sink_last();
    }
    bool tied = false;
    for (; arm < scores_.arms(); ++arm) {
      const double score = scores_[arm];
      const double last = largest_.back();
      if (score > last) {
        chosen_.back() = arm;
        largest_.back() = score;
        sink_last();
        tied = largest_.back() == last;
      } else {
        tied = tied || score == last;
      }
    }
    return tied;
  }
  /// To its place among those before it, which are in order.
  void sink_last() noexcept {
    std::size_t i = largest_.size() - 1;
    const double score = largest_[i];
    const Arm arm = chosen_[i];
    for (; i > 0 && largest_[i - 1] < score; --i) {
      largest_[i] = largest_[i - 1];
      chosen_[i] = chosen_[i - 1];
    }
    largest_[i] = score;
    chosen_[i] = arm;
  }
  /// More arms score as the last one does than there are places: drawn one by one, as the tree does.
  void draw_last_places(Round t, const random::Dice& dice) {
    const double last = largest_.back();
    equal_.clear();
    for (Arm arm = 0; arm < scores_.arms(); ++arm) {
      if (scores_[arm] == last) equal_.push_back(arm);
    }
    auto ties = dice.ties(t);
    for (std::size_t i = 0; i < k_; ++i) {
      if (largest_[i] > last) continue;
      const auto drawn =
          equal_.begin() + random::uniform_index(ties, static_cast<int>(equal_.size()));
      chosen_[i] = *drawn;
      equal_.erase(drawn);
    }
  }

  // ---- by a tree

  ChosenSet choose_by_tree(Round t, const random::Dice& dice) {
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
    tree_stands_ = true;
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
  std::vector<Node> nodes_;   // 1 is the root, the children of i are 2i and 2i + 1
  bool tree_stands_ = false;  // the nodes are those of the scores
  bool all_are_new_ = true;   // since the last choice
  std::size_t k_;
  std::vector<Arm> chosen_;
  std::vector<double> largest_;  // their scores, while looking
  std::vector<Arm> equal_;
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
