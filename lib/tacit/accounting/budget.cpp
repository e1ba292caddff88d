#include "tacit/accounting/budget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacit/core/check.hpp"

namespace tacit::accounting {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Pair {
  double sum;
  double error;
};

/// a + b as the nearest double and what it leaves, exactly (Knuth 1969).
Pair two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {.sum = sum, .error = (a - a_part) + (b - b_part)};
}

double left_of(double total, const UpperSum& spent) { return std::max(0.0, total - spent.value()); }

}  // namespace

UpperSum UpperSum::plus(double term) const {
  const Pair high = two_sum(high_, term);
  const Pair low = two_sum(low_, high.error);
  const double rounded_up = low.error > 0 ? std::nextafter(low.sum, kInfinity) : low.sum;
  const Pair normal = two_sum(high.sum, rounded_up);
  UpperSum result;
  result.high_ = normal.sum;
  result.low_ = normal.error;
  return result;
}

Filter::Filter(const Cost& total, Rule rule) : total_(total), rule_(rule) {
  check::positive("Filter", "epsilon", total.epsilon);
  check::within("Filter", "delta", total.delta, 0, 1);
  if (rule == Rule::kConcentrated) total_rho_ = zcdp_rho(total) * (1 - 0x1p-40);  // rounded down
}

Filter::Filter(Filter&& other) noexcept
    : total_(std::exchange(other.total_, {})),
      rule_(other.rule_),
      total_rho_(std::exchange(other.total_rho_, 0)),
      epsilon_(std::exchange(other.epsilon_, {})),
      delta_(std::exchange(other.delta_, {})),
      rho_(std::exchange(other.rho_, {})) {}

bool Filter::try_spend(const Cost& cost) {
  check::within("Filter::try_spend", "epsilon", cost.epsilon, 0, 1e300);
  check::within("Filter::try_spend", "delta", cost.delta, 0, 1);
  if (rule_ == Rule::kConcentrated) {
    check::within("Filter::try_spend", "delta", cost.delta, 0, 0);
    // rho_of_pure is right to a few units in the last place; this is above it. The smallest double is for
    // an epsilon whose square underflows: it costs, too.
    const double least = cost.epsilon > 0 ? std::numeric_limits<double>::denorm_min() : 0;
    return try_spend_rho(rho_of_pure(cost.epsilon) * (1 + 0x1p-50) + least);
  }
  const UpperSum epsilon = epsilon_.plus(cost.epsilon);
  const UpperSum delta = delta_.plus(cost.delta);
  if (!epsilon.at_most(total_.epsilon) || !delta.at_most(total_.delta)) return false;
  epsilon_ = epsilon;
  delta_ = delta;
  return true;
}

bool Filter::try_spend_rho(double rho) {
  check::within("Filter::try_spend_rho", "rho", rho, 0, 1e300);
  if (rule_ != Rule::kConcentrated) {
    throw InvalidParameter("Filter::try_spend_rho", "rho", fmt::format("{}", rho),
                           "must be spent from a filter of the concentrated rule");
  }
  const UpperSum sum = rho_.plus(rho);
  if (!sum.at_most(total_rho_)) return false;
  rho_ = sum;
  return true;
}

void Filter::spend(const Cost& cost) {
  if (try_spend(cost)) return;
  if (rule_ == Rule::kConcentrated) {
    throw BudgetExceeded(fmt::format(
        "release of epsilon {:.6g} (rho {:.6g}) refused: rho {:.6g} of {:.6g} left", cost.epsilon,
        rho_of_pure(cost.epsilon), left_of(total_rho_, rho_), total_rho_));
  }
  const double epsilon = left_of(total_.epsilon, epsilon_);
  if (cost.delta == 0 && total_.delta == 0) {
    throw BudgetExceeded(fmt::format("release of epsilon {:.6g} refused: {:.6g} of {:.6g} left",
                                     cost.epsilon, epsilon, total_.epsilon));
  }
  throw BudgetExceeded(
      fmt::format("release of epsilon {:.6g}, delta {:.6g} refused: epsilon {:.6g} of {:.6g}, "
                  "delta {:.6g} of {:.6g} left",
                  cost.epsilon, cost.delta, epsilon, total_.epsilon, left_of(total_.delta, delta_),
                  total_.delta));
}

void Filter::spend_rho(double rho) {
  if (try_spend_rho(rho)) return;
  throw BudgetExceeded(fmt::format("release of rho {:.6g} refused: {:.6g} of {:.6g} left", rho,
                                   left_of(total_rho_, rho_), total_rho_));
}

Cost Filter::spent() const {
  if (rule_ == Rule::kAddition) return {.epsilon = epsilon_.value(), .delta = delta_.value()};
  if (rho_ == UpperSum()) return {};
  return {.epsilon = zcdp_epsilon(rho_.value(), total_.delta), .delta = total_.delta};
}

}  // namespace tacit::accounting
