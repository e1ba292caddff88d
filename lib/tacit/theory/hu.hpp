// Bounds of Hu, Huang, Mehta & Hegde (arXiv:2102.07929, "Near-optimal algorithms for differentially private
// online learning in a stochastic environment"). The paper states orders; the constants are those of its
// proofs, checked and made explicit.
//
//   Thm 3   An arm j of gap D is pulled 2^(d+1) - 1 times until its estimate rests on n = 2^d outcomes, the
//           smallest power of two >= 24 ln T/(D min(D, eps)); there its radius is at most D/2. From then on it
//           is pulled in round t only if some estimate strays: j's own or the best arm's, at one of at most
//           log2 t epochs each, with probability t^-3/2 + t^-6 (Laplace and Hoeffding). These sum up to less
//           than 1/4 over t >= 3.
//   Thm 9   As in its proof, sum over brackets of 256 (1 + ln |J_l|)/min(D_l, eps). The proof's r_0 is
//           undefined for a bracket of one action; there 2 D_l (4 + 68/(D_l min(D_l, eps))) is less, since
//           1/(1 - e^-x) <= 1.07/x for x <= 1/8.
//           Noise of another scale b: eps is 1/b. One-sided exponential noise of mean 2/eps (pf-ftnl) strays
//           half as often as two Laplace(1/eps) terms do in the proof, so it keeps the bound at eps itself.
//   Thm 12  With m = floor(ln K/(10 eps D)) rounds, or floor(ln K/(16 D^2)) without privacy (Fano: the
//           divergence of two instances is below 4.4 D^2 for D < 1/4), the best of K actions is guessed wrong
//           with probability 0.2, and 0.49 m rounds are then lost.
#pragma once

#include <span>

#include "tacit/core/round.hpp"
#include "tacit/theory/number.hpp"

namespace tacit::theory {

/// The smallest power of two that is at least 24 log_term/(gap min(gap, epsilon)): outcomes in an epoch whose
/// radius sqrt(3 log_term/n) + 3 log_term/(epsilon n) is at most gap/2.
double epoch_that_tells(double gap, double epsilon, double log_term);

/// Thm 3: sum of Delta_j (2^(d_j+1) - 3/4), each arm's pulls at most T. Of anytime-lazy-ucb, at every T.
double lazy_ucb_upper(std::span<const double> means, double epsilon, Round horizon);
/// Thm 3, every instance: 2 sqrt(96 (K-1) T ln T) + 96 (K-1) ln T/eps + (K-1)/4.
double lazy_ucb_worst_upper(int arms, double epsilon, Round horizon);

/// Thm 9: sum over brackets [D_l, 2 D_l), D_l = 2^(l-1) Delta_min, of 256 (1 + ln |J_l|)/min(D_l, eps). At
/// every T.
double noisy_leader_upper(std::span<const double> means, double epsilon, Round horizon);
/// Cor. 10 (a): 512 (1 + ln(K-1))/Delta_min when every gap is at most eps.
Number noisy_leader_small_gaps_upper(std::span<const double> means, double epsilon);
/// Cor. 10 (b): 512 (1 + ln(K-1))/min(Delta_min, eps) when every gap is in [Delta_min, 2 Delta_min].
Number noisy_leader_similar_gaps_upper(std::span<const double> means, double epsilon);
/// Cor. 11, every instance: with D = sqrt(ln K/T) <= 1,
///   T D + 512 (1 + ln(K-1))/D + 256 (1 + ln(K-1)) (brackets above eps)/eps.
Number noisy_leader_worst_upper(int arms, double epsilon, Round horizon);

/// Thm 12: 0.098 D max(floor(ln K/(16 D^2)), floor(ln K/(10 eps D))), eps-DP, full information, on one of the K
/// instances that have one mean 1/2 + D and the others 1/2. K >= 4, 0 < D < 1/4, T at least the two quotients.
Number full_information_lower(int arms, double gap, double epsilon, Round horizon);

}  // namespace tacit::theory
