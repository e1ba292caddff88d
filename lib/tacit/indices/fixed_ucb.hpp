// Upper confidence bounds whose radius depends on the horizon instead of the round, clipped to 1: the
// same in every round until the arm is observed again, so that only what was observed is recomputed.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tacit/estimators/estimate.hpp"
#include "tacit/estimators/memory.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/hybrid_noise_law.hpp"
#include "tacit/indices/noise_tail.hpp"

namespace tacit::indices {

/// min(1, mean + sqrt(root/n) + linear/n).
class FixedUcb {
 public:
  using State = double;  // the index itself
  static constexpr bool kConstantInTime = true;
  FixedUcb(double root, double linear) : root_(root), linear_(linear) {}

  State prepare(const estimators::Estimate& e) const noexcept {
    if (e.n == 0) return std::numeric_limits<double>::infinity();
    return std::min(1.0, e.mean() + std::sqrt(root_ / e.n) + linear_ / e.n);
  }
  double value(State s, const Clock&) const noexcept { return s; }

 private:
  double root_;
  double linear_;
};

/// For means of n reports, each an outcome plus Laplace(scale) noise:
///   min(1, mean + 2 sqrt(2 L/n) (1 + scale)),  and scale sqrt 2 (L/n + ln 2) for its noise when
/// n < L and that is more.
/// Fails to cover the mean with probability at most e^-L + e^-16L at every n: the outcomes' own term
/// by Hoeffding, and for a sum of n Laplace(1) terms Chernoff with tilt l gives
/// P(sum > x) <= exp(-l x - n ln(1 - l^2)), where -ln(1-u) <= 2 u ln 2 for u = l^2 <= 1/2:
///   n >= L    x = 2 sqrt(2 L n), l = sqrt(L/(2n)) <= 1/sqrt 2:   exponent -(2 - ln 2) L
///   any n     x = sqrt 2 (L + n ln 2), l = 1/sqrt 2:             exponent -L
/// The second does not shrink with n, so it serves small n only.
class LaplaceReportsUcb {
 public:
  using State = double;
  static constexpr bool kConstantInTime = true;
  LaplaceReportsUcb(double scale, double level) : scale_(scale), level_(level) {}

  State prepare(const estimators::Estimate& e) const noexcept {
    if (e.n == 0) return std::numeric_limits<double>::infinity();
    return std::min(1.0, e.mean() + radius(e.n));
  }
  double value(State s, const Clock&) const noexcept { return s; }
  double radius(double n) const noexcept;

 private:
  double scale_;
  double level_;
};

/// For the sums of a counter:
///   min(1, mean + sqrt(L/(2n)) + scale q/n),  q an e^-L upper bound on the noise (noise_tail.hpp),
/// exact for r Laplace(1) terms and for hybrid counters. The two terms fail with probability e^-L each.
class NoiseTailUcb {
 public:
  using State = double;
  static constexpr bool kConstantInTime = true;
  /// For a counter whose terms have this scale.
  NoiseTailUcb(const privacy::CounterNoise& shape, double scale, double level);
  /// For sums that hold at most max_terms Laplace(scale) terms.
  NoiseTailUcb(double scale, int max_terms, double level);

  State prepare(const estimators::Running& e) const {
    if (e.n == 0) return std::numeric_limits<double>::infinity();
    return std::min(1.0, e.mean() + std::sqrt(0.5 * level_ / e.n) + scale_ * tail(e) / e.n);
  }
  double value(State s, const Clock&) const noexcept { return s; }

 private:
  double tail(const estimators::Running& e) const {
    if (quantiles_ != nullptr) return (*quantiles_)[number_of_law(e)];
    return tail_of_other_noise(shape_, noise_in_terms(shape_, e), level_);
  }

  /// What its place in the table is.
  std::size_t number_of_law(const estimators::Running& e) const {
    return static_cast<std::size_t>(shape_.kind() == privacy::Counter::kHybrid
                                        ? hybrid_law_number(static_cast<Round>(e.noisy_n()))
                                        : e.noises);
  }

  privacy::CounterNoise shape_;
  double scale_;
  double level_;
  const std::vector<double>* quantiles_;  // [r] of r whole terms, or [number] of a hybrid law
};

}  // namespace tacit::indices
