// Action set "scale": another one whose rewards count B times.
//
// The instances of Chen, Zheng, Zhou, Yang, Chen & Wang 2020 have rewards "B_1 times the sum". What is played is the
// same, set for set: the oracle is that of the other. Rewards, gaps, regret and smoothness are B times as large.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"

namespace tacit::actions {

class Scaled final : public ActionSet {
 public:
  /// factor is in [1e-6, 1e6], and what an arm counts at least 1e-6 where `unscaled` is scaled itself: values are kept as
  /// integers, and less would round to nothing. factor times the size of `unscaled` is at most 2^26: they have 64 bits.
  /// Throws InvalidParameter otherwise.
  Scaled(std::shared_ptr<const ActionSet> unscaled, double factor);

  double factor() const noexcept { return factor_; }
  const ActionSet& unscaled() const noexcept { return *unscaled_; }

  int arms() const noexcept override { return unscaled_->arms(); }
  int size() const noexcept override { return unscaled_->size(); }
  /// scale(factor, the other's name).
  std::string name() const override { return name_; }
  std::unique_ptr<Oracle> oracle() const override { return unscaled_->oracle(); }
  /// Never "any K": the reward of a ranked list is the chance of a click, and is not scaled.
  Structure structure() const noexcept override;
  std::span<const std::vector<Arm>> listed() const noexcept override { return unscaled_->listed(); }
  std::vector<std::vector<Arm>> all(std::size_t most) const override {
    return unscaled_->all(most);
  }
  Approximation approximation() const override { return unscaled_->approximation(); }
  Smoothness smoothness() const override;
  GiniSmoothness gini_smoothness() const override;
  bool linear() const noexcept override { return unscaled_->linear(); }
  bool values_are_exact() const noexcept override { return unscaled_->values_are_exact(); }
  std::int64_t value(std::span<const Arm> action, std::span<const double> means) const override;
  std::optional<std::int64_t> best_value(std::span<const double> means) const override;

 private:
  std::unique_ptr<Oracle> oracle_by_edmonds() const override;
  std::int64_t scaled(std::int64_t value) const { return units(factor_ * from_units(value)); }

  std::shared_ptr<const ActionSet> unscaled_;
  double factor_;
  std::string name_;
};

}  // namespace tacit::actions
