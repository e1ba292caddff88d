#include "tacit/reports/bound_check.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tacit::reports {
namespace {

bool same_but_for_epsilon(const BoundCheck& one, const BoundCheck& other) {
  return one.bound == other.bound && one.policy == other.policy && one.problem == other.problem &&
         one.upper == other.upper;
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
                   .upper = bound.side == theory::Side::kUpper};
  bool any = false;
  for (std::size_t i = 0; i < bound.values.size(); ++i) {
    if (!bound.values[i]) continue;
    const double value = *bound.values[i];
    const simulation::Moments& m = curve.measured.curve[i];
    // Bounds are of the mean; one run, which has no interval, tells nothing of it.
    const double half = m.half_width95();
    // What plays the worst action from the start meets a trivial bound to the last bit.
    constexpr double kRounding = 1e-6;
    const bool broken = check.upper ? m.mean() - half > value * (1 + kRounding)
                                    : m.mean() + half < value * (1 - kRounding);
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
    const bool known =
        std::any_of(findings.begin(), findings.end(), [&](const BoundFinding& other) {
          return same_but_for_epsilon(first, other.check) && first.kept == other.check.kept;
        });
    if (known) continue;
    BoundFinding finding{.check = first, .epsilons = {}, .count = 0, .of = 0};
    for (const BoundCheck& check : checks) {
      if (!same_but_for_epsilon(first, check)) continue;
      ++finding.of;
      if (check.kept != first.kept) continue;
      ++finding.count;
      if (check.epsilon) finding.epsilons.push_back(*check.epsilon);
      finding.check.share = closer(check, finding.check.share);
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::string BoundFinding::where() const {
  if (epsilons.empty()) return "";
  const auto [low, high] = std::minmax_element(epsilons.begin(), epsilons.end());
  if (of == 1) return fmt::format("epsilon {:.4g}", *low);
  if (count == 1) return fmt::format("at epsilon {:.4g} of {}", *low, of);
  return fmt::format("at {} epsilon, {:.4g} to {:.4g}",
                     count == of ? fmt::format("all {}", of) : fmt::format("{} of {}", count, of),
                     *low, *high);
}

}  // namespace tacit::reports
