// The posterior of lazy-dp-ts: Beta(p n + 1, (1-p) n + 1) with p = clip01(mean + shift ln t/n).
//
// While its estimate stands, p grows with t, so samples grow stochastically: P(sample < y) never
// rises and P(sample >= y) never falls. That is what skipping by thinning needs
// (ThinnedPosteriorLearner).
#pragma once

#include "tacit/estimators/estimate.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::indices {

class ShiftedBeta {
 public:
  struct State {
    double mean = 0;
    double n = 0;  // 0: unobserved
  };
  explicit ShiftedBeta(double shift) : shift_(shift) {}

  State prepare(const estimators::Estimate& e) const noexcept {
    if (e.n == 0) return {};
    return {e.mean(), e.n};
  }
  bool observed(const State& s) const noexcept { return s.n > 0; }

  template <class G>
  double sample(const State& s, const Clock& clock, G& generator) const noexcept {
    const double successes = p(s, clock) * s.n;
    const double x = random::GammaAtLeastOne(1 + successes)(generator);
    return x / (x + random::GammaAtLeastOne(1 + (s.n - successes))(generator));
  }
  double mean(const State& s, const Clock& clock) const noexcept {
    return (p(s, clock) * s.n + 1) / (s.n + 2);
  }
  double deviation(const State& s, const Clock& clock) const noexcept;
  /// How fast p moves with ln t, at most.
  double drift(const State& s) const noexcept { return shift_ / s.n; }
  /// P(sample < y) and P(sample >= y), each accurate where it is small.
  double chance_below(const State& s, const Clock& clock, double y) const;
  double chance_above(const State& s, const Clock& clock, double y) const;
  /// A sample conditioned on being below, or not below, y in (0, 1).
  template <class G>
  double sample_below(const State& s, const Clock& clock, double y, G& generator) const {
    const double successes = p(s, clock) * s.n;
    return 1 - random::beta_tail(generator, s.n - successes, successes, 1 - y);
  }
  template <class G>
  double sample_above(const State& s, const Clock& clock, double y, G& generator) const {
    const double successes = p(s, clock) * s.n;
    return random::beta_tail(generator, successes, s.n - successes, y);
  }

 private:
  double p(const State& s, const Clock& clock) const noexcept {
    return clip01(s.mean + shift_ * clock.log_t / s.n);
  }
  double shift_;
};

}  // namespace tacit::indices
