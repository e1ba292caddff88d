// Posterior samples as indices: drawn afresh every round, so an index is a random number.
#pragma once

#include <cmath>
#include <limits>

#include "tacit/estimators/estimate.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::indices {

/// Beta(1 + s, 1 + n - s) with s the released sum, clipped to [0, n] because noise can carry it
/// outside.
class BetaPosterior {
 public:
  static constexpr bool kIgnoresTime = true;
  struct State {
    random::GammaAtLeastOne successes{1};
    random::GammaAtLeastOne failures{1};
  };
  State prepare(const estimators::Estimate& e) const noexcept {
    const double s = e.sum < 0 ? 0 : (e.sum > e.n ? e.n : e.sum);
    return {random::GammaAtLeastOne(1 + s), random::GammaAtLeastOne(1 + e.n - s)};
  }
  template <class G>
  double sample(const State& s, const Clock&, G& generator) const noexcept {
    const double x = s.successes(generator);
    return x / (x + s.failures(generator));
  }
};

/// N(mean, 1/n).
class GaussianPosterior {
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
  template <class G>
  double sample(const State& s, const Clock&, G& generator) const noexcept {
    return s.mean + s.deviation * random::standard_normal(generator);
  }
};

/// N(mean + boost ln(c t)/n, 1/n): the mean is raised by what the noise in it may have taken.
class BoostedGaussianPosterior {
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
  template <class G>
  double sample(const State& s, const Clock& clock, G& generator) const noexcept {
    return s.mean + s.boost * clock.log_t + s.deviation * random::standard_normal(generator);
  }

 private:
  double boost_;
  double log_scale_;
};

}  // namespace tacit::indices
