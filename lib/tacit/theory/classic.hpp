// Bounds for single arms that are not of one paper on this library's list: what any policy must pay, what
// privacy adds, and UCB1. Bernoulli arms; a is a suboptimal arm, mu* the best mean, Delta_a = mu* - mu_a.
#pragma once

#include <span>

#include "tacit/core/round.hpp"
#include "tacit/theory/instance.hpp"
#include "tacit/theory/number.hpp"

namespace tacit::theory {

/// Lai & Robbins 1985: sum of Delta_a/kl(mu_a, mu*) ln T. Asymptotic, of every consistent policy.
double lai_robbins_lower(std::span<const double> means, Round horizon);

/// Auer, Cesa-Bianchi & Fischer 2002, Thm 1: sum of 8 ln T/Delta_a + (1 + pi^2/3) Delta_a. Of ucb1, at every T.
double auer_upper(std::span<const double> means, Round horizon);

/// Shariff & Sheffet 2018, Claim 14: a suboptimal arm is pulled ln T/(100 eps Delta_a) times with probability
/// 1/2, so the regret is at least (suboptimal arms) ln T/(200 eps). Asymptotic, eps-DP. d_epsilon_lower is at
/// least 200 times it: d_eps(mu_a, mu*) <= eps Delta_a.
double shariff_sheffet_lower(std::span<const double> means, double epsilon, Round horizon);

/// Azize & Basu 2022: sum of Delta_a/min(kl(mu_a, mu*), 6 eps Delta_a) ln T. Asymptotic, eps-DP.
double azize_basu_lower(std::span<const double> means, double epsilon, Round horizon);

/// Azize & Basu 2022: max(sqrt(T (K-1))/27, (K-1)/(131 eps)), on the worst instance. T >= K-1; the second term
/// only once T eps >= K-1, below which it may exceed T.
Number azize_basu_minimax_lower(int arms, double epsilon, Round horizon);

/// Azize et al. 2025 (arXiv:2505.05613): sum of Delta_a/d_eps(mu_a, mu*) ln T. Asymptotic, eps-DP.
double d_epsilon_lower(std::span<const double> means, double epsilon, Round horizon);

/// (1 + mean (e^eps - 1))/(1 + e^eps): how often a randomised response to such an outcome is 1.
double response_mean(double mean, double epsilon);

/// Gajane, Urvoy & Kaufmann 2018: sum of Delta_a/kl(b_a, b*) ln T, with b = (1 + mu (e^eps - 1))/(1 + e^eps)
/// the mean of a randomised response. Asymptotic, of policies that see such bits and nothing else.
double corrupted_feedback_lower(std::span<const double> means, double epsilon, Round horizon);

/// Chandak's thesis, Thms 4 and 5: whoever guesses one user's bit from what an eps-DP policy shows fails at
/// least this often on one of the two bits, 1/(1 + e^eps).
double adversary_failure(double epsilon);

/// Of following the leader with full information, at every T. After n rounds an arm leads the best one with probability
/// at most exp(-n Delta_a^2/2) (Hoeffding 1963: their difference lies in [-1, 1]), so that the next round costs no more
/// than sum_a Delta_a exp(-n Delta_a^2/2), nor than the largest gap: the sum of the smaller.
double leader_upper(std::span<const double> means, Round horizon);

/// What playing at random costs: every arm as likely as any other, or every list of so many items.
double random_play(const Instance& instance);

}  // namespace tacit::theory
