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
// Every outcome of the played set is observed. Arms not yet observed come first, in random order; with start=edmonds,
// which omm and kl-osm have, in the fewest rounds that there are (actions/matroid_partition.hpp).
// Departures: 1. outcomes that are not bits are rounded at random for the Beta posterior. 2. omm and
// kl-osm accept any action set, though their analysis needs a matroid.
// Cost per decision: one index an arm and one choice; the two that sample do so where another set might win
// (policies/calm.hpp).
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/report_book.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/posterior.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/posterior_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/policies/start_parameters.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

/// What all of them but cts-beta share: every outcome of the set as it is.
template <class Given = NoParameters>
struct ExactReportsOfSets {
  using Parameters = Given;
  using Book = estimators::ReportBook;
  static curators::ExactPlan plan(const Setting&, const Parameters&) { return {}; }
};

struct Cucb : ExactReportsOfSets<> {
  static constexpr Card kCard =
      baseline("cucb", "Combinatorial UCB", "Chen, Wang, Yuan & Wang 2016")
          .with_semi_bandit_feedback();
  using Learner = IndexLearner<Book, indices::ClippedUcb, actions::AnySet>;
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return {*action_set(s), Book(s.arms), indices::ClippedUcb(1.5), Record::kAll, s.pace, dice};
  }
};

struct CtsBeta {
  static constexpr Card kCard =
      baseline("cts-beta", "Combinatorial Thompson sampling, Beta posterior", "Wang & Chen 2018")
          .with_semi_bandit_feedback();
  using Parameters = NoParameters;
  using Learner = PosteriorLearner<estimators::ReportBook, indices::BetaPosterior, actions::AnySet>;

  static curators::ExactBitPlan plan(const Setting&, const Parameters&) { return {}; }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return {*action_set(s), estimators::ReportBook(s.arms), {}, s.pace, dice};
  }
};

struct CtsGaussian : ExactReportsOfSets<> {
  static constexpr Card kCard =
      baseline("cts-gaussian", "Combinatorial Thompson sampling, Gaussian posterior",
               "Wang & Chen 2018")
          .with_semi_bandit_feedback();
  using Learner = PosteriorLearner<Book, indices::GaussianPosterior, actions::AnySet>;
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return {*action_set(s), Book(s.arms), {}, s.pace, dice};
  }
};

struct Omm : ExactReportsOfSets<StartParameters> {
  static constexpr Card kCard =
      baseline("omm", "Optimistic matroid maximisation", "Kveton et al. 2014")
          .with_semi_bandit_feedback();
  using Learner = IndexLearner<Book, indices::Ucb, actions::AnySet>;
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return {*action_set(s), Book(s.arms), indices::Ucb(2, 0), Record::kAll, s.pace, dice, p.start};
  }
};

struct KlOsm : ExactReportsOfSets<StartParameters> {
  static constexpr Card kCard =
      baseline("kl-osm", "KL-based optimal sampling for matroids", "Talebi & Proutiere 2016")
          .with_semi_bandit_feedback();
  using Learner = IndexLearner<Book, indices::KlUcb, actions::AnySet>;
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return {*action_set(s),
            Book(s.arms),
            indices::KlUcb({.level_factor = 1, .iterated_factor = 3, .shift = 0}),
            Record::kAll,
            s.pace,
            dice,
            p.start};
  }
};

}  // namespace tacit::policies::recipes
