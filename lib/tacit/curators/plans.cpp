#include "tacit/curators/plans.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacit/accounting/composition.hpp"
#include "tacit/privacy/exact.hpp"
#include "tacit/privacy/gaussian.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/noisy_max.hpp"
#include "tacit/privacy/randomized_response.hpp"
#include "tacit/privacy/stop_response.hpp"

namespace tacit::curators {
namespace {

using privacy::Arithmetic;
using privacy::compose;
using privacy::Guarantee;
using privacy::Notion;

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

/// One user, one report: what it costs is all it costs.
template <class Mechanism>
Guarantee of_a_report(const Movement& m, const Mechanism& mechanism) {
  constexpr int kReportsOfARound = 1;
  return compose(Notion::kLocal, m.moves, kReportsOfARound, mechanism.loss(m.sensitivity));
}

/// A round enters one sum, which is released once.
template <class Mechanism>
Guarantee of_a_release(const Movement& m, const Mechanism& mechanism) {
  constexpr int kReleasesOfARound = 1;
  return compose(Notion::kCentral, m.moves, kReleasesOfARound, mechanism.loss(m.sensitivity));
}

}  // namespace

Guarantee PhasePlan::guarantee(const Movement& m, Arithmetic arithmetic) const {
  return of_a_release(m, privacy::Laplace(scale, arithmetic));
}

double CounterPlan::term_scale() const {
  if (!shape.is_gaussian()) return shape.term_scale() * share / epsilon;
  return privacy::gaussian_sigma(epsilon, delta, shape.term_scale() * std::sqrt(share));
}

Guarantee CounterPlan::guarantee(const Movement& m, Arithmetic arithmetic) const {
  const double scale = term_scale();
  if (shape.kind() == privacy::Counter::kHybrid) {
    // A total at `scale`, and of a tree of k levels k nodes at k times that: 1/scale each, whatever k is. Grids round
    // every one of these scales up by its own little, so that the one asked for bounds them all.
    privacy::Loss loss = privacy::Laplace(scale).loss(m.sensitivity);
    loss.arithmetic = arithmetic;
    Guarantee all = compose(Notion::kCentral, m.moves, shape.levels(), loss);
    all.because = fmt::format(
        "one round moves {} and enters one addition to a total, by {}, and at most k blocks of a "
        "tree, each by Laplace(k times that)",
        m.moves, loss.mechanism);
    return all;
  }
  if (!shape.is_gaussian()) {
    return compose(Notion::kCentral, m.moves, shape.levels(),
                   privacy::Laplace(scale, arithmetic).loss(m.sensitivity));
  }
  const double l2 = shape.term_scale() * m.sensitivity.l2();
  privacy::Loss loss = privacy::Gaussian(scale, delta).loss(privacy::Sensitivity::l2_ball(l2));
  loss.mechanism =
      fmt::format("correlated Gaussian noise (sigma {:.6g}, columns of length {:.4g})", scale, l2);
  return compose(Notion::kCentral, m.moves, 1, loss);
}

Guarantee TreePlan::guarantee(const Movement& m, Arithmetic arithmetic) const {
  return compose(Notion::kCentral, m.moves, privacy::tree_levels(horizon),
                 privacy::Laplace(scale, arithmetic).loss(m.sensitivity));
}

double IntervalPlan::scale(Round n) const { return std::pow(static_cast<double>(n), v / 2); }

Guarantee IntervalPlan::guarantee(const Movement& m, Arithmetic arithmetic) const {
  const Round releases = std::max<Round>(1, horizon / interval);
  const auto f = static_cast<double>(interval);
  // Grids round scales up, each by its own little: the scale asked for bounds them all.
  const double largest = m.sensitivity.l1() / std::pow(f, v / 2);
  const double total = largest * power_sum(releases, v / 2);
  const double rho = 0.5 * largest * largest * power_sum(releases, v);
  const double concentrated = accounting::zcdp_epsilon(rho, delta);
  Guarantee g;
  g.notion = Notion::kCentral;
  g.arithmetic = arithmetic;
  g.epsilon = std::min(total, concentrated);
  g.delta = concentrated < total ? delta : 0;
  g.because = fmt::format(
      "one round moves {} and enters up to {} releases, the k-th of which costs (k {})^-{:.4g}: "
      "each "
      "alone at most {:.4g} (the paper's instantaneous view), all together {:.4g} by {}",
      m.moves, releases, f, v / 2, largest, g.epsilon,
      g.delta > 0 ? "zero-concentrated composition" : "addition");
  return g;
}

Guarantee NoisySumsPlan::guarantee(const Movement& m, Arithmetic arithmetic) const {
  return of_a_release(m, privacy::Laplace(scale, arithmetic));
}

Guarantee NoisyLeaderPlan::guarantee(const Movement& m, Arithmetic arithmetic) const {
  using Noise = privacy::NoisyMax::Noise;
  return of_a_release(
      m, privacy::NoisyMax(one_sided ? Noise::kExponential : Noise::kLaplace, scale, arithmetic));
}

Guarantee ExactPlan::guarantee(const Movement& m, Arithmetic) const {
  return of_a_report(m, privacy::Exact());
}

double ResponsePlan::reports_worth_an_outcome() const {
  return privacy::RandomizedResponse(epsilon).reports_worth_an_outcome();
}

Guarantee ResponsePlan::guarantee(const Movement& m, Arithmetic arithmetic) const {
  return of_a_report(m, privacy::RandomizedResponse(epsilon, arithmetic));
}

Guarantee LaplaceReportPlan::guarantee(const Movement& m, Arithmetic arithmetic) const {
  return of_a_report(m, privacy::Laplace(scale, arithmetic));
}

Guarantee GaussianReportPlan::guarantee(const Movement& m, Arithmetic arithmetic) const {
  return of_a_report(m, privacy::Gaussian(sigma, delta, arithmetic));
}

StopReportPlan::Numbers StopReportPlan::numbers() const {
  const privacy::StopResponse response(epsilon, positions);
  return {response.q(), response.gap(), response.kind() == privacy::StopResponse::Kind::kResponse};
}

Guarantee StopReportPlan::guarantee(const Movement& m, Arithmetic arithmetic) const {
  return of_a_report(m, privacy::StopResponse(epsilon, positions, arithmetic));
}

Guarantee OpenStopPlan::guarantee(const Movement& m, Arithmetic) const {
  return of_a_report(m, privacy::Exact());
}

/// What the user before the first round has; the others are better off.
Guarantee RawStartPlan::guarantee(const Movement& m, Arithmetic) const {
  return of_a_report(
      {m.sensitivity, "the raw outcomes of all arms, when it is the one before the first,"},
      privacy::Exact());
}

double gaussian_sigma(double epsilon, double delta, double l2) {
  return privacy::gaussian_sigma(epsilon, delta, l2);
}

privacy::Guarantee guarantee(const Plan& plan, const Movement& movement,
                             privacy::Arithmetic arithmetic) {
  return std::visit([&](const auto& p) { return p.guarantee(movement, arithmetic); }, plan);
}

}  // namespace tacit::curators
