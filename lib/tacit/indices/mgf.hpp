// The MGF index: an upper confidence bound that charges every noise term (ours).
//
// Let S~ be the sum of n Bernoulli(mu) outcomes plus r independent Laplace(b) terms. For 0 < l < 1/b
//   E exp(-l S~) = (1 - mu (1 - e^-l))^n (1 - l^2 b^2)^-r,
// so by Chernoff P(S~ <= s) <= exp(-I(s, mu)) with the rate
//   I(s, mu) = max over l of  -n ln(1 - mu (1 - e^-l)) - l s + r ln(1 - l^2 b^2).
// The index at level f is the largest mu with I(S~, mu) <= f. Outcomes in [0, 1] that are not bits
// have a smaller moment generating function of the same mean, so the bound holds for them too.
//
// Phases may be weighted: with weight w_i on the noisy sum of phase i, l becomes l w_i in its terms.
// d_eps (kl.hpp) is the same without the r term; its coverage is not honest for many phases.
#pragma once

#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "tacit/estimators/estimate.hpp"
#include "tacit/estimators/memory.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/concave.hpp"
#include "tacit/indices/enclosure.hpp"

namespace tacit::indices {

/// One term of a weighted noisy sum: `weight` times (the sum of n outcomes + `noises` Laplace(b)).
struct NoisyTerm {
  double weight;
  double n;
  int noises;
};

/// I(s, mean): how unlikely a noisy weighted sum as low as s is under this mean; 0 when s is not
/// low.
double mgf_rate(std::span<const NoisyTerm> terms, double s, double mean, double scale);

/// The largest mean in [0, 1] whose rate at s is at most `level`, for one unweighted term.
double mgf_upper(double s, double n, int noises, double scale, double level);

/// Level ln t (sharp: the index covers the mean at 1/t at a fixed number of observations), or
/// ln t + ln(1 + log_g t) (justified: a union bound over the phases that an arm can have had by round
/// t at growth g, so that it covers the mean at 1/t whatever the phase).
enum class Level { kSharp, kJustified };

class MgfUcb {
 public:
  static constexpr bool kSearched = true;  // by Newton
  using State = estimators::Estimate;
  /// `growth` is the factor by which an arm's observations grow in a phase.
  MgfUcb(double scale, Level level, double growth);

  State prepare(const estimators::Estimate& e) const noexcept { return e; }
  double value(const State& s, const Clock& clock) const;
  double mean(const State& s) const noexcept { return s.n == 0 ? 0 : s.sum / s.n; }
  /// The rate is convex in the mean, so its inverse, the index, is concave in the level; and the
  /// level is concave in ln t.
  ConcaveIndex concave(const State& s, const Clock& clock) const;
  Enclosure near(const State& s, const Clock& clock, double guess) const;

 private:
  double level_at(double log_t) const;

  double scale_;
  Level level_;
  double log_growth_;
};

/// IMED with the MGF rate: the smallest  I(S~, best mean) n/(n + doubt) + ln n.
///
/// Phases are weighted by n_i/(n_i + 4 b^2), scaled so that the largest weight is 1: a phase that
/// is mostly noise counts for little.
/// The factor n/(n + doubt) is what keeps runs from getting
/// stuck. Plain IMED leaves an arm alone until the leader has been played e^I times as often, and a
/// rate that large comes about by bad luck with probability e^-I: lost rounds are distributed like
/// 1/x, the law of every policy tuned to the Lai-Robbins bound (Fan & Glynn 2021). With the rate of
/// a little-known arm discounted to I n/(n + doubt), recovery from it takes e^(I n/(n + doubt)), so
/// the tail falls like x^-(1 + doubt/n). An arm that is really worse has many observations by the
/// time it is left, and loses only doubt/n of its rate.
class MgfImed {
 public:
  static constexpr bool kSearched = true;  // by Newton
  struct State {
    std::vector<NoisyTerm> terms;
    double sum = 0;   // weighted
    double mean = 0;  // weighted, clipped to [0, 1]
    double log_n = 0;
    double trust = 0;  // n/(n + doubt)
  };
  static constexpr bool kUsesBestMean = true;
  MgfImed(double scale, double doubt) : scale_(scale), doubt_(doubt) {}

  State prepare(const estimators::KeepPhases& phases) const;
  double mean(const State& s) const noexcept { return s.mean; }
  double value(const State& s, const Clock& clock) const;
  /// The rate is convex in the best mean.
  Enclosure near(const State& s, const Clock& clock, double guess) const;

 private:
  double scale_;
  double doubt_;
};

}  // namespace tacit::indices
