// How much noise the counters add, exactly. A counter releases the sum of the first n outcomes, for every
// n up to a horizon T; the noise in a released sum is a linear combination of independent terms.
//
//   tree      Dwork et al. 2010; Chan, Shi & Song 2011. The first n outcomes are blocks of b^l of them, as many
//             as the l-th digit of n in base b says; one Laplace term a block.
//   signed    Andersson, Pagh, Steiner & Torkamani 2024. Digits between -(b-1)/2 and (b-1)/2, b odd: a
//             negative one takes blocks away again. Half the terms for the same number of levels.
//   refined   Honaker 2015, from below. A block's sum is known twice, from its own noisy release and from
//             those of its parts; weighed by their precision the two are better than either.
//   toeplitz  Fichtenberger, Henzinger & Upadhyay 2023. The matrix of prefix sums is the square of a Toeplitz
//             matrix with c_k = C(2k, k)/4^k; Gaussian noise goes in between.
//   hybrid    Chan, Shi & Song 2011. At n = 1, 2, 4, ... what came since the last power of two is added to a total;
//             between two powers a binary tree is begun anew. Knows no horizon, and its noise does not depend on
//             one: Laplace(2 D/eps) on every addition, and on the blocks of a tree as long as a power 2^k
//             Laplace(2 k D/eps).
//
// In a tree of `levels` levels an outcome enters one block of each, so the Laplace terms have scale
// levels D/eps; a Toeplitz factor's columns have squared length S(T) = sum_{k<T} c_k^2.
#pragma once

#include "tacit/core/round.hpp"

namespace tacit::privacy {

enum class Counter { kTree, kSigned, kRefined, kToeplitz, kHybrid };

/// floor(log_arity T) + 1: how many sizes of blocks T outcomes can fill.
int tree_levels(Round horizon, int arity = 2);
/// How many digits of size (arity-1)/2 at most can write every number up to T; arity odd.
int signed_levels(Round horizon, int arity);
/// How many blocks the first n outcomes are: the sum of the digits of n, of their sizes if signed.
int tree_terms(Round n, int arity);
int signed_terms(Round n, int arity);
/// What a hybrid counter's sum of n >= 1 outcomes is made of.
struct HybridParts {
  int levels;     // of the tree since the last power of two up to n: its exponent
  int nodes;      // of that tree, with noise of scale 2 levels
  Round before;   // the newest release is of the outcomes after these
  bool is_total;  // whether that is an addition to the total, with noise of scale 2, or a node

  /// Additions to the total, with noise of scale 2.
  int totals() const noexcept { return levels + 1; }
  /// Of the newest release's noise, in units of 2: what a total has.
  int scale() const noexcept { return is_total ? 1 : levels; }
};
HybridParts hybrid_parts(Round n);
/// S(n) = sum_{k<n} (C(2k, k)/4^k)^2, to 1e-12.
double toeplitz_squares(Round n);

/// The noise of a counter, of unit sensitivity and with a total loss of 1: epsilon 1 for the Laplace ones,
/// 2 rho = 1 for the Gaussian one. Variances scale with (sensitivity/epsilon)^2, or sensitivity^2/(2 rho).
class CounterNoise {
 public:
  /// An arity of 0 is the one with the smallest largest variance. Throws for one that the counter cannot have.
  CounterNoise(Counter kind, Round horizon, int arity = 0);

  Counter kind() const noexcept { return kind_; }
  Round horizon() const noexcept { return horizon_; }
  int arity() const noexcept { return arity_; }
  /// How many releases an outcome enters, or of a hybrid counter pays for: a total, and a tree that costs as much.
  int levels() const noexcept { return levels_; }
  bool is_gaussian() const noexcept { return kind_ == Counter::kToeplitz; }
  /// The scale of a Laplace term (of a hybrid counter's totals), the deviation of a Gaussian one.
  double term_scale() const noexcept { return term_scale_; }
  /// Of the term with the largest scale: other than that, in a hybrid counter's last tree.
  double largest_term_scale() const noexcept;
  /// Of the noise in the sum of the first n outcomes.
  double variance(Round n) const;
  double largest_variance() const;
  /// The most terms that the noise of a sum can be made of.
  int most_terms() const;
  /// In units of a Laplace term's variance, at most this many for a block of a refined tree's level.
  double refined_share(int level) const;

 private:
  Counter kind_;
  Round horizon_;
  int arity_;
  int levels_;
  double term_scale_;
};

}  // namespace tacit::privacy
