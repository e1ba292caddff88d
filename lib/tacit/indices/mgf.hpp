// The MGF index: an upper confidence bound that charges every noise term (ours). It is the largest mean whose rate
// (evidence/rate.hpp) at the released sum is at most the level.
// d_eps (kl.hpp) is the same without the noise terms; its coverage is not honest for many phases.
#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "tacit/estimators/estimate.hpp"
#include "tacit/estimators/memory.hpp"
#include "tacit/evidence/rate.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/concave.hpp"
#include "tacit/indices/enclosure.hpp"

namespace tacit::indices {

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
    std::vector<evidence::NoisyTerm> terms;
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
