// IMED on phases whose sums carry Laplace noise: how much less likely all of an arm's phases are if its mean were the best one
// than if it were what suits them best (ours).
//
// A phase of n outcomes with released sum s, under mean q. Its outcomes have some share z of ones; the noise makes up the rest.
// In the exponent, the likeliest way to s costs
//   D(q) = min over z of  n kl(z, q) + |s - n z|/b
// (b the scale): n d_eps of kl.hpp on either side. In closed form, with e = 1 - exp(-1/b), x = s/n:
//   x < z-   -s/b - n ln(1 - q e)                   z- = q (1 - e)/(1 - q e)
//   x > z+   -(n - s)/b - n ln(1 - (1 - q) e)       z+ = 1 - (1 - q)(1 - e)/(1 - (1 - q) e)
//   else     n kl(x, q)
// The rate against a mean q is  I(q) = sum of D(q) over phases - the least of that sum, which is reached at the mean theta.
//
// Why phase by phase. A Chernoff bound on the total charges every phase the worst of its noise, about 1 + ln of what is missing a
// phase; the likelihood charges a phase's noise where that phase needs it. A phase that contradicts all others is then blamed on its
// noise, at 1/b a unit, and no more.
//
// Each D is a maximum over tilts of functions that are convex in q, so I is convex; its slope has no logarithms, and is finite
// up to q = 1.
//
// The index is the smallest  trust I(best mean) + ln n. Plain IMED leaves an arm alone until the leader has been played e^I times
// as often, and a rate that large comes about by bad luck with probability e^-I: lost rounds are distributed like 1/x, the law of
// every policy tuned to the Lai-Robbins bound (Fan & Glynn 2021). trust = F/(F + doubt), F = n (1 - theta), discounts the rate
// of an arm of which few failures were seen: what speaks against an arm are failures, and noise can make up some 1/eps of them.
#pragma once

#include <vector>

#include "tacit/estimators/memory.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/enclosure.hpp"

namespace tacit::indices {

/// D of one phase at mean q in [0, 1], and its derivative.
struct PhaseCost {
  double value;
  double slope;
};
PhaseCost phase_cost(double sum, double n, double scale, double q);

class PhaseImed {
 public:
  static constexpr bool kSearched = true;
  static constexpr bool kUsesBestMean = true;
  struct State {
    std::vector<estimators::KeepPhases::Phase> phases;
    double mean = 0;   // theta
    double least = 0;  // the sum of D at theta
    double log_n = 0;
    double trust = 0;
  };
  PhaseImed(double scale, double doubt);

  State prepare(const estimators::KeepPhases& phases) const;
  double mean(const State& s) const noexcept { return s.mean; }
  double value(const State& s, const Clock& clock) const;
  /// The rate is convex in the best mean.
  Enclosure near(const State& s, const Clock& clock, double guess) const;

  /// I.
  PhaseCost rate(const State& s, double mean) const;

 private:
  double scale_;
  double doubt_;
};

}  // namespace tacit::indices
