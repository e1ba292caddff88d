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

#include "tacit/estimators/averaged_reports.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_policy.hpp"
#include "tacit/policies/setting.hpp"

namespace tacit::policies::recipes {

struct Ucb1 {
  static constexpr Card kCard = baseline("ucb1", "UCB1", "Auer, Cesa-Bianchi & Fischer 2002");
  using Parameters = NoParameters;
  using Estimator = estimators::AveragedReports<estimators::ExactReport>;
  using Policy = IndexPolicy<Estimator, indices::Ucb, Hold::kRound>;

  static Policy make(const Setting& s, const Parameters&) {
    return Policy(Estimator(s.arms, {}, s.key),
                  indices::Ucb(2, 0),  // L1: unobserved is +infinity; L2
                  s.pace, s.key);
  }
};

}  // namespace tacit::policies::recipes
