// What a posterior sample hides of a user by itself (Hu, Huang, Mehta & Hegde, arXiv:2102.07929, section 7: "posterior samples
// provide some degree of differential privacy for free"), of Thompson sampling on two arms with outcomes 0 and 1 and Beta(1, 1)
// priors.
//
// Given the actions so far, the next one depends on the counts and on fresh dice alone: theta_1 ~ Beta(s+1, n-s+1) is held against
// theta_2 ~ Beta(c+1, m-c+1), n and m observations with s and c ones. One user of arm 1 makes s to s + 1, so that
//   P(arm 1 | s+1)/P(arm 1 | s) = E[rho(theta_1) F_2(theta_1)]/E[F_2(theta_1)] under s, rho(x) proportional to x/(1-x).
// rho grows with x, and F_2 for larger c divided by F_2 for smaller c does too, so the ratio is largest for c = m, where
// F_2(x) = x^(m+1) and P(arm 1) = (s+1) ... (s+m+1)/((n+2) ... (n+m+2)). It is then (s+m+2)/(s+1), at most m + 2, at s = 0. Of
// P(arm 2) the same follows by taking 0 for 1. Hence the loss of the next action is ln(m+2) exactly, m the observations of the
// *other* arm, however many there are of the user's own.
// So there is a privacy for free, instantaneous and without bound: ln T where an arm is seen once, so that an epsilon of 1 is used up
// as soon as the other arm was seen once. A user who was seen early pays it again with every action.
#pragma once

#include "tacit/core/round.hpp"

namespace tacit::theory {

/// The largest change of the logarithm of the next action's probability by one user of an arm, when the other arm was observed so
/// often.
double thompson_action_loss(Round observations_of_the_other);

}  // namespace tacit::theory
