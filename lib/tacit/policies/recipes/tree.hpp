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
// up to delta; hybrid (Chan, Shi & Song 2011; Wang et al. say that its bound helps single arms too) knows no horizon, and then nor
// does the policy.
// Privacy: one round enters at most `levels` nodes of one tree, each costs eps/levels: eps.
// Known trouble: dp-ts-tree does not widen its posterior for the noise. A best arm whose first noisy
// sums come out low is sampled no more, its noise is never renewed, and the run stays on a wrong arm
// (a quarter of the runs and more at small epsilon): compare medians, or the share of such runs.
// Cost: a decision every round; dp-ucb-tree O(arms), dp-ts-tree draws samples where the leader might not win
// (policies/calm.hpp).
#pragma once

#include <string>

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/laplace_sum.hpp"
#include "tacit/indices/posterior.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/counter_choice.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/posterior_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct TreeParameters {
  privacy::Counter counter = privacy::Counter::kTree;
  int arity = 2;  // children of a node; 0, or 2..64
  bool anytime() const noexcept { return counter == privacy::Counter::kHybrid; }
  template <class V>
  static void fields(V& v) {
    counter_fields(v, &TreeParameters::counter, &TreeParameters::arity);
  }
};

/// L1: what both share.
struct OnCounters {
  using Parameters = TreeParameters;
  using Book = estimators::CounterBook;
  static curators::CounterPlan counters(const Setting& s, const Parameters& p, double epsilon) {
    return {counter_shape(s, p.counter, p.arity), epsilon, s.delta_or_default(), 1};
  }
};

struct DpUcbTree : OnCounters {
  static constexpr Card kCard =
      central("dp-ucb-tree", "DP-UCB on tree counters", "Mishra & Thakurta 2015")
          .needing_the_horizon()
          .taking_delta();
  using Learner = IndexLearner<Book, indices::NoiseAwareUcb>;

  static curators::CounterPlan plan(const Setting& s, const Parameters& p) {
    return counters(s, p, required_epsilon(kCard.name, s));
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const curators::CounterPlan noise = plan(s, p);
    return Learner(Book(s.arms), indices::NoiseAwareUcb(noise.shape, noise.term_scale()), s.pace,
                   dice);  // L2
  }
};

struct DpTsTree : OnCounters {
  static constexpr Card kCard =
      central("dp-ts-tree", "DP Thompson sampling on tree counters", "Mishra & Thakurta 2015")
          .needing_the_horizon()
          .taking_delta();
  using Learner = PosteriorLearner<Book, indices::BetaPosterior>;

  static curators::CounterPlan plan(const Setting& s, const Parameters& p) {
    return counters(s, p, required_epsilon(kCard.name, s));
  }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return Learner(Book(s.arms), {}, s.pace, dice);
  }
};

}  // namespace tacit::policies::recipes
