// The MGF index: an upper confidence bound that charges every noise term (ours). It is the largest mean whose rate
// (evidence/rate.hpp) at the released sum is at most the level.
// d_eps (kl.hpp) is the same without the noise terms; its coverage is not honest for many phases.
#pragma once

#include "tacit/estimators/estimate.hpp"
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
  double log_rest(const State& s, const Clock& clock) const;
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

}  // namespace tacit::indices
