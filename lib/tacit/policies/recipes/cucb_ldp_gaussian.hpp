// cucb-ldp-gaussian: combinatorial UCB on reports with Gaussian noise.
//
// Wang, Dong, Wang, Li & Shao, "Cascading bandit under differential privacy", Algorithm 4.
//   L4  play the best set for  mean_i + sqrt(1.5 ln t/n_i) + 2 sigma sqrt(ln t/n_i)
//   L5  the user reports every outcome of the set, each + N(0, sigma^2)
//   L6  the reported arms' means are updated
// sigma: the smallest that is (eps, delta)-private for K outcomes, L2 distance sqrt K, by the exact
// trade-off of the Gaussian mechanism (Balle & Wang 2018). delta is --delta, 1e-6 unless given.
// Symbols: T_i -> n_i, K -> size of the action set.
// Departures: 1. as printed (as_published/cucb_ldp_gaussian.hpp) sigma^2 = 2 K ln(1.25/delta)/eps^2,
// which holds for eps < 1 only, and the run starts from raw outcomes; here arms not yet observed come
// first instead. 2. No clipping, as printed.
// Radius: a mean of n reports is Gaussian noise of deviation sigma/sqrt n around the outcomes' mean:
// it falls by 2 sigma sqrt(ln t/n) with probability below t^-2, the outcomes' mean by
// sqrt(1.5 ln t/n) with probability below t^-3.
// Privacy: one round is one report of K outcomes: (eps, delta), local.
// Cost per decision: one index an arm and one choice, every round.
// Bound: theory/combinatorial.hpp, wang-theorem-10-analytic (finite).
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

struct CucbLdpGaussian {
  static constexpr Card kCard = local("cucb-ldp-gaussian", "CUCB-LDP with Gaussian noise",
                                      "Wang et al. (Cascading bandit under DP), Alg. 4, corrected")
                                    .with_semi_bandit_feedback()
                                    .taking_delta()
                                    .promising({privacy::Notion::kLocal, 1, true});
  using Parameters = NoParameters;
  using Learner = IndexLearner<estimators::ReportBook, indices::Ucb, actions::AnySet>;

  static curators::GaussianReportPlan plan(const Setting& s, const Parameters&) {
    const double l2 = std::sqrt(action_set(s)->size());
    const double delta = s.delta_or_default();
    return {curators::gaussian_sigma(required_epsilon(kCard.name, s), delta, l2), delta};  // L5
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return {*action_set(s),
            estimators::ReportBook(s.arms),                             // L6
            indices::Ucb(indices::gaussian_root(plan(s, p).sigma), 0),  // L4
            Record::kAll,
            s.pace,
            dice};
  }
};

}  // namespace tacit::policies::recipes
