// Action set "approximate": another one whose oracle is as bad as an (alpha, beta)-approximate one may be.
//
// Definition 1 of Chen, Zheng, Zhou, Yang, Chen & Wang 2020: an oracle that finds, with probability beta, a set worth
// alpha times the best for the scores. Real oracles are mostly better than what is proved of them; to see what alpha and
// beta do to regret, this one is not:
//   with probability beta      the worst set that is worth alpha times the best or more,
//   with probability 1 - beta  the worst set of all.
// The coin is public, one for each round (random::Dice), and does not depend on the scores.
//
// All actions are looked at for every choice, so there may be 1000 of them at most. Rewards must not be below 0, or a
// share of the best says nothing (paths); and they must be computed, not estimated (influence on more than 16 edges).
// Scores count within [0, 1]: +infinity is 1, and a set with a score of -infinity is not looked at as long as there are
// others. Sets of the same value are drawn from uniformly. The coin changes every round, so nothing is skipped.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"

namespace tacit::actions {

class Approximate final : public ActionSet {
 public:
  static constexpr std::size_t kMostActions = 1000;

  /// alpha and beta are in (0, 1]. Throws InvalidParameter otherwise, and for action sets as above.
  Approximate(std::shared_ptr<const ActionSet> exact, double alpha, double beta);

  int arms() const noexcept override { return exact_->arms(); }
  int size() const noexcept override { return exact_->size(); }
  /// approximate(alpha, beta, the other's name).
  std::string name() const override { return name_; }
  std::unique_ptr<Oracle> oracle() const override;
  std::vector<std::vector<Arm>> all(std::size_t most) const override;
  /// As asked for, whatever the other's own oracle is.
  Approximation approximation() const override { return oracle_; }
  Smoothness smoothness() const override { return exact_->smoothness(); }
  GiniSmoothness gini_smoothness() const override { return exact_->gini_smoothness(); }
  bool linear() const noexcept override { return exact_->linear(); }
  std::int64_t value(std::span<const Arm> action, std::span<const double> means) const override {
    return exact_->value(action, means);
  }
  std::optional<std::int64_t> best_value(std::span<const double> means) const override;

 private:
  class Worst;

  std::shared_ptr<const ActionSet> exact_;
  Approximation oracle_;
  std::string name_;
  std::shared_ptr<const std::vector<std::vector<Arm>>> actions_;
};

}  // namespace tacit::actions
