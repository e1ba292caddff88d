// anytime-lazy-ucb: UCB on noisy means that each arm renews after 1, 2, 4, 8, ... pulls, forgetting
// what came before. The first private policy that is both anytime and of optimal order.
//
// Hu, Huang, Mehta & Hegde, "Near-optimal algorithms for differentially private online learning in
// a stochastic environment" (arXiv:2102.07929), Algorithm 1.
//   L2  pull each arm once; mean_j = outcome + Lap(1/eps)
//   L4  pull the arm that maximises  mean_j + sqrt(3 ln t/n_j) + 3 ln t/(eps n_j)
//   L5  add the outcome to the arm's secret sum
//   L6  when the arm's epoch r has its 2^r outcomes:
//   L7  mean_j = (sum + Lap(1/eps))/2^r, n_j = 2^r; forget the sum
// Symbols: K -> arms, O_j -> n, Phi_j -> the secret sum of a phase.
// Departures: 1. the first pulls come in random order.
// Privacy: one round moves one secret sum by at most 1, and that sum is released once: eps.
// Cost per decision: O(arms); O(arms log T) decisions.
// Bound: theory/hu.hpp, hu-theorem-3 (finite).
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct AnytimeLazyUcb {
  static constexpr Card kCard = central("anytime-lazy-ucb", "Anytime-Lazy-UCB",
                                        "Hu, Huang, Mehta & Hegde (arXiv:2102.07929), Alg. 1");
  using Parameters = NoParameters;
  using Book = estimators::PhaseBook<estimators::Forget>;
  using Learner = IndexLearner<Book, indices::Ucb>;

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s)};  // L2, L7
  }
  static indices::Ucb index(const Setting& s, const Parameters&) {
    return indices::Ucb(3, 3 / required_epsilon(kCard.name, s));  // L4
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return Learner(Book(s.arms, estimators::PhaseSchedule::doubling()),  // L5, L6
                   index(s, p), s.pace, dice);
  }
};

}  // namespace tacit::policies::recipes
