// What one released sum says of a mean by Chernoff's bound: the simple relative of the mixture, at one time instead of
// any, and with the best tilt for what was released.
//
// Let S~ be the sum of n Bernoulli(mu) outcomes plus r independent Laplace(b) terms. For 0 < l < 1/b
//   E exp(-l S~) = (1 - mu (1 - e^-l))^n (1 - l^2 b^2)^-r,
// so by Chernoff P(S~ <= s) <= exp(-I(s, mu)) with the rate
//   I(s, mu) = max over l of  -n ln(1 - mu (1 - e^-l)) - l s + r ln(1 - l^2 b^2).
// Outcomes in [0, 1] that are not bits have a smaller moment generating function of the same mean, so the bound holds
// for them too.
//
// Phases may be weighted: with weight w_i on the noisy sum of phase i, l becomes l w_i in its terms.
#pragma once

#include <span>

namespace tacit::evidence {

/// One term of a weighted noisy sum: `weight` times (the sum of n outcomes + `noises` Laplace(b)).
struct NoisyTerm {
  double weight;
  double n;
  int noises;
};

/// I(s, mean), how unlikely a noisy weighted sum as low as s is under this mean, and the l at which it is reached; both
/// are 0 when s is not low.
struct Rate {
  double value;
  double tilt;
};
Rate rate(std::span<const NoisyTerm> terms, double s, double mean, double scale);

/// The largest mean in [0, 1] whose rate at s is at most `level`, for one unweighted term, and its derivative in the level.
struct UpperMean {
  double value;
  double slope;
};
UpperMean upper_mean(double s, double n, int noises, double scale, double level);

}  // namespace tacit::evidence
