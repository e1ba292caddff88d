// kl-ucb: UCB with the Bernoulli divergence in place of a square-root radius. Not private; a
// baseline.
//
// Garivier & Cappe 2011, "The KL-UCB algorithm for bounded stochastic bandits and beyond", Alg. 1
// with c = 0, as they recommend.
//   L1  play each arm once
//   L2  in round t play the arm with the largest  max{q : n_j kl(mean_j, q) <= ln t}
// Departures: 1. unobserved arms come in random order.
// Cost per decision: O(arms) root searches.
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/report_book.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct KlUcb {
  static constexpr Card kCard = baseline("kl-ucb", "KL-UCB", "Garivier & Cappe 2011");
  using Parameters = NoParameters;
  using Learner = IndexLearner<estimators::ReportBook, indices::KlUcb>;

  static curators::ExactPlan plan(const Setting&, const Parameters&) { return {}; }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return Learner(estimators::ReportBook(s.arms), indices::KlUcb({}), s.pace,
                   dice);  // L1: unobserved is +infinity; L2
  }
};

}  // namespace tacit::policies::recipes
