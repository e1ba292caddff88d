// ldp-ucb-laplace, ldp-ucb-bits: UCB on what the users' own devices report.
//
// Ren, Zhou, Liu & Shroff 2020, "Multi-armed bandits with local differential privacy" (LDP-UCB-L,
// LDP-UCB-B); also CUCB-LDP of Chen et al. 2020 at K = 1.
//   L1  the played arm's user reports  outcome + Lap(1/eps)  or one randomised-response bit
//   L2  laplace: an arm with n_j <= 4 ln(t+1) reports is played first, since the tail bound on its
//       noise needs that many; else the arm that maximises
//       mean_j + sqrt(2 ln t/n_j) + sqrt(32 ln t/n_j)/eps
//       bits: UCB1 on the mean of the bits. Debiasing is the same increasing line for every arm, and
//       scales mean and radius alike, so the order of the arms does not need it.
// Departures: 1. ties among arms that come first are broken at random.
// Privacy: one round is one report of one outcome: eps, local.
// Cost per decision: O(arms), every round.
#pragma once

#include <cmath>

#include "tacit/estimators/averaged_reports.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_policy.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/randomized_response.hpp"

namespace tacit::policies::recipes {

struct LdpUcbLaplace {
  static constexpr Card kCard = local("ldp-ucb-laplace", "LDP-UCB with Laplace reports",
                                      "Ren et al. 2020; Chen et al. 2020 at K = 1");
  using Parameters = NoParameters;
  using Estimator = estimators::AveragedReports<privacy::Laplace>;
  using Policy = IndexPolicy<Estimator, indices::UcbAfterWarmUp, Hold::kRound>;

  static Policy make(const Setting& s, const Parameters&) {
    const double epsilon = required_epsilon(kCard.name, s);
    const double root = std::sqrt(2.0) + std::sqrt(32.0) / epsilon;
    return Policy(
        Estimator(s.arms, privacy::Laplace(1 / epsilon, s.arithmetic), s.releases()),  // L1
        indices::UcbAfterWarmUp(root * root, 4),                                       // L2
        s.pace, s.key);
  }
};

struct LdpUcbBits {
  static constexpr Card kCard =
      local("ldp-ucb-bits", "LDP-UCB with randomised-response bits", "Ren et al. 2020");
  using Parameters = NoParameters;
  using Estimator = estimators::AveragedReports<privacy::RandomizedResponse>;
  using Policy = IndexPolicy<Estimator, indices::Ucb, Hold::kRound>;

  static Policy make(const Setting& s, const Parameters&) {
    const double epsilon = required_epsilon(kCard.name, s);
    return Policy(
        Estimator(s.arms, privacy::RandomizedResponse(epsilon, s.arithmetic), s.releases()),  // L1
        indices::Ucb(2, 0),                                                                   // L2
        s.pace, s.key);
  }
};

}  // namespace tacit::policies::recipes
