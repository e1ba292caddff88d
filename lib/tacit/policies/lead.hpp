// Who leads for sure, without a look at anybody else: for single arms that are told of every round, and upper confidence bounds.
//
// The index of an arm that is not played only grows, and slowly: over a stretch of rounds it stays below what it is at the
// stretch's end. As long as the leader's own stays above all of these it is the largest in every round of the stretch,
// whatever the exact ones are. And of the leader's own a bound will do, without a logarithm, a root or a division: with n0
// observations at the stretch's beginning, where the clock is s,
//   sum/n + sqrt(c/n) s_t  >=  sum/n + sqrt(c/n0) (1 - (n - n0)/(2 n0)) s.
//
// Exact: it is asked for more than rounding could take back, on either side, and that logarithms never fall to the last bit is not
// relied on. Then the plain path, which computes all indices, finds the same arm, and alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "tacit/core/per_arm.hpp"
#include "tacit/core/round.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/ucb.hpp"

namespace tacit::policies {

/// Whether an index is mean + sqrt(c ln t/n) + c' ln t/n. Those that are clipped tie, which a lead knows nothing of.
template <class Index>
inline constexpr bool kIsUcb = std::is_base_of_v<indices::Ucb, Index> && !requires {
  Index::kClipped;
};

template <class Index>
class Lead {
 public:
  /// The arm was the largest, and alone, in the round of this clock.
  void begin(Arm leader, const estimators::Estimate& estimate, const Index& index,
             const PerArm<indices::UcbCurve>& curves, const indices::Clock& clock) {
    constexpr Round kShortest = 8;
    constexpr Round kShare = 512;  // of the rounds so far: indices hardly grow over it
    constexpr double kDoubt = 1e-13;
    leader_ = leader;
    until_ = clock.t + std::max(kShortest, clock.t / kShare);
    const indices::Clock end = indices::clock_of(index, until_);
    const double radius = curves[leader].a * clock.sqrt_log_t;
    double others = -std::numeric_limits<double>::infinity();
    double largest = radius;  // of what indices are made of, which may cancel
    for (Arm arm = 0; arm < curves.arms(); ++arm) {
      if (arm == leader) continue;
      const double value = index.value(curves[arm], end);
      others = std::max(others, value);
      largest = std::max(largest, std::abs(curves[arm].mean) + std::abs(value));
    }
    const double doubt = kDoubt * (1 + largest);
    n0_ = estimate.n;
    fall_ = radius / (2 * estimate.n);
    margin_ = radius - others - doubt;
  }
  /// An arm's estimate is another one.
  void changed(Arm arm) noexcept {
    if (arm != leader_) until_ = 0;
  }
  void forget() noexcept { until_ = 0; }

  Arm leader() const noexcept { return leader_; }
  /// With this estimate of the leader.
  bool stands(Round t, const estimators::Estimate& e) const noexcept {
    return t <= until_ && e.sum + e.n * (margin_ - fall_ * (e.n - n0_)) > 0;
  }

 private:
  Arm leader_ = 0;
  Round until_ = 0;  // the stretch's last round; 0: nobody leads for sure
  double n0_ = 0;
  double margin_ = 0;  // of the leader's radius above the others' indices
  double fall_ = 0;    // of the radius, with an observation more
};

struct NoLead {};

}  // namespace tacit::policies
