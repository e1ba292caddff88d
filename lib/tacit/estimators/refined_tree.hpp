// Tree counters with Honaker's refinement from below (2015): every block's sum is released when it is
// complete, and is also the sum of its parts, which were released before; the two are averaged by their
// precision. Variance: privacy/counter_noise.hpp.
//
// Privacy: an outcome enters one block of every level, each released once with its own noise:
// participation `levels`, as without the refinement, which only computes with what was released.
// Cost per observation: amortised at most two noise draws, O(levels) to add up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/privacy/counter_noise.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/ledger.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::estimators {

class RefinedTreeCounter {
 public:
  using Input = Sum;
  static constexpr bool kChangesEveryRound = true;

  RefinedTreeCounter(int arms, const privacy::CounterNoise& shape, privacy::Laplace noise,
                     const privacy::Releases& releases)
      : arity_(shape.arity()),
        noise_(noise),
        releases_(releases),
        arms_(static_cast<std::size_t>(arms)) {
    for (int level = 0; level < shape.levels(); ++level) {
      shares_.push_back(shape.refined_share(level));
    }
    for (PerArm& arm : arms_) arm.levels.resize(shares_.size());
  }

  int arms() const noexcept { return static_cast<int>(arms_.size()); }
  const Estimate& estimate(Arm arm) const noexcept {
    return arms_[static_cast<std::size_t>(arm)].estimate;
  }

  /// One observation at a time, no more of an arm than the horizon.
  bool learn(Arm arm, Round, const privacy::Secret<Sum>& outcome) {
    PerArm& a = arms_[static_cast<std::size_t>(arm)];
    const auto n = static_cast<Round>(++a.observed);
    privacy::Secret<Sum> block = outcome;
    double refined = release(block, arm, n, 1, 0);
    std::size_t at = 0;
    for (Round size = arity_; a.levels[at].blocks == arity_ - 1; ++at, size *= arity_) {
      // The block completes the one above it, which is its parts, and has a release of its own.
      Level& parts = a.levels[at];
      block += parts.sum;
      const double of_parts = parts.refined + refined;
      parts = {};
      const double own = release(block, arm, n, size, at + 1);
      // Precisions: 1 of its own release, 1/share - 1 of its parts; together 1/share.
      refined = shares_[at + 1] * own + (1 - shares_[at + 1]) * of_parts;
    }
    Level& level = a.levels[at];
    level.sum += block;
    level.refined += refined;
    ++level.blocks;
    a.estimate.sum = 0;
    a.estimate.noises = 0;
    for (const Level& l : a.levels) {
      a.estimate.sum += l.refined;
      a.estimate.noises += l.blocks;
    }
    a.estimate.n = static_cast<double>(n);
    return true;
  }

 private:
  struct Level {
    privacy::Secret<Sum> sum;  // of the complete blocks of this size not yet part of a larger one
    double refined = 0;        // their refined sums, added up
    int blocks = 0;
  };
  struct PerArm {
    Estimate estimate;
    std::uint64_t observed = 0;
    std::vector<Level> levels;
  };
  double release(const privacy::Secret<Sum>& block, Arm arm, Round n, Round size,
                 std::size_t level) const {
    constexpr std::uint64_t kMostLevels = 64;
    releases_.note(noise_, arm, n - size + 1, n);
    const double released =
        noise_
            .release(block, releases_.noise(static_cast<std::uint64_t>(arm),
                                            static_cast<std::uint64_t>(n) * kMostLevels + level))
            .value();
    releases_.show(arm, released);
    return released;
  }

  int arity_;
  privacy::Laplace noise_;
  privacy::Releases releases_;
  std::vector<double> shares_;  // of a level: a refined block's variance over its own release's
  std::vector<PerArm> arms_;
};

}  // namespace tacit::estimators
