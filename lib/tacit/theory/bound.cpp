#include "tacit/theory/bound.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/theory/lists.hpp"

namespace tacit::theory {

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::kFinite: return "finite";
    case Kind::kAsymptotic: return "asymptotic";
    case Kind::kMinimax: return "minimax";
    case Kind::kOrder: return "order";
    case Kind::kReference: return "reference";
  }
  return "";
}

const char* name_of(Side side) { return side == Side::kLower ? "lower" : "upper"; }

const std::vector<Bound>& bounds() {
  static const std::vector<Bound> all = [] {
    std::vector<Bound> joined;
    for (auto* list :
         {classic_bounds, baseline_bounds, basu_bounds, hu_bounds, combinatorial_bounds,
          optimistic_sets_bounds, cascade_bounds, matroid_bounds}) {
      std::vector<Bound> some = list();
      std::move(some.begin(), some.end(), std::back_inserter(joined));
    }
    return joined;
  }();
  return all;
}

const Bound& find_bound(std::string_view name) {
  std::vector<std::string> names;
  for (const Bound& bound : bounds()) {
    if (bound.name == name) return bound;
    names.push_back(bound.name);
  }
  throw InvalidParameter("find_bound", "bound", std::string(name),
                         "unknown; did you mean " + nearest_name(name, names) + "?");
}

bool concerns_feedback(const Bound& bound, feedback::Kind feedback) {
  return std::find(bound.feedback.begin(), bound.feedback.end(), feedback) != bound.feedback.end();
}

bool applies(const Bound& bound, const Instance& instance) {
  if (!concerns_feedback(bound, instance.feedback)) return false;
  if (instance.law && !bound.of_any_means) return false;
  return bound.value != nullptr ? static_cast<bool>(evaluate(bound, instance))
                                : bound.unless == nullptr || !bound.unless(instance);
}

Number evaluate(const Bound& bound, const Instance& instance) {
  const auto refused = [&](const char* parameter, std::string value, std::string requirement) {
    return Refusal{Parameter{bound.name, parameter}, std::move(value), std::move(requirement)};
  };
  if (!concerns_feedback(bound, instance.feedback)) {
    std::vector<std::string> kinds;
    for (feedback::Kind kind : bound.feedback) kinds.emplace_back(feedback::name_of(kind));
    return refused("feedback", feedback::name_of(instance.feedback),
                   fmt::format("must be {}", fmt::join(kinds, " or ")));
  }
  if (instance.law && !bound.of_any_means) {
    return refused("environment", "drawn from a prior", "must be given: the bound is of its means");
  }
  if (bound.unless != nullptr) {
    if (auto unmet = bound.unless(instance)) return *std::move(unmet);
  }
  if (bound.value == nullptr) {
    return refused("constant", "",
                   bound.conjecture ? "a conjecture without a constant has no number"
                                    : "an order without a constant has no number");
  }
  check_instance(bound.name, instance);
  if (bound.notion != privacy::Notion::kNone && !instance.epsilon) {
    return refused("epsilon", "none", "must be given, a finite number > 0");
  }
  Number value = bound.value(instance);
  // The same sets are played and every gap is as many times as large.
  if (value && instance.reward_scale != 1) value = *value * instance.reward_scale;
  if (value && !std::isfinite(*value)) {
    return refused("epsilon", instance.epsilon ? fmt::format("{}", *instance.epsilon) : "none",
                   "is too extreme: the bound does not fit a double");
  }
  return value;
}

std::vector<double> worst_instance(const Bound& bound, int arms, double epsilon, Round horizon) {
  check::at_least("worst_instance", "arms", arms, 2);
  check::positive("worst_instance", "epsilon", epsilon);
  check::horizon("worst_instance", horizon);
  const double gap = bound.worst_gap != nullptr ? bound.worst_gap(arms, epsilon, horizon)
                                                : std::numeric_limits<double>::quiet_NaN();
  if (!std::isfinite(gap)) {
    throw InvalidParameter("worst_instance", "bound", bound.name,
                           "has no instance of one better arm for these arms, epsilon and horizon");
  }
  if (!(gap <= 0.5)) {
    throw InvalidParameter(
        "worst_instance", "horizon", fmt::format("{}", horizon),
        fmt::format("is too short for {}: its gap would be {:.3g}", bound.name, gap));
  }
  std::vector<double> means(static_cast<std::size_t>(arms), 0.5);
  means.front() += gap;
  return means;
}

bool is_worst_instance(const Bound& bound, const Instance& instance) {
  const bool has_epsilon = instance.epsilon || bound.notion == privacy::Notion::kNone;
  const bool can_be = bound.worst_gap != nullptr && has_epsilon && instance.size == 1;
  if (!can_be || instance.arms() < 2) return false;
  // Where nothing is private the gap does not depend on epsilon.
  const double epsilon = instance.epsilon.value_or(1);
  const double gap = bound.worst_gap(instance.arms(), epsilon, instance.horizon);
  const auto is_near = [](double a, double b) { return std::abs(a - b) <= 1e-9; };
  if (instance.law) {
    return instance.law->two_point_gap && is_near(*instance.law->two_point_gap, gap);
  }
  std::vector<double> means = instance.means;
  std::sort(means.begin(), means.end());
  return std::isfinite(gap) && is_near(means.back(), 0.5 + gap) && is_near(means.front(), 0.5) &&
         is_near(means[means.size() - 2], 0.5);
}

bool concerns(const Bound& bound, std::string_view policy, privacy::Notion notion,
              feedback::Kind feedback) {
  if (!concerns_feedback(bound, feedback)) return false;
  if (bound.kind == Kind::kReference) return true;
  if (!bound.policies.empty() || bound.side == Side::kUpper) {
    return std::find(bound.policies.begin(), bound.policies.end(), policy) != bound.policies.end();
  }
  using privacy::Notion;
  if (bound.notion == Notion::kNone || bound.notion == notion) return true;
  return bound.notion == Notion::kCentral && notion == Notion::kLocal;
}

bool holds_with(const Bound& bound, const std::vector<policies::ParameterInfo>& in_force) {
  return std::all_of(bound.only_with.begin(), bound.only_with.end(), [&](const auto& needed) {
    return std::any_of(in_force.begin(), in_force.end(), [&](const auto& info) {
      return info.name == needed.name && info.value == needed.value;
    });
  });
}

}  // namespace tacit::theory
