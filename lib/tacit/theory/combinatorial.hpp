// Bounds for sets of arms under semi-bandit feedback: Chen, Zheng, Zhou, Yang, Chen & Wang 2020, "(Locally)
// differentially private combinatorial semi-bandits", and Theorem 10 of Wang, Dong, Wang, Li & Shao, "Cascading
// bandit under differential privacy". Rewards are B_inf-smooth; for sums B_inf = K, B_1 = 1 (Fact 1,
// actions::Smoothness).
//
// Approximate oracles, Thms 2, 4 and 10: a round is bad when its set is worth less than alpha opt, and gaps are to
// that. Where the oracle keeps alpha and indices are above the means, alpha r_mu(S*) <= alpha r_index(S*) <=
// r_index(S_t), so the gap of a bad round is at most B_inf times the largest index above its mean, as with an exact
// oracle. Let q be the expected number of rounds in which it does not, q <= (1 - beta) T. Rewards are at least 0, so
//   regret against alpha beta opt <= alpha opt (q - (1 - beta) T) + (gaps of bad rounds in which it does)
// and the first term is at most 0: alpha and beta change the gaps and nothing else. What holds with exact oracles for
// rewards below 0 (paths) does not with others, so those are not offered.
//
// Thms 2 and 4 of Chen et al. The proof of Thm 4, with b the scale of the noise and the radius that cucb-ldp1
// and cucb-ldp2 really use, 2 sqrt(2 ln T/n)(1 + b), more for n < ln T:
//   - a bad set is played only while its least observed arm i has a radius of at least Delta_i/(2 B_inf);
//     adding up 2 B_inf radius(n) over n gives 64 B_inf^2 (1 + b)^2 ln T/Delta_i, plus ln T + 1 rounds for n <
//     ln T. (At the printed radius this sum is 256 B_inf^2 ln T/(eps^2 Delta_i): the paper's 128 loses a factor
//     2.)
//   - the radius fails somewhere in a run, for one arm, with probability at most (2 ln T + 30)/T. (The paper's
//     union over arms forgets the number of arms, and its Bernstein step holds for n above ln T only.)
// Thm 8: optimistic_sets.hpp.
// Thm 9: the term in 1/eps is proved by an instance whose sets share public arms. Its coupling counts only the
// rounds in which one set S_1 is played, but the second environment raises the public arms as well, which every
// bad set contains. What the argument does show is that term without the factor K.
// Thm 10 of Wang et al.: the noise must stay within its radius for every n <= t at once, which the paper does
// not count: that costs ln T + 1 rounds an arm.
#pragma once

#include "tacit/theory/instance.hpp"
#include "tacit/theory/number.hpp"

namespace tacit::theory {

/// sum_i [64 B_inf^2 (1 + b)^2 ln T/Delta_i + (ln T + 1) Delta_max] + m (2 ln T + 30) Delta_max, at most T
/// Delta_max: reports with Laplace(b) noise. Thm 2 is b = K/eps, Thm 4 is b = 1/eps. At every T.
Number laplace_reports_upper(const Instance& instance, double scale);

/// [4 B_inf^2 (sqrt 1.5 + 2 sigma)^2 ln(T + m)/Delta_min^2 + ln(T + m) + pi^2/3 + 2] m Delta_max, at most T
/// Delta_max: reports with N(0, sigma^2) noise (Thm 10 of Wang et al.). At every T.
Number gaussian_reports_upper(const Instance& instance, double sigma);

/// Thm 5 with B_inf = 1 (others: evaluate(), by the scale of rewards): (m-1)/(64 (e^eps - 1)^2 Delta) ln T, local, single arms. Asymptotic. All gaps Delta <
/// 0.35, the best mean in [0.15, 0.85]: there kl <= 8 Delta^2, which its proof needs (it uses means 0 and
/// Delta, where that is false).
Number equal_gaps_local_lower(const Instance& instance);

/// Thm 6: (m-K) K/(64 (e^eps - 1)^2 Delta) ln T, local, disjoint sets of K arms with equal outcomes, mean 1/2
/// in the best and 1/2 - Delta/K in the others, Delta/K < 0.35. Asymptotic.
Number disjoint_sets_local_lower(const Instance& instance);

}  // namespace tacit::theory
