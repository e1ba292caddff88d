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

#include "tacit/estimators/averaged_reports.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_policy.hpp"
#include "tacit/policies/setting.hpp"

namespace tacit::policies::recipes {

struct KlUcb {
  static constexpr Card kCard = baseline("kl-ucb", "KL-UCB", "Garivier & Cappe 2011");
  using Parameters = NoParameters;
  using Estimator = estimators::AveragedReports<estimators::ExactReport>;
  using Policy = IndexPolicy<Estimator, indices::KlUcb, Hold::kRound>;

  static Policy make(const Setting& s, const Parameters&) {
    return Policy(Estimator(s.arms, {}, s.key), indices::KlUcb({}), s.pace, s.key);  // L1, L2
  }
};

}  // namespace tacit::policies::recipes
