#include "tacit/actions/scaled.hpp"

#include <utility>

#include <fmt/format.h>

#include "tacit/core/check.hpp"

namespace tacit::actions {
namespace {

// Values are rounded to units of 2^-36: to 7.3e-6 of what an arm of mean 1 is worth with the smallest.
constexpr double kSmallest = 1e-6;
static_assert(ActionSet::kValueBits == 36);
constexpr double kLargest = 1e6;
constexpr double kLargestReward = 0x1p26;

}  // namespace

Scaled::Scaled(std::shared_ptr<const ActionSet> unscaled, double factor)
    : unscaled_(std::move(unscaled)),
      factor_(check::within("Scaled", "factor", factor, kSmallest, kLargest)) {
  // Of a set that is scaled itself, too. No reward is more than what its arms can move it by.
  const Smoothness smoothness = this->smoothness();
  check::within("Scaled", "reward of an arm", smoothness.b1, kSmallest, kLargestReward);
  check::within("Scaled", "largest reward", smoothness.b_infinity, kSmallest, kLargestReward);
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
