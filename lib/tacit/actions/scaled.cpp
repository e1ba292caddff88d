#include "tacit/actions/scaled.hpp"

#include <utility>

#include <fmt/format.h>

#include "tacit/core/check.hpp"

namespace tacit::actions {

Scaled::Scaled(std::shared_ptr<const ActionSet> unscaled, double factor)
    : unscaled_(std::move(unscaled)), factor_(check::positive("Scaled", "factor", factor)) {
  constexpr double kLargest = 1e6;
  constexpr double kLargestReward = 0x1p26;
  check::within("Scaled", "factor", factor, 0, kLargest);
  // No reward is more than what its arms can move it by.
  check::within("Scaled", "largest reward", factor * unscaled_->smoothness().b_infinity, 0,
                kLargestReward);
  name_ = fmt::format("scale({},{})", factor, unscaled_->name());
}

std::unique_ptr<Oracle> Scaled::oracle_by_edmonds() const {
  return are_bases(unscaled_->structure()) ? unscaled_->oracle_for(Start::kEdmonds) : nullptr;
}

Structure Scaled::structure() const noexcept {
  return are_bases(unscaled_->structure()) ? Structure::kMatroid : Structure::kOther;
}

Smoothness Scaled::smoothness() const {
  const Smoothness before = unscaled_->smoothness();
  return {factor_ * before.b1, factor_ * before.b_infinity};
}

GiniSmoothness Scaled::gini_smoothness() const {
  const GiniSmoothness before = unscaled_->gini_smoothness();
  return {factor_ * before.gamma_infinity, factor_ * before.gamma_g};
}

std::int64_t Scaled::value(std::span<const Arm> action, std::span<const double> means) const {
  return scaled(unscaled_->value(action, means));
}

std::optional<std::int64_t> Scaled::best_value(std::span<const double> means) const {
  const std::optional<std::int64_t> best = unscaled_->best_value(means);
  return best ? std::optional(scaled(*best)) : std::nullopt;
}

}  // namespace tacit::actions
