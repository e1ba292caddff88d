// Upper confidence bounds of the form  mean + a sqrt(ln t) + b ln t  with a, b >= 0 that shrink as
// the arm's observations grow. All UCB-like policies differ in a(n) and b(n) only.
//
// Two such curves cross at most once while their estimates stand: in x = sqrt(ln t) their
// difference is a quadratic whose linear and square coefficients have the same sign. So the round
// at which a challenger overtakes has a closed form, and the rounds before it need not be looked
// at.
#pragma once

#include <cmath>
#include <limits>

#include "tacit/core/round.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/indices/clock.hpp"

namespace tacit::indices {

struct UcbCurve {
  double mean = std::numeric_limits<double>::infinity();  // an unobserved arm comes first
  double a = 0;
  double b = 0;
};

/// mean + sqrt(root_factor ln t/n) + linear_factor ln t/n
class Ucb {
 public:
  using State = UcbCurve;
  static constexpr bool kUsesBestMean = false;
  Ucb(double root_factor, double linear_factor)
      : root_factor_(root_factor), linear_factor_(linear_factor) {}

  State prepare(const estimators::Estimate& e) const noexcept {
    if (e.n == 0) return {};
    const double inverse = 1 / e.n;
    return {e.sum * inverse, std::sqrt(root_factor_ * inverse), linear_factor_ * inverse};
  }
  double value(const State& s, const Clock& clock) const noexcept {
    return s.mean + (s.a * clock.sqrt_log_t + s.b * clock.log_t);
  }

 private:
  double root_factor_;
  double linear_factor_;
};

/// The last round up to which the leader of round t surely still leads the challenger, as computed
/// in doubles: where rounding could decide between them, rounds are left to be decided one by one.
/// At least t; t when the two are as good as tied.
Round leads_until(const UcbCurve& leader, const UcbCurve& challenger, const Clock& clock);

}  // namespace tacit::indices
