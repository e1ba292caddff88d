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

}  // namespace tacit::indices
