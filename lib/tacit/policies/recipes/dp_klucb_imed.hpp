// dp-klucb, dp-imed: noisy sums that accumulate, compared by the divergence d_eps that prices the
// noise. The best known regret, matching its lower bound  sum of Delta/d_eps(mean_a, best mean) ln T.
//
// Azize, Wu, Honda, Orabona, Ito & Basu 2025, arXiv:2505.05613 (DP-KLUCB, DP-IMED).
//   L1  play each arm for a first phase of `first` rounds
//   L2  at the start t of a phase choose
//         dp-klucb  the arm with the largest   max{q : n_j d_eps(mean_j, q) <= ln t}
//         dp-imed   the arm with the smallest  n_j d_eps(mean_j, max mean) + ln n_j
//   L3  play it until its observations have grown by the factor `growth`; add (sum of this phase +
//       Lap(1/eps)) to its total; mean_j = clip01(total/n_j). Nothing is forgotten.
// Departures: 1. the first phases come in random order.
// Privacy: one round enters one phase's sum, released once; totals are post-processing: eps.
// Known trouble: a total with r noise terms is compared as if it had one, so after many phases the
// index covers the mean less often than it promises. dp-imed has rare stuck runs from it: compare
// medians, or use mgf-imed.
// Cost per decision: O(arms); O(arms log T) decisions.
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct AccumulatingParameters {
  double first = 1;   // observations in an arm's first phase, rounded up; >= 1
  double growth = 2;  // factor by which an arm's observations grow in a phase; > 1.01
  template <class V>
  static void fields(V& v) {
    v.real("first", &AccumulatingParameters::first, 0, 1e9,
           "observations in an arm's first phase, rounded up");
    v.real("growth", &AccumulatingParameters::growth, 1.01, 1e6,
           "factor by which an arm's observations grow in a phase");
  }
};

/// L1, L3: what both share.
struct AccumulatingPhases {
  using Parameters = AccumulatingParameters;
  using Book = estimators::PhaseBook<estimators::Accumulate>;
  static Book book(const Setting& s, const Parameters& p) {
    return {s.arms, estimators::PhaseSchedule::cumulative(p.first, p.growth)};
  }
};

struct DpKlUcb : AccumulatingPhases {
  static constexpr Card kCard =
      central("dp-klucb", "DP-KLUCB", "Azize et al. 2025 (arXiv:2505.05613)");
  using Learner = IndexLearner<Book, indices::DEpsilonUcb, actions::Single, Hold::kPhase>;

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s)};  // L3
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return Learner(book(s, p), indices::DEpsilonUcb(required_epsilon(kCard.name, s)), s.pace,
                   dice);  // L2
  }
};

struct DpImed : AccumulatingPhases {
  static constexpr Card kCard =
      central("dp-imed", "DP-IMED", "Azize et al. 2025 (arXiv:2505.05613)");
  using Learner = IndexLearner<Book, indices::DEpsilonImed, actions::Single, Hold::kPhase>;

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s)};  // L3
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return Learner(book(s, p), indices::DEpsilonImed(required_epsilon(kCard.name, s)), s.pace,
                   dice);  // L2
  }
};

}  // namespace tacit::policies::recipes
