// cucb-dp, cucb-dp-weakest: combinatorial UCB on tree counters.
//
// Chen, Zheng, Zhou, Yang, Chen & Wang 2020, "(Locally) differentially private combinatorial
// semi-bandits", Algorithm 3 and the end of section 3.2.
//   L4  index_i = min(1, S~_i/n_i + radius)
//   L5  play S_t, the best set for the indices
//   L7  every outcome of S_t goes into its arm's tree (weakest: that of the least observed arm only)
//                          noise on a tree node     radius
//   cucb-dp                Lap(K levels/eps)        sqrt(L/(2n)) + (exact e^-L quantile of the noise in S~)/n
//   cucb-dp-weakest        Lap(levels/eps)          the same
//   cucb-dp-as-published   Lap(2 K log2 T/eps)      sqrt(4 ln(mT)/n) + 12 K ln^3 T/(eps n)   (as_published/)
// Symbols: m -> arms, K -> size of the action set, levels = digits of T, L = ln 2 + 2 ln T:
// an arm's index fails to cover at one n with probability 1/T^2, at any n of a run with 1/T.
// Departures of cucb-dp: 1. trees with signed digits of the best arity (counter=, arity=: tree, refined, hybrid,
// whose noise knows no horizon, and toeplitz, which is private up to delta, are there too); at T = 1e6 the noise's standard deviation
// is a third of the binary tree's. 2. The radius
// is computed from the number of noise terms that the sum really contains. 3. As printed the radius
// exceeds 1 until n is 10^4 to 10^5: it plays at random for any practical T.
// Privacy: a round enters at most `levels` nodes of each of K trees (one tree: weakest), each moves by
// at most 1: K levels in L1, eps in total. As published the noise is larger than its trees need:
// levels eps/(2 log2 T), about half of what the paper promises.
// Cost per decision: O(K log m) on top:K, every round.
// Bound: theory/optimistic_sets.hpp, chen-theorem-8 and chen-weakest (finite, for counter=signed), chen-theorem-8-printed.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/fixed_ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/counter_choice.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct CucbDpParameters {
  privacy::Counter counter = privacy::Counter::kSigned;
  int arity = 0;  // children of a node; 0, or 2..64
  template <class V>
  static void fields(V& v) {
    counter_fields(v, &CucbDpParameters::counter, &CucbDpParameters::arity);
  }
};

/// What both share; `share` is how many arms of a round are recorded.
struct CucbOnCounters {
  using Parameters = CucbDpParameters;
  using Book = estimators::CounterBook;
  using Learner = IndexLearner<Book, indices::NoiseTailUcb, actions::AnySet>;

  static curators::CounterPlan counters(const Setting& s, const Parameters& p, double epsilon,
                                        int share) {
    return {counter_shape(s, p.counter, p.arity), epsilon, s.delta_or_default(),
            static_cast<double>(share)};  // L7
  }
  static Learner learner_on(const curators::CounterPlan& plan, const Setting& s, Record record,
                            const random::Dice& dice) {
    const double level = std::numbers::ln2 + 2 * std::log(static_cast<double>(s.horizon));
    return {*action_set(s),
            Book(s.arms),
            indices::NoiseTailUcb(plan.shape, plan.term_scale(), level),  // L4
            record,
            s.pace,
            dice};
  }
};

struct CucbDp : CucbOnCounters {
  static constexpr Card kCard = central("cucb-dp", "CUCB-DP, sound radius and wide trees",
                                        "Chen et al. 2020, Alg. 3, corrected")
                                    .with_semi_bandit_feedback()
                                    .needing_the_horizon()
                                    .taking_delta();
  static curators::CounterPlan plan(const Setting& s, const Parameters& p) {
    return counters(s, p, required_epsilon(kCard.name, s), action_set(s)->size());
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return learner_on(plan(s, p), s, Record::kAll, dice);
  }
};

struct CucbDpWeakest : CucbOnCounters {
  static constexpr Card kCard = central("cucb-dp-weakest", "CUCB-DP on the least observed arm",
                                        "Chen et al. 2020, end of sec. 3.2")
                                    .with_semi_bandit_feedback()
                                    .needing_the_horizon()
                                    .taking_delta();
  static curators::CounterPlan plan(const Setting& s, const Parameters& p) {
    return counters(s, p, required_epsilon(kCard.name, s), 1);
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return learner_on(plan(s, p), s, Record::kWeakest, dice);
  }
};

}  // namespace tacit::policies::recipes
