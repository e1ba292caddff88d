// Bounds for ranked lists of K of L items: Wang, Dong, Wang, Li & Shao, "Cascading bandit under differential
// privacy", and Kveton, Szepesvari, Wen & Ashkan 2015, whose analysis it follows. gap_e is the smallest
// positive difference between one of the K best attractions and that of item e.
//
// The sum over rounds (Kveton et al. 2015, Thm 2): with a radius sqrt(c ln t/n), item e is examined in place of
// a better one at most 4 c ln T/gap^2 times, and adding up gaps over the K better items doubles 4 c ln T/gap.
// So 8 c: 12 for CascadeUCB1 (c = 1.5).
//   Thm 4   prints 4 (sqrt 1.5 + sqrt 24 K/eps)^2, half of it: 2 radius >= gap was squared to 2 radius^2. Its
//           tail bound holds for n >= 3 ln t; for fewer reports an item of the best list may be underrated for
//           long, which "can be bounded by 3 log t" does not cover. stray_rounds (tails.hpp) does.
//   Thm 6   prints the right factor and leaves out 2 pi^2 L/3.
// The policies have no privacy at all (docs/guarantees.md); the bounds are on their regret.
#pragma once

#include <span>

#include "tacit/core/round.hpp"
#include "tacit/theory/number.hpp"

namespace tacit::theory {

/// Kveton et al. 2015, Thm 2: sum_e 12 ln T/gap_e + pi^2 L/3. Of cascade-ucb1, at every T.
double cascade_ucb1_upper(std::span<const double> means, int size, Round horizon);

/// Thms 4 and 8: sum_e 8 (sqrt 1.5 + sqrt 24 b)^2 ln T/gap_e + L (pi^2/3 + stray_rounds(T)), reports with
/// Laplace(b) noise. At every T.
Number cascade_laplace_upper(std::span<const double> means, int size, double scale, Round horizon);

/// Thm 6: sum_e 2 (2 sqrt 1.5 + 4 sqrt 2 sigma)^2 ln T/gap_e + 2 pi^2 L/3, reports with N(0, sigma^2) noise. At
/// every T.
Number cascade_gaussian_upper(std::span<const double> means, int size, double sigma, Round horizon);

/// Thm 11: (L-K) p (1-p)^K/(2 min(4, e^2eps)(e^eps - 1)^2 Delta) ln T, local. Asymptotic. K items attract with
/// p, the others with p - Delta; 0 < Delta < p < 1. (Its proof bounds d(p, p - Delta) where it needs, and uses,
/// d(p - Delta, p).)
Number cascade_local_lower(std::span<const double> means, int size, double epsilon, Round horizon);

/// Kveton et al. 2015, Thm 4: (L-K)(1-p)^(K-1) Delta/kl(p - Delta, p) ln T, every policy, the same instance. Asymptotic.
Number cascade_lower(std::span<const double> means, int size, Round horizon);

/// Thm 12: (L-K)(1-p)^(K-1) max(Delta/kl(p - Delta, p), 1/(200 eps)) ln T, central, the same instance.
/// Asymptotic. The first is Kveton et al. 2015, Thm 4, the second Shariff & Sheffet 2018, Claim 14.
Number cascade_central_lower(std::span<const double> means, int size, double epsilon,
                             Round horizon);

}  // namespace tacit::theory
