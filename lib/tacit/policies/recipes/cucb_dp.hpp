// cucb-dp, cucb-dp-weakest, cucb-dp-as-published: combinatorial UCB on tree counters.
//
// Chen, Zheng, Zhou, Yang, Chen & Wang 2020, "(Locally) differentially private combinatorial
// semi-bandits", Algorithm 3 and the end of section 3.2.
//   L4  index_i = min(1, S~_i/n_i + radius)
//   L5  play S_t, the best set for the indices
//   L7  every outcome of S_t goes into its arm's tree (weakest: that of the least observed arm only)
//                          noise on a tree node     radius
//   cucb-dp                Lap(K levels/eps)        sqrt(L/(2n)) + (exact e^-L quantile of the noise in S~)/n
//   cucb-dp-weakest        Lap(levels/eps)          the same
//   cucb-dp-as-published   Lap(2 K log2 T/eps)      sqrt(4 ln(mT)/n) + 12 K ln^3 T/(eps n)
// Symbols: m -> arms, K -> size of the action set, levels = digits of T, L = ln 2 + 2 ln T:
// an arm's index fails to cover at one n with probability 1/T^2, at any n of a run with 1/T.
// Departures of cucb-dp: 1. trees with signed digits of the best arity (counter=, arity=: tree, refined and
// toeplitz, which is private up to delta, are there too); at T = 1e6 the noise's standard deviation
// is a third of the binary tree's. 2. The radius
// is computed from the number of noise terms that the sum really contains. 3. As printed the radius
// exceeds 1 until n is 10^4 to 10^5: it plays at random for any practical T.
// Privacy: a round enters at most `levels` nodes of each of K trees (one tree: weakest), each moves by
// at most 1: K levels in L1, eps in total. As published the noise is larger than its trees need:
// levels eps/(2 log2 T), about half of what the paper promises.
// Cost per decision: O(K log m) on top:K, every round.
// Bound: chen-theorem-8, an order without a constant.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tacit/estimators/counter.hpp"
#include "tacit/estimators/tree_counter.hpp"
#include "tacit/indices/fixed_ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/counter_choice.hpp"
#include "tacit/policies/set_index_policy.hpp"
#include "tacit/policies/setting.hpp"

namespace tacit::policies::recipes {

struct CucbDpParameters {
  std::string counter = "signed";
  int arity = 0;  // children of a node; 0, or 2..64
  template <class V>
  static void fields(V& v) {
    counter_fields(v, &CucbDpParameters::counter, &CucbDpParameters::arity);
  }
};

using CucbDpPolicy = SetIndexPolicy<estimators::Counter, indices::NoiseTailUcb>;

/// `share`: how many arms of a round are recorded.
inline CucbDpPolicy cucb_dp(const Setting& s, const CucbDpParameters& p, double epsilon,
                            Record record, int share) {
  const privacy::CounterNoise shape = counter_shape(s, p.counter, p.arity);
  const auto budget = counter_budget(s, epsilon, share);
  const double level = std::numbers::ln2 + 2 * std::log(static_cast<double>(s.horizon));
  return {action_set(s),
          {s.arms, shape, budget, s.releases()},  // L7
          indices::NoiseTailUcb(shape, estimators::Counter::scale_of_a_term(shape, budget),
                                level),  // L4
          record,
          s.pace,
          s.key};
}

struct CucbDp {
  static constexpr Card kCard = central("cucb-dp", "CUCB-DP, sound radius and wide trees",
                                        "Chen et al. 2020, Alg. 3, corrected")
                                    .with_semi_bandit_feedback()
                                    .needing_the_horizon()
                                    .taking_delta();
  using Parameters = CucbDpParameters;
  static CucbDpPolicy make(const Setting& s, const Parameters& p) {
    return cucb_dp(s, p, required_epsilon(kCard.name, s), Record::kAll, action_set(s)->size());
  }
};

struct CucbDpWeakest {
  static constexpr Card kCard = central("cucb-dp-weakest", "CUCB-DP on the least observed arm",
                                        "Chen et al. 2020, end of sec. 3.2")
                                    .with_semi_bandit_feedback()
                                    .needing_the_horizon()
                                    .taking_delta();
  using Parameters = CucbDpParameters;
  static CucbDpPolicy make(const Setting& s, const Parameters& p) {
    return cucb_dp(s, p, required_epsilon(kCard.name, s), Record::kWeakest, 1);
  }
};

struct CucbDpAsPublished {
  static constexpr Card kCard =
      central("cucb-dp-as-published", "CUCB-DP as published", "Chen et al. 2020, Alg. 3")
          .with_semi_bandit_feedback()
          .needing_the_horizon();
  using Parameters = NoParameters;
  using Policy = SetIndexPolicy<estimators::TreeCounter, indices::FixedUcb>;
  static Policy make(const Setting& s, const Parameters&) {
    const auto actions = action_set(s);
    const double epsilon = required_epsilon(kCard.name, s);
    const double k = actions->size();
    const auto horizon = static_cast<double>(s.horizon);
    // A horizon of 1 would have no noise at all as printed.
    const double levels = std::max(1.0, std::log2(horizon));
    const double log_cubed = std::pow(std::log(horizon), 3);
    return Policy(
        actions,
        {s.arms, s.horizon, privacy::Laplace(2 * k * levels / epsilon, s.arithmetic), s.releases()},
        indices::FixedUcb(4 * std::log(s.arms * horizon), 12 * k * log_cubed / epsilon),
        Record::kAll, s.pace, s.key);
  }
};

}  // namespace tacit::policies::recipes
