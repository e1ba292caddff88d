// ucb1: play the arm whose mean plus confidence radius is largest. Not private; the baseline.
//
// Auer, Cesa-Bianchi & Fischer 2002, "Finite-time analysis of the multiarmed bandit problem",
// Fig. 1.
//   L1  play each arm once
//   L2  in round t play the arm that maximises  mean_j + sqrt(2 ln t/n_j)
// Departures: 1. unobserved arms come in random order.
// Cost per decision: O(arms).
// Bound: theory/classic.hpp, auer-theorem-1 (finite).
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/report_book.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct Ucb1 {
  static constexpr Card kCard = baseline("ucb1", "UCB1", "Auer, Cesa-Bianchi & Fischer 2002");
  using Parameters = NoParameters;
  using Learner = IndexLearner<estimators::ReportBook, indices::Ucb>;

  static curators::ExactPlan plan(const Setting&, const Parameters&) { return {}; }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return Learner(estimators::ReportBook(s.arms), indices::Ucb(2, 0), s.pace,
                   dice);  // L1: unobserved is +infinity; L2
  }
};

}  // namespace tacit::policies::recipes
