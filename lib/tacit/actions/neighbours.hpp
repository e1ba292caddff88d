// Action set "neighbours": one arm is played, and what its neighbours in a graph would have given is seen too (Alon, Cesa-Bianchi,
// Gentile, Mannor, Mansour & Shamir 2017, graph-structured feedback; here with outcomes that are drawn).
//
// Playing an arm shows the arms of its row, itself among them. That is a set under semi-bandit feedback whose reward is the mean of
// the arm that was played, so that every policy on sets plays it, and its guarantee counts all that is shown: K is the longest
// row. B_1 = B_inf = 1. A round tells a set by its arms, so that no two rows may be the same: they would not say which arm was
// played (where all show all there is full information, which has policies of its own).
//
// The oracle: the arm of the largest score, O(arms in all rows), ties at random. A row with a score of minus infinity comes last.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"

namespace tacit::actions {

class Neighbours final : public ActionSet {
 public:
  /// shown[a]: what playing arm a shows, a among it; distinct arms in 0..size-1, no two rows the same set. Throws
  /// InvalidParameter otherwise.
  explicit Neighbours(std::vector<std::vector<Arm>> shown);

  int arms() const noexcept override { return static_cast<int>(shown_->size()); }
  int size() const noexcept override { return size_; }
  /// neighbours(arms, digest of the rows).
  std::string name() const override { return name_; }
  /// Its choices are in the order of the rows.
  std::unique_ptr<Oracle> oracle() const override;
  Smoothness smoothness() const override { return Smoothness::from_b_infinity(1); }
  GiniSmoothness gini_smoothness() const override { return {1, 0.5}; }
  std::int64_t value(std::span<const Arm> action, std::span<const double> means) const override;
  /// Row a is the action of arm a.
  std::vector<std::vector<Arm>> all(std::size_t most) const override;

  /// The arm that is played when these are shown, in any order.
  Arm played(std::span<const Arm> action) const;

 private:
  using Rows = std::vector<std::vector<Arm>>;
  class LargestScore;

  std::shared_ptr<const Rows> shown_;
  std::map<std::vector<Arm>, Arm> played_;  // by what is shown, sorted
  int size_ = 0;
  std::string name_;
};

}  // namespace tacit::actions
