// cascade-dp: ranked lists with central privacy, by the first position alone. Ours.
//
//   L1  every item has phases, as in lazy-kl-cucb: the first ends after first/eps of its showings in
//       the first position, later ones when those have grown by the factor `growth`
//   L2  index_e = the MGF index of its released sum (indices/mgf.hpp)
//   L3  the list is the best by estimated means, with the most promising of the items with the
//       largest indices put in (leader_plus_one_learner.hpp)
//   L4  of it, the item with the fewest observations is shown first; whether it was clicked goes into
//       its secret sum, and at the phase's end that sum is released + Lap(1/eps)
// Why the first position: what lies behind the stop was not examined, and how far a user looked is the
// secret itself, so that counting examinations privately costs K - 1 in sensitivity. The first item
// is always examined: its clicks are clean Bernoulli outcomes, and one user moves one sum by 1. The
// order of a list does not change its reward, so the choice of who comes first is free.
// Departures from Wang et al. ("Cascading bandit under DP", Alg. 1): all of it. Theirs starts from raw
// outcomes and lets the stop position decide, un-noised, whose counter runs.
// Privacy: one user moves whether the first item was clicked, by 1, in one phase of one item, which is
// released once with Lap(1/eps): eps, central. Who is shown first follows from public counts.
// Radius: as for lazy-kl-cucb with one recorded arm: P(index < mean) <= e^-level.
// Cost: O(items log T) releases, a few decisions each.
#pragma once

#include <string>

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/mgf.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/leader_plus_one_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct CascadeDp {
  static constexpr Card kCard =
      central("cascade-dp", "Cascades by the first position", "tacit").with_cascade_feedback();
  struct Parameters {
    indices::Level level = indices::Level::kSharp;
    double first = 8;     // first phase in units of 1/eps; > 0
    double growth = 1.5;  // factor by which an item's observations grow; > 1.01
    template <class V>
    static void fields(V& v) {
      v.choice("level", &Parameters::level,
               {{"sharp", indices::Level::kSharp}, {"justified", indices::Level::kJustified}},
               "ln t, or ln t + ln(1 + log_growth t) which covers the mean at 1/t in every phase");
      v.real("first", &Parameters::first, 0, 1e6, "first phase of an item in units of 1/epsilon");
      v.real("growth", &Parameters::growth, 1.01, 1e6,
             "factor by which an item's observations grow in a phase");
    }
  };
  using Book = estimators::PhaseBook<estimators::Accumulate>;
  using Learner = LeaderPlusOneLearner<Book, indices::MgfUcb, feedback::CascadeFirst>;

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s)};  // L4
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const double scale = plan(s, p).scale;
    return {*action_set(s),
            Book(s.arms, estimators::PhaseSchedule::cumulative(p.first * scale, p.growth)),  // L1
            indices::MgfUcb(scale, p.level, p.growth),                                       // L2
            s.pace, dice};
  }
};

}  // namespace tacit::policies::recipes
