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
// Other counters by parameter (counter=, arity=): signed trees have a third of the noise; toeplitz is private
// up to delta.
// Privacy: one round enters at most `levels` nodes of one tree, each costs eps/levels: eps.
// Known trouble: dp-ts-tree does not widen its posterior for the noise. A best arm whose first noisy
// sums come out low is sampled no more, its noise is never renewed, and the run stays on a wrong arm
// (a quarter of the runs and more at small epsilon): compare medians, or the share of such runs.
// Cost per decision: O(arms), every round.
#pragma once

#include <string>

#include "tacit/estimators/counter.hpp"
#include "tacit/indices/laplace_sum.hpp"
#include "tacit/indices/posterior.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/counter_choice.hpp"
#include "tacit/policies/index_policy.hpp"
#include "tacit/policies/posterior_policy.hpp"
#include "tacit/policies/setting.hpp"

namespace tacit::policies::recipes {

struct TreeParameters {
  std::string counter = "tree";
  int arity = 2;  // children of a node; 0, or 2..64
  template <class V>
  static void fields(V& v) {
    counter_fields(v, &TreeParameters::counter, &TreeParameters::arity);
  }
};

struct DpUcbTree {
  static constexpr Card kCard =
      central("dp-ucb-tree", "DP-UCB on tree counters", "Mishra & Thakurta 2015")
          .needing_the_horizon()
          .taking_delta();
  using Parameters = TreeParameters;
  using Policy = IndexPolicy<estimators::Counter, indices::NoiseAwareUcb, Hold::kRound>;

  static Policy make(const Setting& s, const Parameters& p) {
    const privacy::CounterNoise shape = counter_shape(s, p.counter, p.arity);
    const auto budget = counter_budget(s, required_epsilon(kCard.name, s), 1);
    return Policy(
        estimators::Counter(s.arms, shape, budget, s.releases()),                            // L1
        indices::NoiseAwareUcb(shape, estimators::Counter::scale_of_a_term(shape, budget)),  // L2
        s.pace, s.key);
  }
};

struct DpTsTree {
  static constexpr Card kCard =
      central("dp-ts-tree", "DP Thompson sampling on tree counters", "Mishra & Thakurta 2015")
          .needing_the_horizon()
          .taking_delta();
  using Parameters = TreeParameters;
  using Policy = PosteriorPolicy<estimators::Counter, indices::BetaPosterior>;

  static Policy make(const Setting& s, const Parameters& p) {
    return Policy(
        estimators::Counter(s.arms, counter_shape(s, p.counter, p.arity),
                            counter_budget(s, required_epsilon(kCard.name, s), 1), s.releases()),
        {}, s.key);
  }
};

}  // namespace tacit::policies::recipes
