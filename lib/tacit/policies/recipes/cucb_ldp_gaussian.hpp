// cucb-ldp-gaussian: combinatorial UCB on reports with Gaussian noise.
//
// Wang, Dong, Wang, Li & Shao, "Cascading bandit under differential privacy", Algorithm 4.
//   L4  play the best set for  mean_i + sqrt(1.5 ln t/n_i) + 2 sigma sqrt(ln t/n_i)
//   L5  the user reports every outcome of the set, each + N(0, sigma^2)
//   L6  the reported arms' means are updated
// sigma: the smallest that is (eps, delta)-private for K outcomes, L2 distance sqrt K, by the exact
// trade-off of the Gaussian mechanism (Balle & Wang 2018). delta is --delta, 1e-6 unless given.
// Symbols: T_i -> n_i, K -> size of the action set.
// Departures: 1. as printed (cucb_ldp_gaussian_as_published.hpp) sigma^2 = 2 K ln(1.25/delta)/eps^2,
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

#include "tacit/estimators/averaged_reports.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/set_index_policy.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/privacy/gaussian.hpp"

namespace tacit::policies::recipes {

/// The factor c of the radius sqrt(c ln t/n).
inline double gaussian_root(double sigma) {
  const double root = std::sqrt(1.5) + 2 * sigma;
  return root * root;
}

struct CucbLdpGaussian {
  static constexpr Card kCard = local("cucb-ldp-gaussian", "CUCB-LDP with Gaussian noise",
                                      "Wang et al. (Cascading bandit under DP), Alg. 4, corrected")
                                    .with_semi_bandit_feedback()
                                    .taking_delta()
                                    .promising({privacy::Notion::kLocal, 1, true});
  using Parameters = NoParameters;
  using Estimator = estimators::AveragedReports<privacy::Gaussian>;
  using Policy = SetIndexPolicy<Estimator, indices::Ucb>;

  static Policy make(const Setting& s, const Parameters&) {
    const auto actions = action_set(s);
    const double delta = s.delta.value_or(kDefaultDelta);
    const double sigma =
        privacy::gaussian_sigma(required_epsilon(kCard.name, s), delta, std::sqrt(actions->size()));
    return Policy(
        actions,
        Estimator(s.arms, privacy::Gaussian(sigma, delta, s.arithmetic), s.releases()),  // L5, L6
        indices::Ucb(gaussian_root(sigma), 0),                                           // L4
        Record::kAll, s.pace, s.key);
  }
};

}  // namespace tacit::policies::recipes
