#include "tacit/theory/optimistic_sets.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/laplace_sum.hpp"
#include "tacit/theory/classic.hpp"
#include "tacit/theory/noise_of.hpp"
#include "tacit/theory/tails.hpp"

namespace tacit::theory {
namespace {

/// The integral of a radius from one number of observations to another.
double area(const Radius& radius, double from, double to) {
  return 2 * std::sqrt(radius.root) * (std::sqrt(to) - std::sqrt(from)) +
         (radius.linear > 0 ? radius.linear * std::log(to / from) : 0);
}

/// (1): the integral of 2 B_1 min(1, 2 radius) - gap/K where that is positive.
double paid_by_every_arm(const Radius& radius, double b1, double share) {
  const double most = 2 * b1;
  if (share >= most) return 0;
  const double clipped = radius.reaches(0.5);
  const double last = radius.reaches(share / (4 * b1));
  return most * clipped + 4 * b1 * area(radius, clipped, last) - share * last;
}

/// (2): the integral of min(most, 2 B_inf radius) up to where it falls to the gap.
double paid_by_the_least_observed(const Radius& radius, double b_infinity, double most,
                                  double gap) {
  const double clipped = radius.reaches(most / (2 * b_infinity));
  const double last = std::max(clipped, radius.reaches(gap / (2 * b_infinity)));
  return most * clipped + 2 * b_infinity * area(radius, clipped, last);
}

bool contains(const std::vector<Arm>& arms, Arm arm) {
  return std::find(arms.begin(), arms.end(), arm) != arms.end();
}

}  // namespace

double Radius::at(double n) const { return std::sqrt(root / n) + linear / n; }

double Radius::reaches(double level) const {
  // linear x^2 + sqrt(root) x = level at x = 1/sqrt n, in the form that does not cancel.
  const double width = std::sqrt(root) + std::sqrt(root + 4 * linear * level);
  const double inverse = width / (2 * level);
  return inverse * inverse;
}

Number optimistic_sets_upper(const Instance& instance, const Radius& radius, Recorded recorded,
                             double stray) {
  const char* function = "optimistic_sets_upper";
  check_instance(function, instance);
  if (auto unmet = unless_gaps_are_known(function, instance)) return *unmet;
  const SetGaps& gaps = *instance.sets;
  const double all_rounds = static_cast<double>(instance.horizon) * gaps.largest;
  if (radius.root == 0 && radius.linear == 0) return all_rounds;  // a single round
  const auto& [b1, b_infinity] = instance.smoothness;
  double every = 0;
  double least = 0;
  for (double gap : gaps.smallest) {
    if (!std::isfinite(gap)) continue;
    every += paid_by_every_arm(radius, b1, gap / instance.size);
    least +=
        paid_by_the_least_observed(radius, b_infinity, std::min(gaps.largest, b_infinity), gap);
  }
  const double paid = recorded == Recorded::kAll ? std::min(every, least) : least;
  return std::min(paid + (instance.arms() + stray) * gaps.largest, all_rounds);
}

double stray_rounds_of_root(double factor) {
  double sum = 0;
  constexpr int kExplicit = 1000;
  for (int t = kExplicit; t > 1; --t) sum += (t - 1) * std::pow(t, -2 * factor);
  // What is left is below the integral of t^(1 - 2 factor).
  return sum + std::pow(kExplicit, 2 - 2 * factor) / (2 * factor - 2);
}

Number cucb_upper(const Instance& instance) {
  constexpr double kFactor = 1.5;
  const double stray = 2 * stray_rounds_of_root(kFactor) * instance.arms();
  const Number sets =
      optimistic_sets_upper(instance, {kFactor * instance.log_horizon(), 0}, Recorded::kAll, stray);
  if (!sets || instance.best_basis.empty()) return sets;
  const Number bases = optimistic_bases_upper(instance, kFactor);
  return bases ? std::min(*sets, *bases) : sets;
}

Number cucb_counters_upper(const char* policy, const Instance& instance) {
  const Answer<curators::CounterPlan> plan = counter_of(policy, instance);
  if (!plan) return plan.why_not();
  // What the recipes have (cucb_dp.hpp): both terms of the radius fail with e^-level.
  const double level = std::log(2) + 2 * instance.log_horizon();
  const double quantile = indices::LaplaceSum(plan->shape.most_terms()).upper_quantile(level);
  const Radius radius{level / 2, plan->term_scale() * quantile};
  return optimistic_sets_upper(instance, radius,
                               plan->share > 1 ? Recorded::kAll : Recorded::kLeastObserved,
                               2.0 * instance.arms());
}

Number cucb_dp_as_published_upper(const Instance& instance) {
  const Number scale = noise_of("cucb-dp-as-published", instance);
  if (!scale) return scale;
  const double log_t = instance.log_horizon();
  const double log_mt = log_t + std::log(instance.arms());
  const Radius radius{4 * log_mt,
                      12 * instance.size * log_t * log_t * log_t / instance.epsilon.value()};
  const double terms = privacy::tree_levels(instance.horizon);
  const double noise = std::exp(-terms * laplace_rate(radius.linear / *scale / terms));
  const double one_side = std::exp(-8 * log_mt) + noise;
  const auto rounds = static_cast<double>(instance.horizon);
  return optimistic_sets_upper(instance, radius, Recorded::kAll,
                               2 * instance.arms() * one_side * rounds * rounds);
}

Number optimistic_bases_upper(const Instance& instance, double factor) {
  const char* function = "optimistic_bases_upper";
  check_instance(function, instance);
  if (auto unmet = unless_bases(function, instance)) return *unmet;
  const auto& basis = instance.best_basis;
  const auto rounds = static_cast<double>(instance.horizon);
  double sum = 0;
  double largest_gaps = 0;  // of every arm
  double least_mean = 1;    // outside
  for (Arm arm = 0; arm < instance.arms(); ++arm) {
    if (contains(basis, arm) || std::isinf(instance.sets->smallest[arm])) continue;
    std::vector<double> gaps;
    for (Arm better : basis) {
      const double gap = instance.mean(better) - instance.mean(arm);
      if (gap > 0) gaps.push_back(gap);
    }
    if (gaps.empty()) continue;
    std::sort(gaps.begin(), gaps.end(), std::greater<>());
    largest_gaps += gaps.front();
    least_mean = std::min(least_mean, instance.mean(arm));
    double played = 0;
    for (double gap : gaps) {
      const double until =
          std::min(rounds, std::floor(4 * factor * instance.log_horizon() / (gap * gap)) + 1);
      sum += gap * (until - played);
      played = until;
    }
  }
  for (Arm arm : basis) largest_gaps += std::max(0.0, instance.mean(arm) - least_mean);
  return std::min(sum + stray_rounds_of_root(factor) * largest_gaps,
                  rounds * instance.sets->largest);
}

Number bases_asymptotic(const Instance& instance) {
  const char* function = "bases_asymptotic";
  check_instance(function, instance);
  if (auto unmet = unless_bases(function, instance)) return *unmet;
  if (instance.equal_outcomes) {
    return Refusal{Parameter{function, "outcomes"}, "equal in groups", "must be independent"};
  }
  double sum = 0;
  for (Arm arm = 0; arm < instance.arms(); ++arm) {
    const double replaced = instance.sets->replaces[arm];
    const double mean = instance.mean(arm);
    if (replaced > mean) sum += (replaced - mean) / indices::kl(mean, replaced);
  }
  return sum * instance.log_horizon();
}

Number disjoint_sets_lower(const Instance& instance) {
  const char* function = "disjoint_sets_lower";
  check_instance(function, instance);
  if (auto unmet = unless_gaps_are_known(function, instance)) return *unmet;
  if (!instance.equal_outcomes || instance.sets->overlap != Overlap::kDisjoint) {
    return Refusal{Parameter{function, "actions"}, fmt::format("sets of {} arms", instance.size),
                   "must be disjoint sets of the same size whose arms have equal outcomes"};
  }
  return lai_robbins_lower(instance.means, instance.horizon);
}

double lemma2_allows(const Instance& instance, std::span<const double> observed) {
  const char* function = "lemma2_allows";
  const double epsilon = check::positive(function, "epsilon", instance.epsilon.value_or(0));
  const double log_t = instance.log_horizon();
  const double root = 4 * std::sqrt(log_t + std::log(instance.arms()));
  const double linear = 24 * instance.size * log_t * log_t * log_t / epsilon;
  double sum = 0;
  for (double n : observed) {
    check::positive(function, "number of observations", n);
    sum += root / std::sqrt(n) + linear / n;
  }
  return instance.smoothness.b1 * sum;
}

Number lemma2_rest(const Instance& instance) {
  if (auto unmet = unless_gaps_are_known("lemma2_rest", instance)) return *unmet;
  const auto& smallest = instance.sets->smallest;
  const auto bad = std::count_if(smallest.begin(), smallest.end(),
                                 [](double gap) { return std::isfinite(gap); });
  return 3 * static_cast<double>(bad) * instance.sets->largest;
}

}  // namespace tacit::theory
