// cucb-ldp-gaussian-as-published: the policy that Algorithm 4 of "Cascading bandit under differential
// privacy" (Wang, Dong, Wang, Li & Shao) prints, kept to show what it leaks.
//
//   L1  sigma^2 = 2 K ln(1.25/delta)/eps^2
//   L2  observe u_0: one outcome of every arm, used as it is; n_i = 1
//   L3  for t = m+1, m+2, ...: as cucb-ldp-gaussian
// Privacy: none. The user behind u_0 is not protected at all: every later choice depends on the raw
// outcomes. Nor is sigma enough for eps >= 1: the formula is proved for eps < 1 only.
// Cost per decision: one index an arm and one choice, every round.
// Bound: theory/combinatorial.hpp, wang-theorem-10 (finite).
#pragma once

#include <cmath>

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/report_book.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

/// An index learner that is given every arm's first outcome (L2).
class RawStartLearner
    : public IndexLearner<estimators::ReportBook, indices::LateUcb, actions::AnySet> {
 public:
  static constexpr bool kStartsFromRawOutcomes = true;
  using IndexLearner::IndexLearner;
};

struct CucbLdpGaussianAsPublished {
  static constexpr Card kCard =
      local("cucb-ldp-gaussian-as-published", "CUCB-LDP with Gaussian noise as published",
            "Wang et al. (Cascading bandit under DP), Alg. 4")
          .with_semi_bandit_feedback()
          .taking_delta()
          .promising({privacy::Notion::kLocal, 1, true});
  using Parameters = NoParameters;
  using Learner = RawStartLearner;

  static curators::RawStartPlan plan(const Setting& s, const Parameters&) {
    const double delta = s.delta_or_default();
    const double sigma = std::sqrt(2 * action_set(s)->size() * std::log(1.25 / delta)) /
                         required_epsilon(kCard.name, s);  // L1
    return {{sigma, delta}, s.arms};
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return {*action_set(s),
            estimators::ReportBook(s.arms),
            indices::LateUcb(indices::gaussian_root(plan(s, p).sigma), s.arms),
            Record::kAll,
            s.pace,
            dice};  // L3
  }
};

}  // namespace tacit::policies::recipes
