// thompson-beta, thompson-gaussian: play an arm with the probability that it is the best. Not private;
// baselines.
//
// Thompson 1933; Agrawal & Goyal 2017, "Near-optimal regret bounds for Thompson sampling".
//   L1  in round t draw for every arm  Beta(1 + s_j, 1 + n_j - s_j)  or  N(mean_j, 1/n_j)
//   L2  play the arm with the largest draw
// Departures: 1. outcomes that are not bits are rounded at random for the Beta posterior, as their
// paper does. 2. The Gaussian one plays each arm once first and uses 1/n_j where they use 1/(n_j+1).
// Cost: a decision every round; samples are drawn where the leader might not win (policies/calm.hpp).
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/report_book.hpp"
#include "tacit/indices/posterior.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/posterior_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct ThompsonBeta {
  static constexpr Card kCard =
      baseline("thompson-beta", "Thompson sampling, Beta posterior", "Agrawal & Goyal 2017");
  using Parameters = NoParameters;
  using Learner = PosteriorLearner<estimators::ReportBook, indices::BetaPosterior>;

  static curators::ExactBitPlan plan(const Setting&, const Parameters&) { return {}; }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return Learner(estimators::ReportBook(s.arms), {}, s.pace, dice);
  }
};

struct ThompsonGaussian {
  static constexpr Card kCard = baseline(
      "thompson-gaussian", "Thompson sampling, Gaussian posterior", "Agrawal & Goyal 2017");
  using Parameters = NoParameters;
  using Learner = PosteriorLearner<estimators::ReportBook, indices::GaussianPosterior>;

  static curators::ExactPlan plan(const Setting&, const Parameters&) { return {}; }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return Learner(estimators::ReportBook(s.arms), {}, s.pace, dice);
  }
};

}  // namespace tacit::policies::recipes
