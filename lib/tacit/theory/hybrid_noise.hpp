// Lemma 1 of Wang et al. ("Cascading bandit under differential privacy"; Chan, Shi & Song 2011): with probability 1 - gamma the
// noise in a hybrid counter's sum of n observations is at most c_1 ln^1.5(n) ln(1/gamma)/eps. Which c_1?
//
// The noise of n = 2^k + m, m < 2^k, is k + 1 Laplace(2/eps) terms and one Laplace(2k/eps) term for every set bit of m
// (curators/hybrid_sum.hpp). Laplace densities are log-concave and symmetric, so is that of the sum, so the absolute noise has an
// increasing hazard rate: -ln P(|noise| > x) is convex, and at least x times the hazard 2 f(0) at 0, f the density. So the lemma holds
// for all gamma in (0, 1) exactly if c_1 >= 1/(2 f(0) ln^1.5 n) at eps = 1, and
//   f(0) = (1/pi) int_0^inf (1 + 4 u^2)^-(k+1) (1 + 4 k^2 u^2)^-p du,   p the set bits of m,
// which is an integral over a period of a smooth function once u = tan(x)/2: a sum of equal steps has all its digits. It depends on
// n by k and p only, and ln n is least at n = 2^k + 2^p - 1: so all n that can be counted are a few hundred cases.
//   n = 1      no c_1: ln 1 = 0, and the noise is not.
//   n >= 2     c_1 = 6.93, needed at n = 2.
//   as played  an item's n counts the raw outcome that it starts from, its counter n - 1 others: c_1 = 5.94.
// The recipe's c1 = 1 is the paper's silence read as 1: enough where n is a power of two from 128 on, where few terms are
// added up, and too small elsewhere: 3.9 at n = 7, 5.4 at n = 2^14 - 1.
#pragma once

#include "tacit/core/round.hpp"

namespace tacit::theory {

/// The density at 0 of the noise in a hybrid counter's sum of n >= 1 observations, at epsilon 1.
double hybrid_density_at_0(Round n);
/// The smallest c_1 for a sum of n observations whose bound has ln^1.5(n + raw): +infinity where that is 0.
double hybrid_constant(Round n, Round raw = 0);
/// The smallest c_1 for every n from `first` on, a power of two, as far as rounds are counted.
double hybrid_constant_from(Round first, Round raw = 0);

}  // namespace tacit::theory
