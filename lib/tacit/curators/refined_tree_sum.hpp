// A running sum by a tree with Honaker's refinement from below (2015): every block's sum is released when it is
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

#include "tacit/accounting/releases.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/curators/release.hpp"
#include "tacit/privacy/counter_noise.hpp"
#include "tacit/privacy/noise_source.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::curators {

template <class NoiseSource>
class RefinedTreeSum {
 public:
  RefinedTreeSum(const privacy::CounterNoise& shape, double scale, Arm arm,
                 const NoiseSource& source)
      : arity_(shape.arity()), noise_(source.laplace(scale)), arm_(arm) {
    for (int level = 0; level < shape.levels(); ++level) {
      shares_.push_back(shape.refined_share(level));
    }
    levels_.resize(shares_.size());
  }

  /// One observation at a time, no more than the horizon.
  Release add(const privacy::Secret<Sum>& outcome,
              const accounting::Releases<NoiseSource>& releases) {
    ++observed_;
    privacy::Secret<Sum> block = outcome;
    double refined = release(block, 1, 0, releases);
    std::size_t at = 0;
    for (Round size = arity_; levels_[at].blocks == arity_ - 1; ++at, size *= arity_) {
      // The block completes the one above it, which is its parts, and has a release of its own.
      Level& parts = levels_[at];
      block += parts.sum;
      const double of_parts = parts.refined + refined;
      parts = {};
      const double own = release(block, size, at + 1, releases);
      // Precisions: 1 of its own release, 1/share - 1 of its parts; together 1/share.
      refined = shares_[at + 1] * own + (1 - shares_[at + 1]) * of_parts;
    }
    Level& level = levels_[at];
    level.sum += block;
    level.refined += refined;
    ++level.blocks;
    double prefix = 0;
    int noises = 0;
    for (const Level& l : levels_) {
      prefix += l.refined;
      noises += l.blocks;
    }
    return {privacy::Published::again(prefix), noises};
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(observed_);
    for (Level& level : levels_) archive(level.sum, level.refined, level.blocks);
  }

 private:
  struct Level {
    privacy::Secret<Sum> sum;  // of the complete blocks of this size not yet part of a larger one
    double refined = 0;        // their refined sums, added up
    int blocks = 0;
  };

  double release(const privacy::Secret<Sum>& block, Round size, std::size_t level,
                 const accounting::Releases<NoiseSource>& releases) const {
    constexpr std::uint64_t kMostLevels = 64;
    releases.note(noise_, arm_, observed_ - size + 1, observed_);
    const double released =
        noise_
            .release(block, releases.noise().at(
                                static_cast<std::uint64_t>(arm_),
                                static_cast<std::uint64_t>(observed_) * kMostLevels + level))
            .value();
    releases.show(arm_, released);
    return released;
  }

  int arity_;
  typename NoiseSource::LaplaceNoise noise_;
  Arm arm_;
  std::vector<double> shares_;  // of a level: a refined block's variance over its own release's
  Round observed_ = 0;
  std::vector<Level> levels_;
};

}  // namespace tacit::curators
