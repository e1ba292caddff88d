#include "tacit/reports/bound_check.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tacit::reports {
namespace {

bool is_of_the_same(const BoundCheck& one, const BoundCheck& other) {
  return one.bound == other.bound && one.policy == other.policy && one.problem == other.problem &&
         one.upper == other.upper;
}

/// Whether checks of the same differ in the error alone.
bool differs_in_errors(const BoundCheck& one, const std::vector<BoundCheck>& checks) {
  bool other_errors = false;
  for (const BoundCheck& other : checks) {
    if (!is_of_the_same(one, other)) continue;
    if (other.epsilon != one.epsilon) return false;
    other_errors = other_errors || other.error != one.error;
  }
  return other_errors;
}

double closer(const BoundCheck& check, double share) {
  return check.upper ? std::max(check.share, share) : std::min(check.share, share);
}

/// None where the bound has no value.
std::optional<BoundCheck> check_bound(const Curve& curve, const lab::BoundCurve& bound) {
  BoundCheck check{.bound = bound.name,
                   .policy = curve.policy(),
                   .problem = curve.problem(),
                   .epsilon = curve.epsilon(),
                   .error = curve.error(),
                   .upper = bound.side == theory::Side::kUpper};
  bool any = false;
  for (std::size_t i = 0; i < bound.values.size(); ++i) {
    if (!bound.values[i]) continue;
    const double value = *bound.values[i];
    const simulation::Moments& m = curve.measured.curve[i];
    // Bounds are of the mean; one run, which has no interval, tells nothing of it.
    const simulation::Interval interval = curve.interval(i);
    // What plays the worst action from the start meets a trivial bound to the last bit.
    constexpr double kRounding = 1e-6;
    const bool broken =
        check.upper ? interval.lo > value * (1 + kRounding) : interval.hi < value * (1 - kRounding);
    check.kept = check.kept && !broken;
    const double share = m.mean() / value;
    check.share = any ? closer(check, share) : share;
    any = true;
  }
  return any ? std::optional(std::move(check)) : std::nullopt;
}

}  // namespace

std::vector<BoundCheck> check_bounds(const std::vector<Curve>& curves) {
  std::vector<BoundCheck> checks;
  for (const Curve& curve : curves) {
    for (const lab::BoundCurve& bound : curve.document.bounds) {
      if (bound.kind != theory::Kind::kFinite) continue;
      if (auto check = check_bound(curve, bound)) checks.push_back(std::move(*check));
    }
  }
  return checks;
}

std::vector<BoundFinding> find_bounds(const std::vector<BoundCheck>& checks) {
  std::vector<BoundFinding> findings;
  for (const BoundCheck& first : checks) {
    const bool over_errors = differs_in_errors(first, checks);
    const auto belongs = [&](const BoundCheck& check) {
      return is_of_the_same(first, check) && (over_errors || first.error == check.error);
    };
    const bool known =
        std::any_of(findings.begin(), findings.end(), [&](const BoundFinding& other) {
          return belongs(other.check) && first.kept == other.check.kept;
        });
    if (known) continue;
    BoundFinding finding{
        .check = first, .over_errors = over_errors, .values = {}, .count = 0, .of = 0};
    for (const BoundCheck& check : checks) {
      if (!belongs(check)) continue;
      ++finding.of;
      if (check.kept != first.kept) continue;
      ++finding.count;
      const auto& value = over_errors ? check.error : check.epsilon;
      if (value) finding.values.push_back(*value);
      finding.check.share = closer(check, finding.check.share);
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::string BoundFinding::where() const {
  const auto fixed = over_errors ? check.epsilon : check.error;
  const std::string beside =
      fixed ? fmt::format("{} {:.4g}", over_errors ? "epsilon" : "error", *fixed) : "";
  if (values.empty()) return beside;
  const char* what = over_errors ? "error" : "epsilon";
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  std::string text;
  if (of == 1) {
    text = fmt::format("{} {:.4g}", what, *low);
  } else if (count == 1) {
    text = fmt::format("at {} {:.4g} of {}", what, *low, of);
  } else {
    text = fmt::format("at {} {}, {:.4g} to {:.4g}",
                       count == of ? fmt::format("all {}", of) : fmt::format("{} of {}", count, of),
                       over_errors ? "errors" : what, *low, *high);
  }
  return beside.empty() ? text : fmt::format("{}, {}", beside, text);
}

}  // namespace tacit::reports
