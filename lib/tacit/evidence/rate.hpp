// What one released sum says of a mean by Chernoff's bound: the simple relative of the mixture, at one time instead of
// any, and with the best tilt for what was released.
//
// Let S~ be the sum of n Bernoulli(mu) outcomes plus r independent Laplace(b) terms. For 0 < l < 1/b
//   E exp(-l S~) = (1 - mu (1 - e^-l))^n (1 - l^2 b^2)^-r,
// so by Chernoff P(S~ <= s) <= exp(-I(s, mu)) with the rate
//   I(s, mu) = max over l of  -n ln(1 - mu (1 - e^-l)) - l s + r ln(1 - l^2 b^2).
// Outcomes in [0, 1] that are not bits have a smaller moment generating function of the same mean, so the bound holds
// for them too.
#pragma once

namespace tacit::evidence {

/// I(s, mean): how unlikely a sum as low as s, of n outcomes and `noises` Laplace terms of this scale, is under this mean; 0
/// when s is not low.
double rate(double s, double n, int noises, double scale, double mean);

/// The largest mean in [0, 1] whose rate at s is at most `level`, and its derivative in the level. Of two such values at
/// about this level the larger one is the larger one indeed if it is so by more than `doubt`.
struct UpperMean {
  double value;
  double slope;
  double doubt;
  double rest;  // 1 - value, whose digits are its own
  double rest_doubt;
};
UpperMean upper_mean(double s, double n, int noises, double scale, double level);
/// ln(1 - that mean), however close to 1 that is; -infinity where it is 1.
double upper_mean_log_rest(double s, double n, int noises, double scale, double level);

}  // namespace tacit::evidence
