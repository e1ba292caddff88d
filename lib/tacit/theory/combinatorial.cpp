#include "tacit/theory/combinatorial.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tacit/core/check.hpp"

namespace tacit::theory {
namespace {

const SetGaps& gaps_of(const char* function, const Instance& instance) {
  if (!instance.sets) {
    throw InvalidParameter(
        function, "actions", fmt::format("sets of up to {} arms", instance.size),
        "must be a list of sets or the bases of a matroid: the gaps of others are not enumerated");
  }
  return *instance.sets;
}

/// What all sets but the best fall short by, when they all do by the same.
double common_gap(const char* function, double least, double largest) {
  if (!(largest - least <= 1e-9 * largest)) {
    throw InvalidParameter(function, "largest gap", fmt::format("{}", largest),
                           fmt::format("must equal the smallest, {}", least));
  }
  return least;
}

double local_factor(double epsilon) { return 64 * std::expm1(epsilon) * std::expm1(epsilon); }

}  // namespace

double laplace_reports_upper(const Instance& instance, double scale) {
  const char* function = "laplace_reports_upper";
  check::positive(function, "scale", scale);
  const SetGaps& gaps = gaps_of(function, instance);
  const double log_t = instance.log_horizon();
  const double width =
      8 * instance.smoothness.b_infinity * (1 + scale);  // its square is 64 B^2 (1 + b)^2
  double sum = instance.arms() * (2 * log_t + 30) * gaps.largest;
  for (double gap : gaps.smallest) {
    if (std::isfinite(gap)) sum += width * width * log_t / gap + (log_t + 1) * gaps.largest;
  }
  return std::min(sum, static_cast<double>(instance.horizon) * gaps.largest);
}

double gaussian_reports_upper(const Instance& instance, double sigma) {
  const char* function = "gaussian_reports_upper";
  check::positive(function, "sigma", sigma);
  const SetGaps& gaps = gaps_of(function, instance);
  if (gaps.largest == 0) return 0;
  // As published, rounds are counted from m + 1.
  const double log_t = std::log(static_cast<double>(instance.horizon) + instance.arms());
  const double width =
      2 * instance.smoothness.b_infinity * (std::sqrt(1.5) + 2 * sigma) / gaps.least;
  const double rounds = width * width * log_t + log_t + std::numbers::pi * std::numbers::pi / 3 + 2;
  return std::min(instance.arms() * rounds, static_cast<double>(instance.horizon)) * gaps.largest;
}

double equal_gaps_local_lower(const Instance& instance) {
  const char* function = "equal_gaps_local_lower";
  check_means(function, instance.means);
  const std::vector<double> positive = positive_gaps(instance.means);
  check::at_least(function, "suboptimal arms", static_cast<std::int64_t>(positive.size()),
                  instance.arms() - 1);
  const double gap =
      common_gap(function, smallest_gap(instance.means), largest_gap(instance.means));
  check::strictly_within(function, "gap", gap, 0, 0.35);
  check::within(function, "best mean",
                *std::max_element(instance.means.begin(), instance.means.end()), 0.15, 0.85);
  return (instance.arms() - 1) / (local_factor(instance.epsilon) * gap) * instance.log_horizon();
}

double disjoint_sets_local_lower(const Instance& instance) {
  const char* function = "disjoint_sets_local_lower";
  const SetGaps& gaps = gaps_of(function, instance);
  const int size = instance.size;
  if (!instance.equal_outcomes) {
    throw InvalidParameter(function, "outcomes", "of their own",
                           "arms of a set must have equal outcomes");
  }
  if (gaps.overlap != Overlap::kDisjoint) {
    throw InvalidParameter(function, "actions", fmt::format("sets of {} arms", size),
                           "must be disjoint sets of the same size");
  }
  const double gap = common_gap(function, gaps.least, gaps.largest);
  check::strictly_within(function, "gap/K", gap / size, 0, 0.35);
  check::within(function, "best mean", gaps.best_value / size, 0.5 - 1e-9, 0.5 + 1e-9);
  return (instance.arms() - size) * size / (local_factor(instance.epsilon) * gap) *
         instance.log_horizon();
}

}  // namespace tacit::theory
