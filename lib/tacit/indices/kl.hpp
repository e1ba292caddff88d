// Bernoulli divergences and the upper confidence bounds made of them.
//   kl(x, y)     = x ln(x/y) + (1-x) ln((1-x)/(1-y))
//   d_eps(x, y)  = inf over z of  kl(z, y) + eps (z - x),  x <= z <= y: the price of telling y from x
//                  when a curator adds Laplace(1/eps) noise (Azize et al. 2025). Equal to kl(x, y)
//                  when x >= z* = y e^-eps/(1 - y + y e^-eps), else -eps x - ln(1 - y + y e^-eps).
#pragma once

#include <cmath>
#include <limits>

#include "tacit/estimators/estimate.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/enclosure.hpp"

namespace tacit::indices {

double kl(double x, double y);
double d_epsilon(double x, double y, double epsilon);

/// max{q in [mean, 1] : kl(mean, q) <= level}; the mean must lie in [0, 1], the level be >= 0.
double kl_upper(double mean, double level);
/// ln(1 - kl_upper), however close to 1 that is; -infinity where it is 1.
double kl_upper_log_rest(double mean, double level);
/// max{q in [mean, 1] : d_eps(mean, q) <= level}; exactly 1 when q = 1 qualifies.
double d_epsilon_upper(double mean, double level, double epsilon);
double d_epsilon_upper_log_rest(double mean, double level, double epsilon);

inline double clip01(double x) { return x < 0 ? 0.0 : (x > 1 ? 1.0 : x); }

/// max q: n kl(clip01(mean + shift ln t/n), q) <= level_factor ln t + iterated_factor ln ln t, with union_of t
/// for t.
class KlUcb {
 public:
  static constexpr bool kSearched = true;  // by Newton
  struct State {
    double mean = 0;
    double inverse_n = 0;  // 0: unobserved
  };
  struct Shape {
    double level_factor = 1;     // multiplies ln t
    double iterated_factor = 0;  // multiplies ln ln t
    double shift = 0;            // multiplies ln t/n, added to the mean for the noise in it
    double union_of = 1;         // t is multiplied by it: a union bound over that many items
  };
  explicit KlUcb(Shape shape) : shape_(shape), log_union_(std::log(shape.union_of)) {}

  Clock clock(Round t) const noexcept { return Clock::scaled(t, log_union_); }

  State prepare(const estimators::Estimate& e) const noexcept {
    if (e.n == 0) return {};
    return {e.mean(), 1 / e.n};
  }
  double mean(const State& s) const noexcept { return s.mean; }
  double value(const State& s, const Clock& clock) const {
    if (s.inverse_n == 0) return std::numeric_limits<double>::infinity();
    return kl_upper(shifted(s, clock), level(clock) * s.inverse_n);
  }
  double log_rest(const State& s, const Clock& clock) const {
    return kl_upper_log_rest(shifted(s, clock), level(clock) * s.inverse_n);
  }
  /// The divergence is convex in q, so that its inverse is concave in the level, and the level is concave in ln t from
  /// ln t = 1 on, below which there is no ln ln t. Not where the mean is shifted.
  bool can_be_enclosed() const noexcept { return shape_.shift == 0; }
  Enclosure near(const State& s, const Clock& clock, double guess) const;

 private:
  double shifted(const State& s, const Clock& clock) const noexcept {
    return clip01(s.mean + shape_.shift * clock.log_t * s.inverse_n);
  }
  double level(const Clock& clock) const {
    double level = shape_.level_factor * clock.log_t;
    if (shape_.iterated_factor != 0 && clock.log_t > 1) {
      level += shape_.iterated_factor * std::log(clock.log_t);
    }
    return level;
  }

  Shape shape_;
  double log_union_;
};

/// max q: n d_eps(clip01(mean), q) <= ln t.
class DEpsilonUcb {
 public:
  using State = KlUcb::State;
  explicit DEpsilonUcb(double epsilon) : epsilon_(epsilon) {}

  State prepare(const estimators::Estimate& e) const noexcept {
    if (e.n == 0) return {};
    return {clip01(e.mean()), 1 / e.n};
  }
  double value(const State& s, const Clock& clock) const {
    if (s.inverse_n == 0) return std::numeric_limits<double>::infinity();
    return d_epsilon_upper(s.mean, clock.log_t * s.inverse_n, epsilon_);
  }
  double log_rest(const State& s, const Clock& clock) const {
    return d_epsilon_upper_log_rest(s.mean, clock.log_t * s.inverse_n, epsilon_);
  }

 private:
  double epsilon_;
};

/// IMED: the arm with the smallest n d_eps(mean, best mean) + ln n, as a score to maximise.
class DEpsilonImed {
 public:
  using State = KlUcb::State;
  static constexpr bool kUsesBestMean = true;
  explicit DEpsilonImed(double epsilon) : epsilon_(epsilon) {}

  State prepare(const estimators::Estimate& e) const noexcept {
    if (e.n == 0) return {};
    return {clip01(e.mean()), 1 / e.n};
  }
  double mean(const State& s) const noexcept { return s.mean; }
  double value(const State& s, const Clock& clock) const {
    if (s.inverse_n == 0) return std::numeric_limits<double>::infinity();
    return -(d_epsilon(s.mean, clock.best_mean, epsilon_) / s.inverse_n - std::log(s.inverse_n));
  }

 private:
  double epsilon_;
};

}  // namespace tacit::indices
