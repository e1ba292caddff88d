// Binary-tree counters (Dwork et al. 2010; Chan, Shi & Song 2011), one an arm over the arm's own
// observations: a noisy prefix sum after every observation.
//
// After n observations the prefix is the union of popcount(n) dyadic blocks, one for each set bit
// of n; each block's sum is released once, with its own noise, when it completes. An observation
// belongs to at most one block of every size, so to at most `levels` = floor(log2 T) + 1 of them:
// participation `levels`.
//
// Variance of the released prefix: popcount(n) times the noise's variance.
// Cost per observation: amortised O(1) additions, one noise draw. Memory: O(levels) an arm.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::estimators {

/// floor(log2 T) + 1: how many sizes of blocks T observations can fill.
inline int tree_levels(Round horizon) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(horizon)));
}

class TreeCounter {
 public:
  using Input = Sum;
  static constexpr bool kChangesEveryRound = true;

  TreeCounter(int arms, Round horizon, privacy::Laplace noise, const random::SimulationKey& key)
      : levels_(tree_levels(horizon)),
        noise_(noise),
        key_(key),
        arms_(static_cast<std::size_t>(arms)) {}

  int arms() const noexcept { return static_cast<int>(arms_.size()); }
  const Estimate& estimate(Arm arm) const noexcept {
    return arms_[static_cast<std::size_t>(arm)].estimate;
  }

  /// One observation at a time.
  bool learn(Arm arm, Round, const privacy::Secret<Sum>& outcome) {
    PerArm& a = arms_[static_cast<std::size_t>(arm)];
    const std::uint64_t n = ++a.observed;
    const auto level = static_cast<std::size_t>(std::countr_zero(n));
    // Observation n completes the block of 2^level that swallows the smaller ones before it.
    privacy::Secret<Sum> block = outcome;
    for (std::size_t i = 0; i < level; ++i) {
      block += a.blocks[i];
      a.blocks[i].clear();
    }
    a.blocks[level] = block;
    a.released[level] =
        noise_.release(block, key_.at(random::Purpose::kNoise, static_cast<std::uint64_t>(arm), n))
            .value();
    // Summed from the blocks rather than updated, so that rounding does not pile up over a long
    // run.
    double sum = 0;
    for (std::uint64_t rest = n; rest != 0; rest &= rest - 1) {
      sum += a.released[static_cast<std::size_t>(std::countr_zero(rest))];
    }
    a.estimate = {sum, static_cast<double>(n), std::popcount(n)};
    return true;
  }

  privacy::Guarantee guarantee(const privacy::Sensitivity& sensitivity,
                               const std::string& moves) const {
    return privacy::compose(privacy::Notion::kCentral, moves, levels_, noise_.loss(sensitivity));
  }

 private:
  static constexpr std::size_t kMaxLevels = 54;  // kLastRound = 2^53
  struct PerArm {
    Estimate estimate;
    std::uint64_t observed = 0;
    std::array<privacy::Secret<Sum>, kMaxLevels> blocks;
    std::array<double, kMaxLevels> released{};
  };

  int levels_;
  privacy::Laplace noise_;
  random::SimulationKey key_;
  std::vector<PerArm> arms_;
};

}  // namespace tacit::estimators
