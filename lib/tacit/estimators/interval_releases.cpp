#include "tacit/estimators/interval_releases.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/privacy/composition.hpp"

namespace tacit::estimators {
namespace {

/// An upper bound on sum_{k=1}^{count} k^-power, power > 0: the first terms, then the integral.
double power_sum(Round count, double power) {
  constexpr Round kExplicit = 100000;
  double sum = 0;
  for (Round k = std::min(count, kExplicit); k >= 1; --k) {
    sum += std::pow(static_cast<double>(k), -power);
  }
  if (count > kExplicit) {
    const auto from = static_cast<double>(kExplicit);
    const auto to = static_cast<double>(count);
    sum += power == 1 ? std::log(to / from)
                      : (std::pow(to, 1 - power) - std::pow(from, 1 - power)) / (1 - power);
  }
  return sum;
}

}  // namespace

IntervalReleases::IntervalReleases(int arms, Round interval, double v, Round horizon, double delta,
                                   const privacy::Releases& releases,
                                   privacy::Arithmetic arithmetic)
    : interval_(check::at_least("IntervalReleases", "interval", interval, 1)),
      v_(check::strictly_within("IntervalReleases", "v", v, 1, 2)),
      horizon_(horizon),
      delta_(check::strictly_within("IntervalReleases", "delta", delta, 0, 1)),
      releases_(releases),
      arithmetic_(arithmetic),
      arms_(static_cast<std::size_t>(arms)) {}

bool IntervalReleases::learn(Arm arm, Round n, const privacy::Secret<Sum>& sum) {
  PerArm& a = at(arm);
  a.sum += sum;
  a.observed += n;
  if (a.observed % interval_ != 0) return false;
  const privacy::Laplace mechanism = noise(a.observed);
  const auto released = mechanism.release(
      a.sum,
      releases_.noise(static_cast<std::uint64_t>(arm), static_cast<std::uint64_t>(a.observed)));
  releases_.show(arm, released.value());
  releases_.note(mechanism, arm, 1, a.observed);
  a.estimate = {released.value(), static_cast<double>(a.observed), 1};
  return true;
}

privacy::Guarantee IntervalReleases::guarantee(const privacy::Sensitivity& sensitivity,
                                               const std::string& moves) const {
  const Round releases = std::max<Round>(1, horizon_ / interval_);
  const auto f = static_cast<double>(interval_);
  // Grids round scales up, each by its own little: the scale asked for bounds them all.
  const double largest = sensitivity.l1 / std::pow(f, v_ / 2);
  const double total = largest * power_sum(releases, v_ / 2);
  const double rho = 0.5 * largest * largest * power_sum(releases, v_);
  const double concentrated = privacy::zcdp_epsilon(rho, delta_);
  privacy::Guarantee g;
  g.notion = privacy::Notion::kCentral;
  g.arithmetic = arithmetic_;
  g.epsilon = std::min(total, concentrated);
  g.delta = concentrated < total ? delta_ : 0;
  g.because = fmt::format(
      "one round moves {} and enters up to {} releases, the k-th of which costs (k {})^-{:.4g}: "
      "each "
      "alone at most {:.4g} (the paper's instantaneous view), all together {:.4g} by {}",
      moves, releases, f, v_ / 2, largest, g.epsilon,
      g.delta > 0 ? "zero-concentrated composition" : "addition");
  return g;
}

}  // namespace tacit::estimators
