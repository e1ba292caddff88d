// Tree counters (Dwork et al. 2010; Chan, Shi & Song 2011), one an arm over the arm's own
// observations: a noisy prefix sum after every observation.
//
// With arity b the prefix of n observations is the union of dyadic-like blocks, as many of size b^l
// as the l-th digit of n in base b; each block's sum is released once, with its own noise, when it
// completes. An observation belongs to at most one block of every size, so to at most
// `levels` = floor(log_b T) + 1 of them: participation `levels`.
//
// Noise scale grows with the levels, the number of terms in a prefix is the digit sum of n: a larger
// arity trades fewer levels for more terms. Variance of the released prefix: digit sum times the
// noise's variance.
// Cost per observation: amortised O(1) additions, one noise draw, O(levels) to add up. Memory:
// O(levels) an arm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/privacy/counter_noise.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/ledger.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::estimators {

using privacy::tree_levels;

class TreeCounter {
 public:
  using Input = Sum;
  static constexpr bool kChangesEveryRound = true;

  /// arity >= 2.
  TreeCounter(int arms, Round horizon, privacy::Laplace noise, const privacy::Releases& releases,
              int arity = 2)
      : levels_(tree_levels(horizon, arity)),
        arity_(arity),
        noise_(noise),
        releases_(releases),
        arms_(static_cast<std::size_t>(arms)) {
    for (PerArm& arm : arms_) arm.levels.resize(static_cast<std::size_t>(levels_));
  }

  int arms() const noexcept { return static_cast<int>(arms_.size()); }
  const Estimate& estimate(Arm arm) const noexcept {
    return arms_[static_cast<std::size_t>(arm)].estimate;
  }

  /// One observation at a time, no more of an arm than the horizon.
  bool learn(Arm arm, Round, const privacy::Secret<Sum>& outcome) {
    PerArm& a = arms_[static_cast<std::size_t>(arm)];
    const std::uint64_t n = ++a.observed;
    // The observation completes the block that swallows all full levels below it.
    privacy::Secret<Sum> block = outcome;
    std::size_t at = 0;
    Round size = 1;
    for (; a.levels[at].blocks == arity_ - 1; ++at, size *= arity_) {
      block += a.levels[at].sum;
      a.estimate.noises -= a.levels[at].blocks;
      a.levels[at].sum.clear();
      a.levels[at].released = 0;
      a.levels[at].blocks = 0;
    }
    Level& level = a.levels[at];
    level.sum += block;
    const double released =
        noise_.release(block, releases_.noise(static_cast<std::uint64_t>(arm), n)).value();
    releases_.show(arm, released);
    level.released += released;
    releases_.note(noise_, arm, static_cast<Round>(n) - size + 1, static_cast<Round>(n));
    ++level.blocks;
    ++a.estimate.noises;
    // Summed from the levels rather than updated, so that rounding does not pile up over a long
    // run.
    a.estimate.sum = 0;
    for (const Level& l : a.levels) a.estimate.sum += l.released;
    a.estimate.n = static_cast<double>(n);
    return true;
  }

  privacy::Guarantee guarantee(const privacy::Sensitivity& sensitivity,
                               const std::string& moves) const {
    return privacy::compose(privacy::Notion::kCentral, moves, levels_, noise_.loss(sensitivity));
  }

 private:
  struct Level {
    privacy::Secret<Sum> sum;  // of the blocks of this size not yet swallowed
    double released = 0;       // their released sums, added up
    int blocks = 0;
  };
  struct PerArm {
    Estimate estimate;
    std::uint64_t observed = 0;
    std::vector<Level> levels;
  };

  int levels_;
  int arity_;
  privacy::Laplace noise_;
  privacy::Releases releases_;
  std::vector<PerArm> arms_;
};

}  // namespace tacit::estimators
