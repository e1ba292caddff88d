// How often a mean of n Laplace terms strays: what turns "with high probability" into a number.
//
// Chernoff, tuned: for the mean of n Laplace(1) terms, P(mean > y) <= exp(-n I(y)) with
//   I(y) = sup over 0 < l < 1 of  l y + ln(1 - l^2)  =  s - 1 - ln((s + 1)/2),   s = sqrt(1 + y^2).
// I(y) is y^2/4 for small y but only y for large: few terms stray further than a normal of the same variance
// would, which the analyses of Chen et al. 2020 and of Wang et al. (Cascading bandit under DP) leave out.
#pragma once

#include "tacit/core/round.hpp"

namespace tacit::theory {

/// I(y), y >= 0.
double laplace_rate(double y);

/// An upper bound on the expected number of rounds t = 1..T in which, for one item, the mean of its n
/// Laplace(1) reports, for any n <= t, is further than sqrt(24 ln t/n) from 0.
double stray_rounds(Round horizon);

}  // namespace tacit::theory
