// A running sum released after every outcome, by a tree (Dwork et al. 2010; Chan, Shi & Song 2011).
//
// With arity b the prefix of n observations is the union of dyadic-like blocks, as many of size b^l
// as the l-th digit of n in base b; each block's sum is released once, with its own noise, when it
// completes. An observation belongs to at most one block of every size, so to at most
// `levels` = floor(log_b T) + 1 of them: participation `levels`.
//
// Noise scale grows with the levels, the number of terms in a prefix is the digit sum of n: a larger
// arity trades fewer levels for more terms. Variance of the released prefix: digit sum times the
// noise's variance.
// Cost per observation: amortised O(1) additions, one noise draw. Memory: O(levels).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacit/accounting/releases.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/curators/release.hpp"
#include "tacit/privacy/counter_noise.hpp"
#include "tacit/privacy/noise_source.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::curators {

template <class NoiseSource>
class TreeSum {
 public:
  /// For at most `horizon` observations; arity >= 2; `scale` is that of a block's noise.
  TreeSum(Round horizon, int arity, double scale, Arm arm, const NoiseSource& source)
      : arity_(arity),
        noise_(source, scale, arm),
        arm_(arm),
        levels_(static_cast<std::size_t>(privacy::tree_levels(horizon, arity)) + 1) {}

  Release add(const privacy::Secret<Sum>& outcome,
              const accounting::Releases<NoiseSource>& releases) {
    ++observed_;
    if (levels_[0].blocks < arity_ - 1) return complete(0, 1, outcome, releases);
    // The observation completes the block that swallows all full levels below it.
    privacy::Secret<Sum> block = levels_[0].sum;
    block += outcome;
    empty(levels_[0]);
    std::size_t at = 1;
    Round size = arity_;
    for (; levels_[at].blocks == arity_ - 1; ++at, size *= arity_) {
      block += levels_[at].sum;
      empty(levels_[at]);
    }
    return complete(at, size, block, releases);
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(observed_, noises_);
    for (std::size_t at = 0; at + 1 < levels_.size(); ++at) {
      archive(levels_[at].sum, levels_[at].released, levels_[at].blocks);
    }
    for (std::size_t at = levels_.size() - 1; at-- > 0;) {
      levels_[at].and_above = levels_[at].released + levels_[at + 1].and_above;
    }
  }

 private:
  struct Level {
    privacy::Secret<Sum> sum;  // of the blocks of this size not yet swallowed
    double released = 0;       // their released sums, added up
    double and_above = 0;      // and those of the levels above
    int blocks = 0;
  };

  void empty(Level& level) noexcept {
    noises_ -= level.blocks;
    level.sum.clear();
    level.released = 0;
    level.blocks = 0;
  }
  /// A block of so many observations, of the newest ones, is released; the levels below are empty.
  Release complete(std::size_t at, Round size, const privacy::Secret<Sum>& block,
                   const accounting::Releases<NoiseSource>& releases) {
    const Round n = observed_;
    Level& level = levels_[at];
    level.sum += block;
    const double released = noise_.release(block, n).value();
    releases.show(arm_, released);
    level.released += released;
    releases.note(noise_.mechanism(), arm_, n - size + 1, n);
    ++level.blocks;
    ++noises_;
    // Summed from the levels rather than updated, so that rounding does not pile up over a long run. The levels
    // above have not changed.
    const double prefix = level.released + levels_[at + 1].and_above;
    for (std::size_t l = 0; l <= at; ++l) levels_[l].and_above = prefix;
    return {privacy::Published::again(prefix), noises_};
  }

  int arity_;
  typename NoiseSource::LaplaceInTurn noise_;
  Arm arm_;
  Round observed_ = 0;
  int noises_ = 0;
  std::vector<Level> levels_;  // and one above them, which is always empty
};

}  // namespace tacit::curators
