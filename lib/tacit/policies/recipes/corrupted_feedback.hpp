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
// Cost: a decision every round; kl-ucb-cf O(arms), ts-cf draws samples where the leader might not win (policies/calm.hpp).
// Bound: theory/classic.hpp, gajane-corrupted (lower, asymptotic).
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/report_book.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/posterior.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/posterior_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct KlUcbCf {
  static constexpr Card kCard =
      local("kl-ucb-cf", "KL-UCB on corrupted feedback", "Gajane, Urvoy & Kaufmann 2018");
  using Parameters = NoParameters;
  using Learner = IndexLearner<estimators::ReportBook, indices::KlUcb>;

  static curators::ResponsePlan plan(const Setting& s, const Parameters&) {
    return {required_epsilon(kCard.name, s)};  // L1
  }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return Learner(estimators::ReportBook(s.arms),
                   indices::KlUcb({.level_factor = 1, .iterated_factor = 3}), s.pace, dice);  // L2
  }
};

struct TsCf {
  static constexpr Card kCard =
      local("ts-cf", "Thompson sampling on corrupted feedback", "Gajane, Urvoy & Kaufmann 2018");
  using Parameters = NoParameters;
  using Learner = PosteriorLearner<estimators::ReportBook, indices::BetaPosterior>;

  static curators::ResponsePlan plan(const Setting& s, const Parameters&) {
    return {required_epsilon(kCard.name, s)};  // L1
  }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return Learner(estimators::ReportBook(s.arms), {}, s.pace, dice);
  }
};

}  // namespace tacit::policies::recipes
