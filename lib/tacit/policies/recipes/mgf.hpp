// mgf-klucb, mgf-imed: dp-klucb and dp-imed with an index that charges every noise term. Ours.
//
//   L1  play each arm for a first phase of ceil(first/eps) rounds: shorter ones are mostly noise
//   L2  at the start t of a phase choose
//         mgf-klucb  the arm with the largest MGF index at level ln t (sharp) or
//                    ln t + ln(1 + log_growth t) (justified: covers the mean at 1/t whatever the phase)
//         mgf-imed   the arm with the smallest  trust_j I_j + ln n_j,  I_j the rate of its phases under the
//                    best estimated mean, trust_j = F/(F + doubt (1/5 + 1/eps)), F = n_j (1 - mean_j)
//   L3  play it until its observations have grown by the factor `growth`; release that phase's sum
//       with Lap(1/eps) noise. Nothing is forgotten.
// The indices and their derivation: indices/mgf.hpp, indices/phase_imed.hpp.
// Why it helps: dp-klucb and dp-imed treat a total of r noisy sums as if it held one noise term, so
// an unlucky best arm looks worse than the index thinks possible and may be left for ever (stuck
// runs). mgf-klucb charges every noise term; mgf-imed looks at every phase by itself, blames one that contradicts the others
// on its noise, and believes little of an arm of which few failures were seen.
// Privacy: one round enters one phase's sum, which is released once: eps.
// Cost per decision: O(arms) one-dimensional searches; O(arms log T) decisions.
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/mgf.hpp"
#include "tacit/indices/phase_imed.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct MgfKlUcb {
  static constexpr Card kCard = central("mgf-klucb", "MGF-KLUCB", "tacit");
  struct Parameters {
    double first = 4;   // first phase in units of 1/eps; > 0
    double growth = 2;  // factor by which an arm's observations grow; > 1.01
    indices::Level level = indices::Level::kSharp;
    template <class V>
    static void fields(V& v) {
      v.real("first", &Parameters::first, 0, 1e6, "first phase in units of 1/epsilon");
      v.real("growth", &Parameters::growth, 1.01, 1e6,
             "factor by which an arm's observations grow in a phase");
      v.choice("level", &Parameters::level,
               {{"sharp", indices::Level::kSharp}, {"justified", indices::Level::kJustified}},
               "ln t, or ln t + ln(1 + log_growth t) which covers the mean at 1/t");
    }
  };
  using Book = estimators::PhaseBook<estimators::Accumulate>;
  using Learner = IndexLearner<Book, indices::MgfUcb, actions::Single, Hold::kPhase>;

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s)};  // L3
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const double scale = plan(s, p).scale;
    const double epsilon = required_epsilon(kCard.name, s);
    return Learner(
        Book(s.arms, estimators::PhaseSchedule::cumulative(p.first / epsilon, p.growth)),  // L1
        indices::MgfUcb(scale, p.level, p.growth),                                         // L2
        s.pace, dice);
  }
};

struct MgfImed {
  static constexpr Card kCard = central("mgf-imed", "MGF-IMED", "tacit");
  struct Parameters {
    double first = 36;    // first phase in units of 1/eps; > 0
    double growth = 1.5;  // factor by which an arm's observations grow; > 1.01
    double doubt = 16;    // failures, times 1/5 + 1/eps, by which a rate is discounted; > 0
    template <class V>
    static void fields(V& v) {
      v.real("first", &Parameters::first, 0, 1e6, "first phase in units of 1/epsilon");
      v.real("growth", &Parameters::growth, 1.01, 1e6,
             "factor by which an arm's observations grow in a phase");
      v.real("doubt", &Parameters::doubt, 0, 1e6,
             "failures, times 1/5 + 1/epsilon, by which an arm's rate is discounted");
    }
  };
  using Book = estimators::PhaseBook<estimators::KeepPhases>;
  using Learner = IndexLearner<Book, indices::PhaseImed, actions::Single, Hold::kPhase>;

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s)};  // L3
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const double epsilon = required_epsilon(kCard.name, s);
    return Learner(
        Book(s.arms, estimators::PhaseSchedule::cumulative(p.first / epsilon, p.growth)),  // L1
        indices::PhaseImed(1 / epsilon, p.doubt * (0.2 + 1 / epsilon)),                    // L2
        s.pace, dice);
  }
};

}  // namespace tacit::policies::recipes
