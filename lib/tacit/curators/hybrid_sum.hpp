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
#include <vector>

#include "tacit/accounting/releases.hpp"
#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/curators/release.hpp"
#include "tacit/privacy/counter_noise.hpp"
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

  /// One observation at a time.
  Release add(const privacy::Secret<Sum>& outcome,
              const accounting::Releases<NoiseSource>& releases) {
    const Round n = ++observed_;
    const privacy::HybridParts parts = privacy::hybrid_parts(n);
    since_power_ += outcome;
    const double scale = 2 * parts.scale() * scale_;
    if (parts.is_total) {
      total_ += release(since_power_, scale, 0, n - parts.before, releases);
      since_power_.clear();
      tree_.clear();
      return {privacy::Published::again(total_), parts.totals()};
    }
    // Observation number `m` of a tree over the 2^k - 1 that follow the power 2^k.
    const std::uint64_t m = static_cast<std::uint64_t>(n) - (std::uint64_t{1} << parts.levels);
    const auto level = static_cast<std::size_t>(std::countr_zero(m));
    privacy::Secret<Sum> block = outcome;
    for (std::size_t i = 0; i < level; ++i) block += tree_[i].sum;
    if (tree_.size() <= level) tree_.resize(level + 1);
    tree_[level] = {block, release(block, scale, 1, n - parts.before, releases)};
    double prefix = total_;
    for (std::uint64_t rest = m; rest != 0; rest &= rest - 1) {
      prefix += tree_[static_cast<std::size_t>(std::countr_zero(rest))].released;
    }
    return {privacy::Published::again(prefix), parts.totals() + parts.nodes};
  }

  template <class Archive>
  void state(Archive& archive) {
    std::size_t levels = tree_.size();
    archive(observed_, since_power_, total_, levels);
    tree_.resize(levels);
    for (Node& node : tree_) archive(node.sum, node.released);
  }

 private:
  struct Node {
    privacy::Secret<Sum> sum;
    double released = 0;
  };

  double release(const privacy::Secret<Sum>& sum, double scale, std::uint64_t tree,
                 Round observations, const accounting::Releases<NoiseSource>& releases) const {
    const auto noise = releases.noise().laplace(scale);
    const double released =
        noise
            .release(sum, releases.noise().at(static_cast<std::uint64_t>(arm_),
                                              2 * static_cast<std::uint64_t>(observed_) + tree))
            .value();
    releases.note(noise, arm_, observed_ - observations + 1, observed_);
    releases.show(arm_, released);
    return released;
  }

  double scale_;
  Arm arm_;
  Round observed_ = 0;
  privacy::Secret<Sum> since_power_;
  double total_ = 0;
  std::vector<Node> tree_;  // the last block of every size
};

}  // namespace tacit::curators
