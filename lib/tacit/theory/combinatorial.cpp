#include "tacit/theory/combinatorial.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tacit/core/check.hpp"

namespace tacit::theory {
namespace {

/// Unless all but the best fall short by the same.
std::optional<Refusal> unless_gaps_are_equal(const char* function, double least, double largest) {
  if (largest - least <= 1e-9 * largest) return {};
  return Refusal{Parameter{function, "largest gap"}, fmt::format("{}", largest),
                 fmt::format("must equal the smallest, {}", least)};
}

double local_factor(double epsilon) { return 64 * std::expm1(epsilon) * std::expm1(epsilon); }

}  // namespace

Number laplace_reports_upper(const Instance& instance, double scale) {
  const char* function = "laplace_reports_upper";
  if (auto unmet = check::unless_positive(function, "scale", scale)) return *unmet;
  if (auto unmet = unless_gaps_are_known(function, instance)) return *unmet;
  const SetGaps& gaps = *instance.sets;
  const double log_t = instance.log_horizon();
  const double width =
      8 * instance.smoothness.b_infinity * (1 + scale);  // its square is 64 B^2 (1 + b)^2
  double sum = instance.arms() * (2 * log_t + 30) * gaps.largest;
  for (double gap : gaps.smallest) {
    if (std::isfinite(gap)) sum += width * width * log_t / gap + (log_t + 1) * gaps.largest;
  }
  return std::min(sum, static_cast<double>(instance.horizon) * gaps.largest);
}

Number gaussian_reports_upper(const Instance& instance, double sigma) {
  const char* function = "gaussian_reports_upper";
  if (auto unmet = check::unless_positive(function, "sigma", sigma)) return *unmet;
  if (auto unmet = unless_gaps_are_known(function, instance)) return *unmet;
  const SetGaps& gaps = *instance.sets;
  if (gaps.largest == 0) return 0.0;
  // As published, rounds are counted from m + 1.
  const double log_t = std::log(static_cast<double>(instance.horizon) + instance.arms());
  const double width =
      2 * instance.smoothness.b_infinity * (std::sqrt(1.5) + 2 * sigma) / gaps.least;
  const double rounds = width * width * log_t + log_t + std::numbers::pi * std::numbers::pi / 3 + 2;
  return std::min(instance.arms() * rounds, static_cast<double>(instance.horizon)) * gaps.largest;
}

Number equal_gaps_local_lower(const Instance& instance) {
  const char* function = "equal_gaps_local_lower";
  check_means(function, instance.means);
  if (auto unmet = unless_exact_oracle(function, instance)) return *unmet;
  if (auto unmet = check::unless_within(function, "arms in a set", instance.size, 1, 1))
    return *unmet;
  const std::vector<double> positive = positive_gaps(instance.means);
  const auto suboptimal = static_cast<std::int64_t>(positive.size());
  const int others = instance.arms() - 1;
  const double gap = smallest_gap(instance.means);
  const double best = *std::max_element(instance.means.begin(), instance.means.end());
  for (const auto& unmet : {check::unless_at_least(function, "suboptimal arms", suboptimal, others),
                            unless_gaps_are_equal(function, gap, largest_gap(instance.means)),
                            check::unless_strictly_within(function, "gap", gap, 0, 0.35),
                            check::unless_within(function, "best mean", best, 0.15, 0.85)}) {
    if (unmet) return *unmet;
  }
  return others / (local_factor(instance.epsilon.value()) * gap) * instance.log_horizon();
}

Number disjoint_sets_local_lower(const Instance& instance) {
  const char* function = "disjoint_sets_local_lower";
  if (auto unmet = unless_gaps_are_known(function, instance)) return *unmet;
  const SetGaps& gaps = *instance.sets;
  const int size = instance.size;
  if (!instance.equal_outcomes) {
    return Refusal{Parameter{function, "outcomes"}, "of their own",
                   "arms of a set must have equal outcomes"};
  }
  if (gaps.overlap != Overlap::kDisjoint) {
    return Refusal{Parameter{function, "actions"}, fmt::format("sets of {} arms", size),
                   "must be disjoint sets of the same size"};
  }
  const double best = gaps.best_value / size;
  for (const auto& unmet :
       {unless_gaps_are_equal(function, gaps.least, gaps.largest),
        check::unless_strictly_within(function, "gap/K", gaps.least / size, 0, 0.35),
        check::unless_within(function, "best mean", best, 0.5 - 1e-9, 0.5 + 1e-9)}) {
    if (unmet) return *unmet;
  }
  return (instance.arms() - size) * size / (local_factor(instance.epsilon.value()) * gaps.least) *
         instance.log_horizon();
}

}  // namespace tacit::theory
