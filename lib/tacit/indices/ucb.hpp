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
#include "tacit/indices/enclosure.hpp"

namespace tacit::indices {

struct UcbCurve {
  double mean = std::numeric_limits<double>::infinity();  // an unobserved arm comes first
  double a = 0;
  double b = 0;

  double at(const Clock& clock) const noexcept {
    return mean + (a * clock.sqrt_log_t + b * clock.log_t);
  }
  /// Concave in ln t.
  Enclosure near(const Clock& clock) const noexcept {
    const double value = at(clock);
    if (value == std::numeric_limits<double>::infinity()) return Enclosure::of_always(value);
    if (!(clock.log_t > 0)) return Enclosure::of_now(value);
    return {.value = value,
            .doubt = 1e-14 * (std::abs(mean) + std::abs(value)),
            .slope = 0.5 * a / clock.sqrt_log_t + b,
            .exact = true};
  }
};

/// mean + sqrt(root_factor ln t/n) + linear_factor ln t/n
class Ucb {
 public:
  using State = UcbCurve;
  Ucb(double root_factor, double linear_factor)
      : root_factor_(root_factor), linear_factor_(linear_factor) {}

  State prepare(const estimators::Estimate& e) const noexcept {
    if (e.n == 0) return {};
    const double inverse = 1 / e.n;
    return {e.sum * inverse, std::sqrt(root_factor_ * inverse), linear_factor_ * inverse};
  }
  double value(const State& s, const Clock& clock) const noexcept { return s.at(clock); }
  Enclosure near(const State& s, const Clock& clock, double /*guess*/) const noexcept {
    return s.near(clock);
  }

 private:
  double root_factor_;
  double linear_factor_;
};

/// The factor of ln t/n under the root for means of n outcomes, each with N(0, sigma^2) noise: sqrt(1.5 ln t/n) for the
/// outcomes and 2 sigma sqrt(ln t/n) for the noise.
inline double gaussian_root(double sigma) {
  const double root = std::sqrt(1.5) + 2 * sigma;
  return root * root;
}

/// Ucb with ln(c t) in place of ln t: a union bound over c arms.
class ScaledUcb : public Ucb {
 public:
  ScaledUcb(double root_factor, double linear_factor, double c)
      : Ucb(root_factor, linear_factor), log_scale_(std::log(c)) {}
  Clock clock(Round t) const noexcept { return Clock::scaled(t, log_scale_); }

 private:
  double log_scale_;
};

/// Ucb with ln(t + before) in place of ln t: for papers that count rounds from before the first.
class LateUcb : public Ucb {
 public:
  LateUcb(double root_factor, Round before) : Ucb(root_factor, 0), before_(before) {}
  Clock clock(Round t) const noexcept { return Clock::at(t + before_); }

 private:
  Round before_;
};

/// min(1, mean + sqrt(root_factor ln t/n)).
class ClippedUcb : public Ucb {
 public:
  static constexpr bool kClipped = true;
  explicit ClippedUcb(double root_factor) : Ucb(root_factor, 0) {}
  double value(const State& s, const Clock& clock) const noexcept {
    const double v = s.at(clock);
    // An unobserved arm still comes before those that are clipped.
    return v > 1 && v < std::numeric_limits<double>::infinity() ? 1 : v;
  }
  Enclosure near(const State&, const Clock&,
                 double) const = delete;  // Ucb's is of what is not clipped
};

/// mean + sqrt(root_factor ln t/n) + ln t n^-power: for noise on the mean that shrinks like
/// n^-power.
class SlowNoiseUcb {
 public:
  using State = UcbCurve;
  SlowNoiseUcb(double root_factor, double power) : root_factor_(root_factor), power_(power) {}

  State prepare(const estimators::Estimate& e) const noexcept {
    if (e.n == 0) return {};
    return {e.mean(), std::sqrt(root_factor_ / e.n), std::pow(e.n, -power_)};
  }
  double value(const State& s, const Clock& clock) const noexcept { return s.at(clock); }

 private:
  double root_factor_;
  double power_;
};

/// mean + sqrt(root_factor ln t/n), but an arm with n <= warm_up ln(t+1) comes first.
class UcbAfterWarmUp {
 public:
  struct State {
    double mean = 0;
    double a = 0;
    double n = 0;
  };
  UcbAfterWarmUp(double root_factor, double warm_up)
      : root_factor_(root_factor), warm_up_(warm_up) {}

  State prepare(const estimators::Estimate& e) const noexcept {
    if (e.n == 0) return {};
    const double inverse = 1 / e.n;
    return {e.sum * inverse, std::sqrt(root_factor_ * inverse), e.n};
  }
  double value(const State& s, const Clock& clock) const noexcept {
    // ln(t+1) = ln t + ln(1 + 1/t), and the last term is below 1: look closer only near the edge.
    if (s.n <= warm_up_ * (clock.log_t + 1) &&
        s.n <= warm_up_ * std::log1p(static_cast<double>(clock.t))) {
      return std::numeric_limits<double>::infinity();
    }
    return s.mean + s.a * clock.sqrt_log_t;
  }

 private:
  double root_factor_;
  double warm_up_;
};

/// The last round up to which the leader of round t surely still leads the challenger, as computed
/// in doubles: where rounding could decide between them, rounds are left to be decided one by one.
/// At least t; t when the two are as good as tied.
Round leads_until(const UcbCurve& leader, const UcbCurve& challenger, const Clock& clock);

}  // namespace tacit::indices
