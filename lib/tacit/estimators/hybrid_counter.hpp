// Hybrid counters (Chan, Shi & Song 2011), one an arm over the arm's own observations: a noisy prefix
// sum after every observation, without knowing how many there will be.
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

#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/ledger.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::estimators {

class HybridCounter {
 public:
  using Input = Sum;
  static constexpr bool kChangesEveryRound = true;

  /// `scale` is what one release of everything would need: L1 sensitivity over epsilon.
  HybridCounter(int arms, double scale, const privacy::Releases& releases,
                privacy::Arithmetic arithmetic = privacy::Arithmetic::kIdealised)
      : scale_(check::positive("HybridCounter", "scale", scale)),
        releases_(releases),
        arithmetic_(arithmetic),
        arms_(static_cast<std::size_t>(arms)) {}

  /// Of the noise in the sum of n observations, for a scale of 1.
  static double variance(Round n) {
    const auto m = static_cast<std::uint64_t>(n);
    const std::uint64_t power = std::bit_floor(m);
    const auto levels = static_cast<double>(std::bit_width(power - 1));
    return 8 * static_cast<double>(std::bit_width(power)) +
           8 * levels * levels * std::popcount(m - power);
  }

  int arms() const noexcept { return static_cast<int>(arms_.size()); }
  const Estimate& estimate(Arm arm) const noexcept {
    return arms_[static_cast<std::size_t>(arm)].estimate;
  }

  /// One observation at a time.
  bool learn(Arm arm, Round, const privacy::Secret<Sum>& outcome) {
    PerArm& a = arms_[static_cast<std::size_t>(arm)];
    const std::uint64_t n = ++a.observed;
    a.since_power += outcome;
    if (std::has_single_bit(n)) {
      a.total += release(a.since_power, 2 * scale_, arm, n, 0, n - n / 2);
      ++a.total_noises;
      a.since_power.clear();
      a.tree.clear();
      a.estimate = {a.total, static_cast<double>(n), a.total_noises};
      return true;
    }
    // Observation number `m` of a tree over the 2^k - 1 that follow the power 2^k.
    const std::uint64_t power = std::bit_floor(n);
    const std::uint64_t m = n - power;
    const auto level = static_cast<std::size_t>(std::countr_zero(m));
    privacy::Secret<Sum> block = outcome;
    for (std::size_t i = 0; i < level; ++i) block += a.tree[i].sum;
    if (a.tree.size() <= level) a.tree.resize(level + 1);
    const auto levels = static_cast<double>(std::bit_width(power - 1));
    a.tree[level] = {block,
                     release(block, 2 * levels * scale_, arm, n, 1, std::uint64_t{1} << level)};
    a.estimate = {a.total, static_cast<double>(n), a.total_noises};
    for (std::uint64_t rest = m; rest != 0; rest &= rest - 1) {
      a.estimate.sum += a.tree[static_cast<std::size_t>(std::countr_zero(rest))].released;
      ++a.estimate.noises;
    }
    return true;
  }

  /// What one round costs that enters one arm's counter with L1 sensitivity `sensitivity.l1`.
  privacy::Guarantee guarantee(const privacy::Sensitivity& sensitivity,
                               const std::string& moves) const {
    // One total at 2 scale and `levels` nodes at 2 levels scale cost 1/2 + 1/2 of 1/scale.
    // Grids round each of them up by less, so the scale asked for bounds them all.
    privacy::Loss loss = privacy::Laplace(2 * scale_).loss(sensitivity);
    loss.arithmetic = arithmetic_;
    return privacy::compose(privacy::Notion::kCentral, moves, 2, loss);
  }

 private:
  struct Node {
    privacy::Secret<Sum> sum;
    double released = 0;
  };
  struct PerArm {
    Estimate estimate;
    std::uint64_t observed = 0;
    privacy::Secret<Sum> since_power;
    double total = 0;
    int total_noises = 0;
    std::vector<Node> tree;  // the last block of every size
  };

  double release(const privacy::Secret<Sum>& sum, double scale, Arm arm, std::uint64_t n,
                 std::uint64_t tree, std::uint64_t observations) const {
    auto draw = releases_.noise(static_cast<std::uint64_t>(arm), 2 * n + tree);
    const privacy::Laplace noise(scale, arithmetic_);
    const double released = noise.release(sum, draw).value();
    releases_.note(noise, arm, static_cast<Round>(n - observations + 1), static_cast<Round>(n));
    releases_.show(arm, released);
    return released;
  }

  double scale_;
  privacy::Releases releases_;
  privacy::Arithmetic arithmetic_;
  std::vector<PerArm> arms_;
};

}  // namespace tacit::estimators
