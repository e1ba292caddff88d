// dp-ucb-tree, dp-ts-tree: UCB and Thompson sampling on binary-tree counters, one an arm.
//
// Mishra & Thakurta 2015, "(Nearly) optimal differentially private stochastic multi-arm bandits".
//   L1  every observation of an arm goes into its tree, whose nodes carry Lap(levels/eps) noise
//   L2  dp-ucb-tree: the arm that maximises  S~_j/n_j + sqrt(2 ln t/n_j) + q/n_j,  q the exact
//       1 - 1/t quantile of the popcount(n_j) Laplace terms in S~_j
//       dp-ts-tree: the arm with the largest draw from  Beta(1 + clip(S~_j), 1 + n_j - clip(S~_j))
// Symbols: levels = floor(log2 T) + 1.
// Departures: 1. no split of eps over the arms: one round touches one arm's tree. 2. The exact
// quantile of the noise in place of the paper's bound on it. 3. dp-ts-tree takes noisy sums as they
// are: rounding them to bits would only add noise.
// Privacy: one round enters at most `levels` nodes of one tree, each costs eps/levels: eps.
// Known trouble: dp-ts-tree does not widen its posterior for the noise. A best arm whose first noisy
// sums come out low is sampled no more, its noise is never renewed, and the run stays on a wrong arm
// (a quarter of the runs and more at small epsilon): compare medians, or the share of such runs.
// Cost per decision: O(arms), every round.
#pragma once

#include "tacit/estimators/tree_counter.hpp"
#include "tacit/indices/laplace_sum.hpp"
#include "tacit/indices/posterior.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_policy.hpp"
#include "tacit/policies/posterior_policy.hpp"
#include "tacit/policies/setting.hpp"

namespace tacit::policies::recipes {

struct DpUcbTree {
  static constexpr Card kCard =
      central("dp-ucb-tree", "DP-UCB on tree counters", "Mishra & Thakurta 2015")
          .needing_the_horizon();
  using Parameters = NoParameters;
  using Estimator = estimators::TreeCounter;
  using Policy = IndexPolicy<Estimator, indices::NoiseAwareUcb, Hold::kRound>;

  static Policy make(const Setting& s, const Parameters&) {
    const int levels = estimators::tree_levels(s.horizon);
    const double scale = levels / required_epsilon(kCard.name, s);
    return Policy(
        Estimator(s.arms, s.horizon, privacy::Laplace(scale, s.arithmetic), s.releases()),  // L1
        indices::NoiseAwareUcb(scale, levels),                                              // L2
        s.pace, s.key);
  }
};

struct DpTsTree {
  static constexpr Card kCard =
      central("dp-ts-tree", "DP Thompson sampling on tree counters", "Mishra & Thakurta 2015")
          .needing_the_horizon();
  using Parameters = NoParameters;
  using Estimator = estimators::TreeCounter;
  using Policy = PosteriorPolicy<Estimator, indices::BetaPosterior>;

  static Policy make(const Setting& s, const Parameters&) {
    const double scale = estimators::tree_levels(s.horizon) / required_epsilon(kCard.name, s);
    return Policy(Estimator(s.arms, s.horizon, privacy::Laplace(scale, s.arithmetic), s.releases()),
                  {}, s.key);
  }
};

}  // namespace tacit::policies::recipes
