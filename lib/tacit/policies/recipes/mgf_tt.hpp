// mgf-tt, ldp-mgf-tt, top-two: find the best arm, or the best `top` of them, and stop when it is known with an error of at
// most `error`. Ours.
//
//   L1..L5  policies/top_two_learner.hpp: first phases, leaders, when to stop, who is played next and for how long
// mgf-tt      an arm's phase is released once, as a sum with Lap(1/eps): L1 is ceil(first/min(eps, 1)) rounds, later phases have
//             at least first/eps, so that none is mostly noise
// ldp-mgf-tt  every user's device reports a randomised bit; L1 is first (e^eps+1)^2/(e^eps-1)^2 reports, worth `first` outcomes
// top-two     the same with outcomes as they are: what privacy costs
// After the recommendation the first of the recommended arms is played: regret is that of exploring first.
// Privacy: mgf-tt: one round enters one phase's sum, which is released once: eps. What is played, when it stops and what it
// recommends follow from releases. ldp-mgf-tt: one report of one outcome: eps, local.
// Cost: O(arms log n) decisions, each some microseconds an arm.
#pragma once

#include <algorithm>

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/estimators/report_book.hpp"
#include "tacit/evidence/of_plan.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/policies/top_two_learner.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

enum class Stops { kWhenSure, kNever };

/// What all that identify by the evidence of releases share.
struct ByEvidence {
  static constexpr const char* kErrorParameter = "error";
  struct Parameters {
    double error = 0.05;  // in (0, 1)
    int top = 1;
    double first = 40;  // > 0
    Stops stops = Stops::kWhenSure;
    template <class V>
    static void fields(V& v) {
      v.real("error", &Parameters::error, 0, 1, "chance that the recommendation may be wrong");
      v.integer("top", &Parameters::top, 1, 1000000, "how many arms are recommended");
      v.real("first", &Parameters::first, 0, 1e9, "outcomes that an arm's first phase is worth");
      v.choice("stops", &Parameters::stops,
               {{"when-sure", Stops::kWhenSure}, {"never", Stops::kNever}},
               "when it knows the best arm, or never: it explores on, for a fixed budget");
    }
  };

 protected:
  static Identification asked(const Parameters& p, double first, double least) {
    return {.error = p.error,
            .top = p.top,
            .budget = p.stops == Stops::kNever,
            .first = first,
            .least = least};
  }
};

struct MgfTt : ByEvidence {
  static constexpr Card kCard = central("mgf-tt", "Top two by evidence", "tacit");
  using Book = estimators::PhaseBook<estimators::Accumulate>;
  using Learner = TopTwoLearner<Book>;

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s)};
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const double epsilon = required_epsilon(kCard.name, s);
    // Phases are as long as the learner asks for.
    return Learner(Book(s.arms, estimators::PhaseSchedule::constant(1)),
                   *evidence::law_of(plan(s, p)),
                   asked(p, p.first / std::min(epsilon, 1.0), p.first / epsilon), s.pace, dice);
  }
};

struct LdpMgfTt : ByEvidence {
  static constexpr Card kCard =
      local("ldp-mgf-tt", "Top two by evidence on randomised bits", "tacit");
  using Book = estimators::ReportBook;
  using Learner = TopTwoLearner<Book>;

  static curators::ResponsePlan plan(const Setting& s, const Parameters&) {
    return {required_epsilon(kCard.name, s)};
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const curators::ResponsePlan bits = plan(s, p);
    return Learner(Book(s.arms), *evidence::law_of(bits),
                   asked(p, p.first * bits.reports_worth_an_outcome(), 1), s.pace, dice);
  }
};

struct TopTwo : ByEvidence {
  static constexpr Card kCard =
      baseline("top-two", "Top two by evidence, without privacy", "tacit");
  using Book = estimators::ReportBook;
  using Learner = TopTwoLearner<Book>;

  static curators::ExactPlan plan(const Setting&, const Parameters&) { return {}; }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return Learner(Book(s.arms), *evidence::law_of(plan(s, p)), asked(p, p.first, 1), s.pace, dice);
  }
};

}  // namespace tacit::policies::recipes
