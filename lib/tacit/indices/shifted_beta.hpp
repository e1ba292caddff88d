// The posterior of lazy-dp-ts: Beta(p n + 1, (1-p) n + 1) with p = clip01(mean + shift ln t/n).
//
// While its estimate stands, p grows with t, and densities for a larger p have a monotone likelihood ratio to those
// for a smaller one. So not only do samples grow: the ratio of density to distribution function never falls at any
// point, and with it ln P(sample < x)/P(sample < y), x > y. That is what skipping by thinning needs
// (policies/posterior_ladder.hpp).
#pragma once

#include <span>

#include "tacit/estimators/estimate.hpp"
#include "tacit/indices/beta_law.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/random/conditioned.hpp"
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
  /// A sample conditioned on low <= sample < high.
  template <class G>
  double sample_between(const State& s, const Clock& clock, double low, double high,
                        G& generator) const noexcept {
    const double successes = p(s, clock) * s.n;
    return random::beta_between(generator, successes, s.n - successes, low, high);
  }
  double mean(const State& s, const Clock& clock) const noexcept {
    return (p(s, clock) * s.n + 1) / (s.n + 2);
  }
  double deviation(const State& s, const Clock& clock) const noexcept;
  /// How fast p moves with ln t, at most; 0 where it has come to rest at 1.
  double drift(const State& s, const Clock& clock) const noexcept {
    return p(s, clock) < 1 ? shift_ / s.n : 0;
  }
  /// Whether, from this round on, ln P(sample >= y | sample < x) is concave in ln t, x > y. Its second derivative in p is
  /// that of a variance of ln(sample/(1 - sample)), given both, less the variance given the second alone, times n^2; the
  /// density of that being log-concave, the former is smaller. And p is concave in ln t once it has left 0.
  bool is_concave(const State& s, const Clock& clock) const noexcept { return p(s, clock) > 0; }
  /// ln P(sample < y), y in (0, 1], accurate where it is near 0 too.
  double log_below(const State& s, const Clock& clock, double y) const noexcept;
  /// The same at each of some points below 1, which fall from one to the next.
  void log_below(const State& s, const Clock& clock, std::span<const double> points,
                 std::span<double> results) const noexcept;
  /// The same to about a tenth, and cheaper.
  double rough_log_below(const State& s, const Clock& clock, double y) const noexcept;

 private:
  BetaLaw law(const State& s, const Clock& clock) const noexcept;
  double p(const State& s, const Clock& clock) const noexcept {
    return clip01(s.mean + shift_ * clock.log_t / s.n);
  }
  double shift_;
};

}  // namespace tacit::indices
