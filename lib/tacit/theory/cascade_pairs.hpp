// A list's regret by pairs of items: Lemma 4 of Wang et al. ("Cascading bandit under differential privacy"), which is
// Thm 1 of Kveton, Szepesvari, Wen & Ashkan 2015. Let a_1, ..., a_K be the list, e_1, ..., e_K the best items, matched with the
// positions so that items of both stay with themselves. Then, by telescoping the two products of 1 - w,
//   regret = sum_k prod_{i<k} (1 - w(a_i)) (w(e_k) - w(a_k)) prod_{j>k} (1 - w(e_j)),
// where the first product is the probability of G_{a_k, e_k}: the user gets as far as position k. The last one lies between
// alpha = (1 - w(1))^(K-1), w(1) the largest attraction, and 1: which is the lemma, for any such matching.
#pragma once

#include <span>

#include "tacit/core/round.hpp"
#include "tacit/theory/number.hpp"

namespace tacit::theory {

struct PairedRegret {
  double regret = 0;  // of the list, in one round
  double pairs = 0;   // sum over pairs of Delta P(G): at least the regret
  double alpha = 1;   // and alpha times it at most the regret
};

/// Items attract independently. The list has distinct items, or InvalidParameter is thrown; free places are matched in the
/// order of the best items.
PairedRegret paired_regret(std::span<const double> means, std::span<const Arm> list);

/// Of cascade-kl-ucb: an item e is examined in place of the k-th best at most ln T/kl(w(e), w_k) times, so
///   sum_e [D_1/kl_1 + sum_{k>1} D_k (1/kl_k - 1/kl_{k-1})] ln T,  D_k = w_k - w(e) > 0, kl_k = kl(w(e), w_k).
/// Asymptotic. Kveton et al. 2015, Thm 3, have it in a simpler form.
double cascade_kl_upper(std::span<const double> means, int size, Round horizon);

}  // namespace tacit::theory
