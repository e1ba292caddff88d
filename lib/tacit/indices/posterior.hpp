// Posterior samples as indices: drawn afresh every round, so an index is a random number.
//
// A posterior can be drawn from, and it knows how likely a sample is to be below or not below a threshold, so that a
// shell need not draw where only that matters (policies/calm.hpp). For a state that wanders about it has lowered(), a
// state some deviations down, and covers(edge, s): then P(sample < y) is no larger for s than for the edge, for any y
// at which it is below a half for the edge. kSamplesPerCandidate says how many samples cost as much as a chance and the
// conditioned samples that may follow.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tacit/estimators/estimate.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/random/conditioned.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::indices {

/// Beta(1 + s, 1 + n - s) with s the released sum, clipped to [0, n] because noise can carry it
/// outside.
class BetaPosterior {
 public:
  static constexpr bool kIgnoresTime = true;
  static constexpr double kSamplesPerCandidate = 40;
  struct State {
    double ones = 0;
    double zeros = 0;
  };
  State prepare(const estimators::Estimate& e) const noexcept {
    const double s = e.sum < 0 ? 0 : (e.sum > e.n ? e.n : e.sum);
    return {s, e.n - s};
  }
  template <class G>
  double sample(const State& s, const Clock&, G& generator) const noexcept {
    const double x = random::GammaAtLeastOne(1 + s.ones)(generator);
    return x / (x + random::GammaAtLeastOne(1 + s.zeros)(generator));
  }

  static bool observed(const State&) noexcept { return true; }  // the prior is a law like others
  double mean(const State& s, const Clock&) const noexcept {
    return (1 + s.ones) / (2 + s.ones + s.zeros);
  }
  double deviation(const State& s, const Clock&) const noexcept {
    const double n = 2 + s.ones + s.zeros;
    return std::sqrt((1 + s.ones) * (1 + s.zeros) / (n + 1)) / n;
  }
  double chance_below(const State& s, const Clock&, double y) const noexcept;
  double chance_above(const State& s, const Clock&, double y) const noexcept;
  template <class G>
  double sample_below(const State& s, const Clock&, double y, G& generator) const noexcept {
    return 1 - random::beta_above(generator, s.zeros, s.ones, 1 - y);
  }
  template <class G>
  double sample_above(const State& s, const Clock&, double y, G& generator) const noexcept {
    return random::beta_above(generator, s.ones, s.zeros, y);
  }

  /// A one more makes samples larger, a zero more smaller.
  bool covers(const State& edge, const State& s) const noexcept {
    return s.ones >= edge.ones && s.zeros <= edge.zeros;
  }
  /// Zeros more; of a sum with noise in it, which can fall, half of it as ones that turned into zeros.
  State lowered(const State& s, const Clock& clock, double deviations,
                bool sums_fall) const noexcept {
    const double down = deviations * deviation(s, clock) * (2 + s.ones + s.zeros);
    const double lost = sums_fall ? std::min(down / 2, s.ones) : 0;
    return {s.ones - lost, s.zeros + lost + (down - lost) / mean(s, clock)};
  }
};

/// What normal posteriors share; Posterior has mean() and deviation().
template <class Posterior>
class NormalPosterior {
 public:
  static constexpr double kSamplesPerCandidate = 10;
  template <class State, class G>
  double sample(const State& s, const Clock& clock, G& generator) const noexcept {
    return self().mean(s, clock) + self().deviation(s, clock) * random::standard_normal(generator);
  }
  template <class State>
  static bool observed(const State& s) noexcept {
    return s.deviation > 0;
  }
  template <class State>
  double deviation(const State& s, const Clock&) const noexcept {
    return s.deviation;
  }
  template <class State>
  double chance_below(const State& s, const Clock& clock, double y) const noexcept {
    return 0.5 * std::erfc(height(s, clock, y) * -std::numbers::sqrt2 / 2);
  }
  template <class State>
  double chance_above(const State& s, const Clock& clock, double y) const noexcept {
    return 0.5 * std::erfc(height(s, clock, y) * std::numbers::sqrt2 / 2);
  }
  template <class State, class G>
  double sample_below(const State& s, const Clock& clock, double y, G& generator) const noexcept {
    return self().mean(s, clock) -
           s.deviation * random::normal_above(generator, -height(s, clock, y));
  }
  template <class State, class G>
  double sample_above(const State& s, const Clock& clock, double y, G& generator) const noexcept {
    return self().mean(s, clock) +
           s.deviation * random::normal_above(generator, height(s, clock, y));
  }

 private:
  const Posterior& self() const noexcept { return static_cast<const Posterior&>(*this); }
  template <class State>
  double height(const State& s, const Clock& clock, double y) const noexcept {
    return (y - self().mean(s, clock)) / s.deviation;
  }
};

/// N(mean, 1/n).
class GaussianPosterior : public NormalPosterior<GaussianPosterior> {
 public:
  static constexpr bool kIgnoresTime = true;
  struct State {
    double mean = std::numeric_limits<double>::infinity();  // an unobserved arm comes first
    double deviation = 0;
  };
  State prepare(const estimators::Estimate& e) const noexcept {
    if (e.n == 0) return {};
    return {e.mean(), 1 / std::sqrt(e.n)};
  }
  double mean(const State& s, const Clock&) const noexcept { return s.mean; }

  /// Below the edge's mean, a larger mean and a smaller deviation both make P(sample < y) smaller.
  bool covers(const State& edge, const State& s) const noexcept {
    return s.mean >= edge.mean && s.deviation <= edge.deviation;
  }
  State lowered(const State& s, const Clock&, double deviations, bool) const noexcept {
    return {s.mean - deviations * s.deviation, s.deviation};
  }
};

/// N(mean + boost ln(c t)/n, 1/n): the mean is raised by what the noise in it may have taken.
/// While its estimate stands samples grow with t.
class BoostedGaussianPosterior : public NormalPosterior<BoostedGaussianPosterior> {
 public:
  struct State {
    double mean = std::numeric_limits<double>::infinity();  // an unobserved arm comes first
    double boost = 0;
    double deviation = 0;
  };
  BoostedGaussianPosterior(double boost, double c) : boost_(boost), log_scale_(std::log(c)) {}

  State prepare(const estimators::Estimate& e) const noexcept {
    if (e.n == 0) return {};
    return {e.mean(), boost_ / e.n, 1 / std::sqrt(e.n)};
  }
  Clock clock(Round t) const noexcept { return Clock::scaled(t, log_scale_); }
  double mean(const State& s, const Clock& clock) const noexcept {
    return s.mean + s.boost * clock.log_t;
  }
  /// How fast the mean moves with ln t.
  double drift(const State& s) const noexcept { return s.boost; }

 private:
  double boost_;
  double log_scale_;
};

}  // namespace tacit::indices
