// adap-ucb, adap-klucb: an arm that is chosen is played until its observations have doubled; then its
// noisy mean over that episode alone is released.
//
// Azize & Basu 2022, "When privacy meets partial information: a refined analysis of differentially
// private bandits" (AdaP-UCB, AdaP-KLUCB).
//   L1  play each arm once: an episode of length 1
//   L2  at the start t of an episode choose the arm with the largest index
//         adap-ucb    mean_j + sqrt(a ln t/(2 n_j)) + a ln t/(eps n_j)
//         adap-klucb  max{q : n_j kl(clip01(mean_j + a ln t/(eps n_j)), q) <= a ln t}
//   L3  play it as often as it was played before; mean_j = (sum of this episode + Lap(1/eps))/n_j
//       with n_j the episode's length; forget earlier episodes
// Departures: 1. the first episodes come in random order.
// Privacy: one round enters one episode's sum, which is released once: eps.
// Cost per decision: O(arms); O(arms log T) decisions.
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct AdapParameters {
  double a = 3.1;  // confidence level t^-a; > 0, the paper's proofs need > 3
  template <class V>
  static void fields(V& v) {
    v.real("a", &AdapParameters::a, 0, 1e6, "confidence level t^-a");
  }
};

/// L1, L3: what both share.
struct Episodes {
  using Parameters = AdapParameters;
  using Book = estimators::PhaseBook<estimators::Forget>;
  static Book book(const Setting& s) {
    return {s.arms, estimators::PhaseSchedule::cumulative(1, 2)};
  }
};

struct AdapUcb : Episodes {
  static constexpr Card kCard = central("adap-ucb", "AdaP-UCB", "Azize & Basu 2022");
  using Learner = IndexLearner<Book, indices::Ucb, actions::Single, Hold::kPhase>;

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s)};  // L3
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const double epsilon = required_epsilon(kCard.name, s);
    return Learner(book(s), indices::Ucb(p.a / 2, p.a / epsilon), s.pace, dice);  // L2
  }
};

struct AdapKlUcb : Episodes {
  static constexpr Card kCard = central("adap-klucb", "AdaP-KLUCB", "Azize & Basu 2022");
  using Learner = IndexLearner<Book, indices::KlUcb, actions::Single, Hold::kPhase>;

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s)};  // L3
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const double epsilon = required_epsilon(kCard.name, s);
    return Learner(
        book(s),
        indices::KlUcb({.level_factor = p.a, .iterated_factor = 0, .shift = p.a / epsilon}), s.pace,
        dice);  // L2
  }
};

}  // namespace tacit::policies::recipes
