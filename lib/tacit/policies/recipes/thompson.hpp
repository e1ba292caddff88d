// thompson-beta, thompson-gaussian: play an arm with the probability that it is the best. Not private;
// baselines.
//
// Thompson 1933; Agrawal & Goyal 2017, "Near-optimal regret bounds for Thompson sampling".
//   L1  in round t draw for every arm  Beta(1 + s_j, 1 + n_j - s_j)  or  N(mean_j, 1/n_j)
//   L2  play the arm with the largest draw
// Departures: 1. outcomes that are not bits are rounded at random for the Beta posterior, as their
// paper does. 2. The Gaussian one plays each arm once first and uses 1/n_j where they use 1/(n_j+1).
// Cost per decision: one sample an arm.
#pragma once

#include "tacit/estimators/averaged_reports.hpp"
#include "tacit/indices/posterior.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/posterior_policy.hpp"
#include "tacit/policies/setting.hpp"

namespace tacit::policies::recipes {

struct ThompsonBeta {
  static constexpr Card kCard =
      baseline("thompson-beta", "Thompson sampling, Beta posterior", "Agrawal & Goyal 2017");
  using Parameters = NoParameters;
  using Estimator = estimators::AveragedReports<estimators::ExactBit>;
  using Policy = PosteriorPolicy<Estimator, indices::BetaPosterior>;

  static Policy make(const Setting& s, const Parameters&) {
    return Policy(Estimator(s.arms, {}, s.key), {}, s.key);
  }
};

struct ThompsonGaussian {
  static constexpr Card kCard = baseline(
      "thompson-gaussian", "Thompson sampling, Gaussian posterior", "Agrawal & Goyal 2017");
  using Parameters = NoParameters;
  using Estimator = estimators::AveragedReports<estimators::ExactReport>;
  using Policy = PosteriorPolicy<Estimator, indices::GaussianPosterior>;

  static Policy make(const Setting& s, const Parameters&) {
    return Policy(Estimator(s.arms, {}, s.key), {}, s.key);
  }
};

}  // namespace tacit::policies::recipes
