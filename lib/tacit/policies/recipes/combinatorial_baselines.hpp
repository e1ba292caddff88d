// cucb, cts-beta, cts-gaussian, omm, kl-osm: baselines on sets. Not private.
//
//   cucb          Chen, Wang, Yuan & Wang 2016, "Combinatorial multi-armed bandit and its extension to
//                 probabilistically triggered arms": the best set for  min(1, mean_i + sqrt(1.5 ln t/n_i))
//   cts-beta      Wang & Chen 2018, "Thompson sampling for combinatorial semi-bandits": the best set
//                 for draws from  Beta(1 + s_i, 1 + n_i - s_i)
//   cts-gaussian  the same with  N(mean_i, 1/n_i)
//   omm           Kveton, Wen, Ashkan, Eydgahi & Eriksson 2014, "Matroid bandits": the best basis for
//                 mean_i + sqrt(2 ln t/n_i)
//   kl-osm        Talebi & Proutiere 2016, "An optimal algorithm for stochastic matroid bandit
//                 optimization": the best basis for  max q: n_i kl(mean_i, q) <= ln t + 3 ln ln t
// Every outcome of the played set is observed. Arms not yet observed come first, in random order.
// Departures: 1. outcomes that are not bits are rounded at random for the Beta posterior. 2. omm and
// kl-osm accept any action set, though their analysis needs a matroid.
// Cost per decision: one index or sample an arm, and one choice.
#pragma once

#include "tacit/estimators/averaged_reports.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/posterior.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/set_index_policy.hpp"
#include "tacit/policies/set_posterior_policy.hpp"
#include "tacit/policies/setting.hpp"

namespace tacit::policies::recipes {

/// The index policies among them: exact reports of all outcomes.
template <class Index>
SetIndexPolicy<estimators::AveragedReports<estimators::ExactReport>, Index> exact_set_policy(
    const Setting& s, Index index) {
  return {action_set(s), {s.arms, {}, s.key}, index, Record::kAll, s.pace, s.key};
}

struct Cucb {
  static constexpr Card kCard =
      baseline("cucb", "Combinatorial UCB", "Chen, Wang, Yuan & Wang 2016")
          .with_semi_bandit_feedback();
  using Parameters = NoParameters;
  static auto make(const Setting& s, const Parameters&) {
    return exact_set_policy(s, indices::ClippedUcb(1.5));
  }
};

struct CtsBeta {
  static constexpr Card kCard =
      baseline("cts-beta", "Combinatorial Thompson sampling, Beta posterior", "Wang & Chen 2018")
          .with_semi_bandit_feedback();
  using Parameters = NoParameters;
  using Estimator = estimators::AveragedReports<estimators::ExactBit>;
  using Policy = SetPosteriorPolicy<Estimator, indices::BetaPosterior>;
  static Policy make(const Setting& s, const Parameters&) {
    return Policy(action_set(s), Estimator(s.arms, {}, s.key), {}, s.key);
  }
};

struct CtsGaussian {
  static constexpr Card kCard =
      baseline("cts-gaussian", "Combinatorial Thompson sampling, Gaussian posterior",
               "Wang & Chen 2018")
          .with_semi_bandit_feedback();
  using Parameters = NoParameters;
  using Estimator = estimators::AveragedReports<estimators::ExactReport>;
  using Policy = SetPosteriorPolicy<Estimator, indices::GaussianPosterior>;
  static Policy make(const Setting& s, const Parameters&) {
    return Policy(action_set(s), Estimator(s.arms, {}, s.key), {}, s.key);
  }
};

struct Omm {
  static constexpr Card kCard =
      baseline("omm", "Optimistic matroid maximisation", "Kveton et al. 2014")
          .with_semi_bandit_feedback();
  using Parameters = NoParameters;
  static auto make(const Setting& s, const Parameters&) {
    return exact_set_policy(s, indices::Ucb(2, 0));
  }
};

struct KlOsm {
  static constexpr Card kCard =
      baseline("kl-osm", "KL-based optimal sampling for matroids", "Talebi & Proutiere 2016")
          .with_semi_bandit_feedback();
  using Parameters = NoParameters;
  static auto make(const Setting& s, const Parameters&) {
    return exact_set_policy(s,
                            indices::KlUcb({.level_factor = 1, .iterated_factor = 3, .shift = 0}));
  }
};

}  // namespace tacit::policies::recipes
