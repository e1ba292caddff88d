// Interval releases (Tossou & Dimitrakakis 2016): after every `interval` observations of an arm its
// mean over all of them is released anew, with noise that shrinks like n^-(1-v/2).
//
// Privacy: unlike phases, intervals share their data: a round enters every later release of its
// arm. The release at n observations costs (1/n)/n^-(1-v/2) = n^(-v/2), so the k-th costs (k
// interval)^(-v/2). With 1 < v the costs' squares have a finite sum though the costs do not: the
// total is stated by zero-concentrated privacy (Bun & Steinke 2016), rho = sum of squares/2 and
// eps' by the optimal conversion of rho (composition.hpp), or by plain addition where that is smaller.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/ledger.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::estimators {

class IntervalReleases {
 public:
  using Input = Sum;
  static constexpr bool kChangesEveryRound = false;

  /// delta is the one at which the guarantee over `horizon` rounds is stated.
  IntervalReleases(int arms, Round interval, double v, Round horizon, double delta,
                   const privacy::Releases& releases,
                   privacy::Arithmetic arithmetic = privacy::Arithmetic::kIdealised);

  int arms() const noexcept { return static_cast<int>(arms_.size()); }
  const Estimate& estimate(Arm arm) const noexcept { return at(arm).estimate; }
  Round remaining(Arm arm) const noexcept { return interval_ - at(arm).observed % interval_; }

  bool learn(Arm arm, Round n, const privacy::Secret<Sum>& sum);
  privacy::Guarantee guarantee(const privacy::Sensitivity& sensitivity,
                               const std::string& moves) const;

 private:
  struct PerArm {
    Estimate estimate;
    privacy::Secret<Sum> sum;
    Round observed = 0;
  };
  PerArm& at(Arm arm) noexcept { return arms_[static_cast<std::size_t>(arm)]; }
  const PerArm& at(Arm arm) const noexcept { return arms_[static_cast<std::size_t>(arm)]; }
  /// The noise on the *sum* of n observations.
  privacy::Laplace noise(Round n) const {
    return privacy::Laplace(std::pow(static_cast<double>(n), v_ / 2), arithmetic_);
  }

  Round interval_;
  double v_;
  Round horizon_;
  double delta_;
  privacy::Releases releases_;
  privacy::Arithmetic arithmetic_;
  std::vector<PerArm> arms_;
};

}  // namespace tacit::estimators
