// Lower bounds of Basu, Dimitrakakis & Tossou (arXiv:1905.12298, "Privacy in multi-armed
// bandits: fundamental definitions and lower bounds"), and the divergences of histories that they come from.
//
// Checked against the proofs:
//   Thm 1  its last step halves the sum of two regrets but keeps T Delta/4, a slip of a factor 2. The printed
//          bound holds all the same: by Duchi, Jordan & Wainwright's inequality with the total variation itself
//          (2 Delta for coins) and the gap sqrt((K-1)/(8 a T)), a = min(4, e^2eps)(e^eps - 1)^2, one gets
//          sqrt((K-1) T/a) e^-1/2/8, which is larger.
//   Thm 2  its constant c(a) does not exist: the proof needs delta(a) >= x + 1 - ln x with x = 2 eps (e^2eps -
//          1), which grows without bound as eps -> 0, and (13) prints e^delta where the steps before it give
//          e^-delta. Tuning the gap directly in the line before yields sqrt((K-1) T) e^(-x - 1/2)/16 (the worse of
//          two has half of their sum), which does not grow as eps -> 0. As printed it contradicts Hu et al.'s Theorem 3 (eps-DP implies 2 eps
//          instantaneous) for small eps, large T.
//   Thm 3  the last printed step is an algebra error (a spurious eps^(-1/eps)); the line before it is given
//          here. That line, too, halves a sum and keeps T Delta/4: with the best gap, sqrt((K-1)/(4T)) e^-(eps+c), the proof gives
//          sqrt((K-1) T) e^(-3(eps+c) - 1/2)/16, down to half of it. At c = 0 the line stays below sqrt((K-1) T)/27 for every
//          eps, so it is true, by that, and superseded.
//   Lemma 6  both forms hold, that of the text (given here) and that of the appendix, e^a (2 a + D'), a = eps + c. The
//          proof's last step does not: it multiplies ln(P'/Q') by e^(2a) where it may be negative. Instead, write P = e^u P',
//          Q = e^v Q', |u|, |v| <= a, L = ln(P'/Q'). Then D(P||Q) = E_P[u] - E_P[v] + E_P[L], where E_P[u] = D(P||P') <=
//          a tanh(a/2), -E_P[v] <= a, and E_P[L] = D' + E_P'[w L] with w = e^u - 1 in [e^-a - 1, e^a - 1], of mean 0. As D' = E_P'[e^-L -
//          1 + L], E_P'[w L] <= k D' + k E_P'[f(w/k)] for every k >= e^a - 1, f(x) = x + (1-x) ln(1-x), which is convex, so that w
//          at its two ends is the worst. k = e^(2a) - 1 leaves less than a (1 - tanh(a/2)), the text's form; k = e^a - 1 leaves at
//          most tanh(a/2) (1 + e^-a/2), the appendix's.
//   Thm 4  Pinsker's inequality is used with a constant four times too large: true, and loose by 4.
#pragma once

#include <span>

#include "tacit/core/round.hpp"
#include "tacit/theory/number.hpp"

namespace tacit::theory {

/// min(2, e^eps)(e^eps - 1): an eps-local report of outcomes at total variation V has divergence at most the
/// square of this times V^2 (Duchi, Jordan & Wainwright 2013).
double local_contraction(double epsilon);

/// Thm 1, Cor. 1: sqrt((K-1) T)/(4 e^4 min(2, e^eps)(e^eps - 1)), local, of the worst instance.
/// T >= 4 (K-1)/(min(4, e^2eps)(e^eps - 1)^2), where its gap is at most 1/2.
Number local_minimax_lower(int arms, double epsilon, Round horizon);

/// Thm 2, Cor. 2, as printed: c sqrt((K-1) T/(2 eps (e^2eps - 1))), instantaneous. The paper gives no c.
double instantaneous_minimax_lower(int arms, double epsilon, Round horizon, double constant);

/// What the proof of Thm 2 does give, with its gap sqrt((K-1)/(4T)): sqrt((K-1) T) e^(-x-1/2)/16, x = 2 eps (e^2eps - 1),
/// instantaneous, of the worst instance, for normal outcomes of variance 1 (of coins the divergence is four times as large). T >=
/// K-1.
Number instantaneous_minimax_corrected(int arms, double epsilon, Round horizon);

/// Thm 3, Cor. 3, without its last step: sqrt((K-1) T ln(eps^2+1)/(eps (eps^2+1)^(1/eps)))/(8 e^(3(eps+c))),
/// central, of the worst instance. T >= (K-1) ln(eps^2+1)/(eps e^(2(eps+c))). c >= 0: how far one outcome can
/// move the logarithm of its own probability.
Number central_minimax_lower(int arms, double epsilon, Round horizon, double steepness = 0);

/// Thm 4: sum of Delta_a/(2 min(4, e^2eps)(e^eps - 1)^2 kl(mu_a, mu*)) ln T, local, Bernoulli arms. Asymptotic.
double local_instance_lower(std::span<const double> means, double epsilon, Round horizon);

/// Section 6: "kl-UCB-CF and TS-CF are suboptimal by at least (1 + e^-eps)^2". What they come to (Gajane et al. 2018), over
/// Thm 4, which at small gaps around 1/2 is 2 min(4, e^2eps)(1 + e^eps)^2: more than the paper says. It is a ratio to a lower
/// bound that is loose, not to what a local policy can have: on Bernoulli arms both policies are optimal, since every eps-local
/// report of a bit can be made of its randomised response (Kairouz, Oh & Viswanath 2015): bound local-response.
double corrupted_feedback_ratio(std::span<const double> means, double epsilon);

/// The divergence of the histories of one policy in two environments; pulls[a] is the expected number of pulls
/// of arm a in the first, divergences[a] that of arm a's outcomes.
/// Lemma 3: policy_term + sum of pulls divergences; the first term is 0 for non-private and local policies.
double history_divergence(std::span<const double> pulls, std::span<const double> divergences,
                          double policy_term = 0);
/// Lemma 4: at most 2 min(4, e^2eps)(e^eps - 1)^2 times that when outcomes are reported eps-locally.
double local_history_divergence(std::span<const double> pulls, std::span<const double> divergences,
                                double epsilon);
/// Lemma 5: at most 2 eps (e^2eps - 1)(1 - 2 e^(-T/l))/(1 - e^(-T/l)) more, eps-instantaneous, every arm pulled
/// l times or more in expectation.
double instantaneous_history_divergence(std::span<const double> pulls,
                                        std::span<const double> divergences, double epsilon,
                                        double least_pulls);
/// Lemma 6: 2 (eps + c) + e^(2(eps+c)) times the divergence of a neighbouring history, central.
double central_history_divergence(double neighbour, double epsilon, double steepness);

}  // namespace tacit::theory
