// Hybrid counters (Chan, Shi & Song 2011): a noisy prefix sum after every observation, without knowing how many
// there will be.
//
// At n = 1, 2, 4, 8, ... the sum since the last power of two is added, with noise, to a running
// total; between two powers a binary tree over the observations since then is started anew. Half of
// epsilon pays for the totals, half for the trees: an observation enters one addition to the total
// (noise 2/eps) and at most `levels` nodes of its tree (noise 2 levels/eps), levels = floor(log2 of
// the tree's length) + 1.
//
// Noise in a prefix of n: one term for every power of two up to n, and one for every set bit of
// n - 2^floor(log2 n). Cost per observation: amortised O(1) additions, one noise draw.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tacit/accounting/releases.hpp"
#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/curators/release.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/noise_source.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::curators {

template <class NoiseSource>
class HybridSum {
 public:
  /// `scale` is what one release of everything would need: L1 sensitivity over epsilon.
  HybridSum(double scale, Arm arm)
      : scale_(check::positive("HybridSum", "scale", scale)), arm_(arm) {}

  /// Of the noise in the sum of n observations, for a scale of 1.
  static double variance(Round n) {
    const auto m = static_cast<std::uint64_t>(n);
    const std::uint64_t power = std::bit_floor(m);
    const auto levels = static_cast<double>(std::bit_width(power - 1));
    return 8 * static_cast<double>(std::bit_width(power)) +
           8 * levels * levels * std::popcount(m - power);
  }

  /// One observation at a time.
  Release add(const privacy::Secret<Sum>& outcome,
              const accounting::Releases<NoiseSource>& releases) {
    const std::uint64_t n = ++observed_;
    since_power_ += outcome;
    if (std::has_single_bit(n)) {
      total_ += release(since_power_, 2 * scale_, n, 0, n - n / 2, releases);
      ++total_noises_;
      since_power_.clear();
      tree_.clear();
      return {privacy::Published::again(total_), total_noises_};
    }
    // Observation number `m` of a tree over the 2^k - 1 that follow the power 2^k.
    const std::uint64_t power = std::bit_floor(n);
    const std::uint64_t m = n - power;
    const auto level = static_cast<std::size_t>(std::countr_zero(m));
    privacy::Secret<Sum> block = outcome;
    for (std::size_t i = 0; i < level; ++i) block += tree_[i].sum;
    if (tree_.size() <= level) tree_.resize(level + 1);
    const auto levels = static_cast<double>(std::bit_width(power - 1));
    tree_[level] = {block,
                    release(block, 2 * levels * scale_, n, 1, std::uint64_t{1} << level, releases)};
    double prefix = total_;
    int noises = total_noises_;
    for (std::uint64_t rest = m; rest != 0; rest &= rest - 1) {
      prefix += tree_[static_cast<std::size_t>(std::countr_zero(rest))].released;
      ++noises;
    }
    return {privacy::Published::again(prefix), noises};
  }

  /// What one round costs that enters one counter with L1 sensitivity `sensitivity.l1`.
  privacy::Guarantee guarantee(const privacy::Sensitivity& sensitivity, const std::string& moves,
                               privacy::Arithmetic arithmetic) const {
    // One total at 2 scale and `levels` nodes at 2 levels scale cost 1/2 + 1/2 of 1/scale.
    // Grids round each of them up by less, so the scale asked for bounds them all.
    privacy::Loss loss = privacy::Laplace(2 * scale_).loss(sensitivity);
    loss.arithmetic = arithmetic;
    return privacy::compose(privacy::Notion::kCentral, moves, 2, loss);
  }

 private:
  struct Node {
    privacy::Secret<Sum> sum;
    double released = 0;
  };

  double release(const privacy::Secret<Sum>& sum, double scale, std::uint64_t n, std::uint64_t tree,
                 std::uint64_t observations,
                 const accounting::Releases<NoiseSource>& releases) const {
    const auto noise = releases.noise().laplace(scale);
    const double released =
        noise.release(sum, releases.noise().at(static_cast<std::uint64_t>(arm_), 2 * n + tree))
            .value();
    releases.note(noise, arm_, static_cast<Round>(n - observations + 1), static_cast<Round>(n));
    releases.show(arm_, released);
    return released;
  }

  double scale_;
  Arm arm_;
  std::uint64_t observed_ = 0;
  privacy::Secret<Sum> since_power_;
  double total_ = 0;
  int total_noises_ = 0;
  std::vector<Node> tree_;  // the last block of every size
};

}  // namespace tacit::curators
