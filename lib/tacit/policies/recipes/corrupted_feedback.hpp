// kl-ucb-cf, ts-cf: learning from corrupted feedback, here the bits of randomised response.
//
// Gajane, Urvoy & Kaufmann 2018, "Corrupt bandits for preserving local privacy" (KLUCB-CF, TS-CF),
// discussed in Basu, Dimitrakakis & Tossou (arXiv:1905.12298).
//   L1  the played arm's user reports one randomised-response bit
//   L2  kl-ucb-cf: the arm with the largest  max{q : n_j kl(mean bit_j, q) <= ln t + 3 ln ln t}
//       ts-cf: the arm with the largest draw from  Beta(1 + ones_j, 1 + zeros_j)
// The corruption is the same increasing line for every arm, so the order of the bits' means is the
// order of the arms' means and need not be inverted.
// Departures: 1. ln ln t counts as 0 while ln t <= 1.
// Privacy: one round is one report of one outcome: eps, local.
// Cost per decision: O(arms), every round.
// Bound: theory/classic.hpp, gajane-corrupted (lower, asymptotic).
#pragma once

#include "tacit/estimators/averaged_reports.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/posterior.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_policy.hpp"
#include "tacit/policies/posterior_policy.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/privacy/randomized_response.hpp"

namespace tacit::policies::recipes {

struct KlUcbCf {
  static constexpr Card kCard =
      local("kl-ucb-cf", "KL-UCB on corrupted feedback", "Gajane, Urvoy & Kaufmann 2018");
  using Parameters = NoParameters;
  using Estimator = estimators::AveragedReports<privacy::RandomizedResponse>;
  using Policy = IndexPolicy<Estimator, indices::KlUcb, Hold::kRound>;

  static Policy make(const Setting& s, const Parameters&) {
    const double epsilon = required_epsilon(kCard.name, s);
    return Policy(
        Estimator(s.arms, privacy::RandomizedResponse(epsilon, s.arithmetic), s.releases()),  // L1
        indices::KlUcb({.level_factor = 1, .iterated_factor = 3}),                            // L2
        s.pace, s.key);
  }
};

struct TsCf {
  static constexpr Card kCard =
      local("ts-cf", "Thompson sampling on corrupted feedback", "Gajane, Urvoy & Kaufmann 2018");
  using Parameters = NoParameters;
  using Estimator = estimators::AveragedReports<privacy::RandomizedResponse>;
  using Policy = PosteriorPolicy<Estimator, indices::BetaPosterior>;

  static Policy make(const Setting& s, const Parameters&) {
    const double epsilon = required_epsilon(kCard.name, s);
    return Policy(
        Estimator(s.arms, privacy::RandomizedResponse(epsilon, s.arithmetic), s.releases()), {},
        s.key);
  }
};

}  // namespace tacit::policies::recipes
