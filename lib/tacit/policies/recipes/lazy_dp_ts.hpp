// lazy-dp-ts: Thompson sampling on the lazy noisy means of anytime-lazy-ucb, with each posterior
// shifted up to make good for the noise.
//
// Hu, Huang, Mehta & Hegde (arXiv:2102.07929), Algorithm 3.
//   L2  pull each arm once; mean_j = outcome + Lap(1/eps)
//   L4  draw  theta_j ~ Beta(p_j n_j + 1, (1 - p_j) n_j + 1),  p_j = clip01(mean_j + 3 ln t/(eps n_j))
//   L5  pull the arm with the largest theta_j
//   L6  add the outcome to the arm's secret sum
//   L7  when the arm's epoch r has its 2^r outcomes:
//   L8  mean_j = (sum + Lap(1/eps))/2^r, n_j = 2^r; forget the sum
// Departures: 1. the first pulls come in random order. 2. Outcomes that are not bits enter the sums as
// they are: p_j is real anyway.
// Privacy: one round moves one secret sum by at most 1, and that sum is released once: eps.
// Cost: O(log arms) for a round that is looked at; where an arm leads, most are skipped.
// Bound: hu-theorem-5, an order without a constant.
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/shifted_beta.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/policies/thinned_posterior_learner.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct LazyDpTs {
  static constexpr Card kCard =
      central("lazy-dp-ts", "Lazy-DP-TS", "Hu, Huang, Mehta & Hegde (arXiv:2102.07929), Alg. 3");
  using Parameters = NoParameters;
  using Book = estimators::PhaseBook<estimators::Forget>;
  using Learner = ThinnedPosteriorLearner<Book, indices::ShiftedBeta>;

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s)};  // L2, L8
  }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    const double epsilon = required_epsilon(kCard.name, s);
    return Learner(Book(s.arms, estimators::PhaseSchedule::doubling()),  // L6, L7
                   indices::ShiftedBeta(3 / epsilon),                    // L4, L5
                   s.pace, dice);
  }
};

}  // namespace tacit::policies::recipes
