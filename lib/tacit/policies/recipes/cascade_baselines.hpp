// cascade-ucb1, cascade-kl-ucb: cascading bandits that see where users stop. Not private; baselines.
//
// Kveton, Szepesvari, Wen & Ashkan 2015, "Cascading bandits: learning to rank in the cascade model".
//   L1  observe every item once; n_e = 1
//   L2  show the K items with the largest index, best first:
//         cascade-ucb1    mean_e + sqrt(1.5 ln t/n_e)
//         cascade-kl-ucb  max q: n_e kl(mean_e, q) <= ln t + 3 ln ln t
//   L3  the user stops at position C; items up to C were examined, the one at C was clicked: update
// Departures: none.
// Cost per decision: one index an item, every round.
// Bound: theory/cascade.hpp, kveton-theorem-2 (finite, cascade-ucb1).
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/cascade_index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct CascadeUcb1 {
  static constexpr Card kCard =
      baseline("cascade-ucb1", "CascadeUCB1", "Kveton et al. 2015").with_cascade_feedback();
  using Parameters = NoParameters;
  using Learner = CascadeIndexLearner<indices::Ucb, Counts::kAddUp>;

  static curators::OpenStopPlan plan(const Setting&, const Parameters&) { return {}; }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return {*action_set(s), indices::Ucb(1.5, 0), s.pace, dice};
  }
};

struct CascadeKlUcb {
  static constexpr Card kCard =
      baseline("cascade-kl-ucb", "CascadeKL-UCB", "Kveton et al. 2015").with_cascade_feedback();
  using Parameters = NoParameters;
  using Learner = CascadeIndexLearner<indices::KlUcb, Counts::kAddUp>;

  static curators::OpenStopPlan plan(const Setting&, const Parameters&) { return {}; }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return {*action_set(s), indices::KlUcb({.level_factor = 1, .iterated_factor = 3, .shift = 0}),
            s.pace, dice};
  }
};

}  // namespace tacit::policies::recipes
