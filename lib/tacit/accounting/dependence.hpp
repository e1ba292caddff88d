// How much what a policy plays can depend on outcomes at all: "useful only if epsilon >> 1/n" (Chandak's thesis,
// section 2.2) as a number. Of two inputs of T rounds, however different, the laws of all actions are at most this far apart
// in total variation. So what is played on any outcomes can be coupled with what is played when all are 0, and differs
// with at most that probability: the rest of the time nothing was learned, whatever there was to learn.
//
// Central, pure: let p_i be the probability of a set of actions after i of the T rounds were replaced. Then p_{i+1} <= e^eps p_i
// and 1 - p_i <= e^eps (1 - p_{i+1}). p_T - p_0 is largest when p first grows by e^eps and then 1 - p falls by e^-eps, as
// long each: 1 - e^(-T eps/2) for even T, 1 - e^(-T eps/2)/cosh(eps/2) for odd T. Laplace noise on a sum attains the first.
// Central, (eps, delta): by group privacy (E, D) over T rounds, E = T eps. From P(S) <= e^E Q(S) + D and the same of the
// complements with P and Q swapped, P(S) - Q(S) <= tanh(E/2) + 2D/(e^E + 1).
// Local, pure: every report has a divergence of at most eps tanh(eps/2) (randomised response; composition.hpp), those of T
// rounds add up by the chain rule, and by Pinsker the variation is at most sqrt(T eps tanh(eps/2)/2). With a delta, but for a
// probability of 1 - (1-delta)^T, reports are as pure ones (Kairouz, Oh & Viswanath 2015).
// It is below 1/2 while T eps < 2 ln 2 if central, and about T eps^2 < 1 if local.
#pragma once

#include "tacit/accounting/notions.hpp"
#include "tacit/core/round.hpp"

namespace tacit::accounting {

/// In [0, 1]; 1 where nothing is promised, and for other notions, of which nothing is computed. `rounds` >= 1.
double most_dependence(const Privacy& privacy, Round rounds);

}  // namespace tacit::accounting
