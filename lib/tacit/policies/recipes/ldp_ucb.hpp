// ldp-ucb-laplace, ldp-ucb-bits: UCB on what the users' own devices report.
//
// Ren, Zhou, Liu & Shroff 2020, "Multi-armed bandits with local differential privacy" (LDP-UCB-L,
// LDP-UCB-B). Not CUCB-LDP of Chen et al. 2020 at K = 1, which has another radius and no warm-up.
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

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/report_book.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct LdpUcbLaplace {
  static constexpr Card kCard =
      local("ldp-ucb-laplace", "LDP-UCB with Laplace reports", "Ren et al. 2020");
  using Parameters = NoParameters;
  using Learner = IndexLearner<estimators::ReportBook, indices::UcbAfterWarmUp>;

  static curators::LaplaceReportPlan plan(const Setting& s, const Parameters&) {
    return {1 / required_epsilon(kCard.name, s)};  // L1
  }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    const double root = std::sqrt(2.0) + std::sqrt(32.0) / required_epsilon(kCard.name, s);
    return Learner(estimators::ReportBook(s.arms), indices::UcbAfterWarmUp(root * root, 4), s.pace,
                   dice);  // L2
  }
};

struct LdpUcbBits {
  static constexpr Card kCard =
      local("ldp-ucb-bits", "LDP-UCB with randomised-response bits", "Ren et al. 2020");
  using Parameters = NoParameters;
  using Learner = IndexLearner<estimators::ReportBook, indices::Ucb>;

  static curators::ResponsePlan plan(const Setting& s, const Parameters&) {
    return {required_epsilon(kCard.name, s)};  // L1
  }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return Learner(estimators::ReportBook(s.arms), indices::Ucb(2, 0), s.pace, dice);  // L2
  }
};

}  // namespace tacit::policies::recipes
