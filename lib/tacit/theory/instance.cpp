#include "tacit/theory/instance.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "tacit/actions/scaled.hpp"
#include "tacit/core/check.hpp"

namespace tacit::theory {
namespace {

double sum_of(std::span<const Arm> action, const Instance& instance) {
  return std::accumulate(action.begin(), action.end(), 0.0,
                         [&](double sum, Arm arm) { return sum + instance.mean(arm); });
}

/// Sums of means that differ by less are equal but for rounding.
constexpr double kSame = 1e-12;

SetGaps gaps_of_list(const actions::ActionSet& list, const Instance& instance) {
  SetGaps gaps{.smallest =
                   PerArm<double>(instance.arms(), std::numeric_limits<double>::infinity())};
  for (const auto& action : list.listed()) {
    gaps.best_value = std::max(gaps.best_value, sum_of(action, instance));
  }
  std::set<Arm> seen;
  bool disjoint = true;
  for (const auto& action : list.listed()) {
    disjoint = disjoint && std::ssize(action) == list.size();
    for (Arm arm : action) disjoint = seen.insert(arm).second && disjoint;
    const double gap = gaps.best_value - sum_of(action, instance);
    if (gap < kSame) continue;
    gaps.largest = std::max(gaps.largest, gap);
    gaps.least = std::min(gaps.least, gap);
    for (Arm arm : action) {
      double& smallest = gaps.smallest[arm];
      smallest = std::min(smallest, gap);
    }
  }
  if (disjoint) gaps.overlap = Overlap::kDisjoint;
  return gaps;
}

/// Of actions that are neither listed nor bases; none where they are too many, or their rewards not computed.
/// Fact 1 is told the largest set that there is: K may be an upper bound on it, as for paths.
std::optional<SetGaps> gaps_of_others(const actions::ActionSet& set, Instance& instance) {
  constexpr std::size_t kMost = 5000;
  if (!set.values_are_exact()) return std::nullopt;
  const auto actions = set.all(kMost);
  if (actions.empty()) return std::nullopt;
  std::vector<double> values;
  for (const auto& action : actions)
    values.push_back(actions::ActionSet::from_units(set.value(action, instance.means)));
  SetGaps gaps{.smallest =
                   PerArm<double>(instance.arms(), std::numeric_limits<double>::infinity())};
  gaps.best_value = *std::max_element(values.begin(), values.end());
  // Oracles compare to 1e-9, some for every part of a set, and values are rounded to units for every arm.
  const double same =
      1e-9 * set.size() + set.smoothness().b_infinity * actions::ActionSet::from_units(2);
  const double enough = set.approximation().alpha * gaps.best_value;
  std::size_t largest = 0;
  for (const auto& action : actions) largest = std::max(largest, action.size());
  actions::Smoothness& smooth = instance.smoothness;
  smooth.b_infinity = std::min(smooth.b_infinity, smooth.b1 * static_cast<double>(largest));
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const double gap = enough - values[i];
    if (gap < same) continue;
    gaps.largest = std::max(gaps.largest, gap);
    gaps.least = std::min(gaps.least, gap);
    for (Arm arm : actions[i]) gaps.smallest[arm] = std::min(gaps.smallest[arm], gap);
  }
  return gaps;
}

/// Whether the arm is in any basis.
bool playable(const actions::ActionSet& bases, Arm arm) {
  PerArm<double> scores(bases.arms(), 0.0);
  scores[arm] = 1;
  const std::vector<Arm> chosen = bases.best_for(scores);
  return std::find(chosen.begin(), chosen.end(), arm) != chosen.end();
}

/// The smallest mean of an arm of the best basis that this one, which is outside and playable, can replace.
double weakest_replaced(const actions::ActionSet& bases, const Instance& instance, Arm outside) {
  PerArm<double> scores(bases.arms(), 0.0);
  for (Arm arm : instance.best_basis) scores[arm] = 1 + instance.mean(arm);
  scores[outside] = 3;
  const std::vector<Arm> chosen = bases.best_for(scores);
  for (Arm arm : instance.best_basis) {
    if (std::find(chosen.begin(), chosen.end(), arm) == chosen.end()) return instance.mean(arm);
  }
  return 0;
}

SetGaps gaps_of_bases(const actions::ActionSet& bases, const Instance& instance) {
  const std::vector<Arm>& basis = instance.best_basis;
  SetGaps gaps{.smallest =
                   PerArm<double>(instance.arms(), std::numeric_limits<double>::infinity())};
  gaps.best_value = sum_of(basis, instance);
  std::vector<double> sorted = instance.means;
  std::sort(sorted.begin(), sorted.end());
  gaps.largest =
      gaps.best_value -
      std::accumulate(sorted.begin(), sorted.begin() + static_cast<long>(basis.size()), 0.0);
  const std::set<Arm> inside(basis.begin(), basis.end());
  gaps.replaces = PerArm<double>(instance.arms(), 0.0);
  std::vector<Arm> as_good;
  for (Arm outside = 0; outside < instance.arms(); ++outside) {
    if (inside.contains(outside) || !playable(bases, outside)) continue;
    double& smallest = gaps.smallest[outside];
    for (Arm arm : basis) {
      const double gap = instance.mean(arm) - instance.mean(outside);
      if (gap > kSame) smallest = std::min(smallest, gap);
      if (std::abs(gap) <= kSame && (as_good.empty() || as_good.back() != outside)) {
        as_good.push_back(outside);
      }
    }
    gaps.replaces[outside] = weakest_replaced(bases, instance, outside);
    gaps.least = std::min(gaps.least, smallest);
  }
  for (Arm arm : as_good) gaps.smallest[arm] = gaps.least;
  for (Arm arm : basis) gaps.smallest[arm] = gaps.least;
  return gaps;
}

}  // namespace

double log_of(Round horizon) { return std::log(static_cast<double>(horizon)); }

double Instance::log_horizon() const { return log_of(horizon); }

void check_means(std::string_view function, std::span<const double> means) {
  check::at_least(function, "number of means", static_cast<std::int64_t>(means.size()), 2);
  for (double mean : means) check::within(function, "mean", mean, 0, 1);
}

void check_instance(std::string_view function, const Instance& instance) {
  check_means(function, instance.means);
  if (instance.epsilon) check::positive(function, "epsilon", *instance.epsilon);
  check::horizon(function, instance.horizon);
}

std::optional<Refusal> unless_long_enough(std::string_view function, Round horizon, double least) {
  if (static_cast<double>(check::horizon(function, horizon)) >= least) return {};
  return Refusal{Parameter{std::string(function), "horizon"}, fmt::format("{}", horizon),
                 fmt::format("must be at least {:.4g} here", least)};
}

std::optional<Refusal> unless_bases(std::string_view function, const Instance& instance) {
  if (!instance.best_basis.empty()) return std::nullopt;
  return Refusal{Parameter{std::string(function), "actions"},
                 fmt::format("sets of up to {} arms", instance.size),
                 "must be the bases of a matroid"};
}

std::optional<Refusal> unless_gaps_are_known(std::string_view function, const Instance& instance) {
  if (instance.sets) return {};
  return Refusal{
      Parameter{std::string(function), "actions"},
      fmt::format("sets of up to {} arms", instance.size),
      "must be a list of sets, the bases of a matroid, or at most 5000 sets of computed rewards: "
      "the gaps of others are not enumerated"};
}

std::optional<Refusal> unless_exact_oracle(std::string_view function, const Instance& instance) {
  if (instance.approximation.exact()) return std::nullopt;
  return Refusal{
      Parameter{std::string(function), "oracle"},
      fmt::format("{:.4g}, {:.4g}", instance.approximation.alpha, instance.approximation.beta),
      "must be exact: regret against a share of the best may be below 0"};
}

std::optional<Refusal> unless_delta_is_given(std::string_view function, const Instance& instance) {
  if (instance.delta) {
    return check::unless_strictly_within(function, "delta", *instance.delta, 0, 1);
  }
  return Refusal{Parameter{std::string(function), "delta"}, "none",
                 "must be given, a number in (0, 1)"};
}

Instance single_arms(feedback::Kind feedback, std::vector<double> means,
                     std::optional<double> epsilon, Round horizon) {
  if (feedback != feedback::Kind::kBandit && feedback != feedback::Kind::kFull) {
    throw InvalidParameter("single_arms", "feedback", feedback::name_of(feedback),
                           "must be bandit or full; sets and lists need an action set");
  }
  Instance instance{
      .feedback = feedback, .means = std::move(means), .epsilon = epsilon, .horizon = horizon};
  check_instance("single_arms", instance);
  return instance;
}

Instance sets_of_arms(feedback::Kind feedback, std::vector<double> means,
                      const actions::ActionSet& actions, std::optional<double> epsilon,
                      Round horizon) {
  if (feedback != feedback::Kind::kSemi && feedback != feedback::Kind::kCascade) {
    throw InvalidParameter("sets_of_arms", "feedback", feedback::name_of(feedback),
                           "must be semi or cascade; others play one arm a round");
  }
  if (const auto* scaled = dynamic_cast<const actions::Scaled*>(&actions)) {
    Instance instance =
        sets_of_arms(feedback, std::move(means), scaled->unscaled(), epsilon, horizon);
    instance.reward_scale *= scaled->factor();
    return instance;
  }
  Instance instance{.feedback = feedback,
                    .means = std::move(means),
                    .size = actions.size(),
                    .smoothness = actions.smoothness(),
                    .gini = actions.gini_smoothness(),
                    .approximation = actions.approximation(),
                    .epsilon = epsilon,
                    .horizon = horizon};
  check_instance("sets_of_arms", instance);
  const actions::Structure structure = actions.structure();
  if (feedback == feedback::Kind::kCascade) {
    if (structure == actions::Structure::kAnyK) return instance;
    throw actions::UnfitActions(actions.name(), "a ranked list needs top:K");
  }
  if (!actions.listed().empty()) {
    instance.sets = gaps_of_list(actions, instance);
  } else if (actions::are_bases(structure)) {
    instance.best_basis = actions.best_for(instance.means);
    instance.sets = gaps_of_bases(actions, instance);
  } else {
    instance.sets = gaps_of_others(actions, instance);
  }
  return instance;
}

std::vector<double> positive_gaps(std::span<const double> means) {
  const double best = *std::max_element(means.begin(), means.end());
  std::vector<double> gaps;
  for (double mean : means) {
    if (mean < best) gaps.push_back(best - mean);
  }
  return gaps;
}

double smallest_gap(std::span<const double> means) {
  const std::vector<double> gaps = positive_gaps(means);
  return gaps.empty() ? 0 : *std::min_element(gaps.begin(), gaps.end());
}

double largest_gap(std::span<const double> means) {
  const auto [least, most] = std::minmax_element(means.begin(), means.end());
  return *most - *least;
}

Ranking ranked(std::span<const double> means, int size) {
  std::vector<double> sorted(means.begin(), means.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const auto cut = sorted.begin() + std::min<long>(size, static_cast<long>(sorted.size()));
  return {{sorted.begin(), cut}, {cut, sorted.end()}};
}

}  // namespace tacit::theory
