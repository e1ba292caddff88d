// lazy-kl-mat, lazy-kl-cucb: lazy private KL-UCB on sets, nothing forgotten. Ours.
//
//   L1  every arm has phases: the first ends after first x b of its observations, b the scale of the
//       noise, and later ones when they have grown by the factor `growth`
//   L2  index_i = the MGF index of its released sum (indices/mgf.hpp), which charges each of the noise
//       terms in it, at level ln t (sharp) or ln t + ln(1 + log_growth t) (justified)
//   record=all
//   L3  play the best set for the indices
//   L4  add the outcome of every played arm to its secret sum; at a phase's end release it + Lap(K/eps)
//   record=one
//   L3  play the best set by estimated means, with the most promising arm of the best set for the
//       indices put in (leader_plus_one_learner.hpp)
//   L4  add the outcome of one played arm, the one with the fewest observations, to its secret sum; at
//       a phase's end release it + Lap(1/eps)
// lazy-kl-mat plays bases of matroids (top:K is one), lazy-kl-cucb any action set; the rule is one.
// There is no start=edmonds here, which omm and dpucb-mat have: who records one arm a round begins each arm by itself,
// whatever else is played.
//
// Privacy. record=all: a round enters one phase of each of K arms and each phase is released once: K
// sums move by at most 1 each, noise K/eps: eps. record=one: which arm is recorded follows from
// public counts; a round enters one phase of one arm: noise 1/eps: eps. When phases end follows from
// the played sets, which follow from earlier releases (as for dpucb-mat).
// Radius: at a fixed number of observations the index fails to cover the mean with probability at most
// e^-level, by Chernoff on the exact moment generating function; justified adds a union bound over the
// phases by round t.
// Why it helps: nothing is forgotten, the index knows how much noise is in a sum, and one recorded arm
// needs a K-th of the noise; what it gives up is K - 1 outcomes a round whose noise would have been K
// times as large.
// Cost: O(arms log T) releases, a few decisions each; a decision costs one index an arm.
#pragma once

#include <string>
#include <utility>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/mgf.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/leader_plus_one_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct LazyKlParameters {
  Record record = Record::kWeakest;
  indices::Level level = indices::Level::kSharp;
  double first = 8;     // first phase in units of the noise's scale; > 0
  double growth = 1.5;  // factor by which an arm's observations grow; > 1.01
  template <class V>
  static void fields(V& v) {
    v.choice("record", &LazyKlParameters::record,
             {{"one", Record::kWeakest}, {"all", Record::kAll}},
             "which outcomes of the played set are recorded");
    v.choice("level", &LazyKlParameters::level,
             {{"sharp", indices::Level::kSharp}, {"justified", indices::Level::kJustified}},
             "ln t, or ln t + ln(1 + log_growth t) which covers the mean at 1/t in every phase");
    v.real("first", &LazyKlParameters::first, 0, 1e6,
           "first phase of an arm in units of the noise's scale");
    v.real("growth", &LazyKlParameters::growth, 1.01, 1e6,
           "factor by which an arm's observations grow in a phase");
  }
};

/// What both share. The shell depends on a parameter: with_learner() hands the one or the other to whoever plays.
struct LazyKl {
  using Parameters = LazyKlParameters;
  using Book = estimators::PhaseBook<estimators::Accumulate>;

  static double scale(const Setting& s, const Parameters& p, double epsilon) {
    return (p.record == Record::kWeakest ? 1 : action_set(s)->size()) / epsilon;
  }
  template <class Use>
  static auto use_learner(const Setting& s, const Parameters& p, double scale,
                          const random::Dice& dice, Use use) {
    Book book(s.arms, estimators::PhaseSchedule::cumulative(p.first * scale, p.growth));  // L1
    const indices::MgfUcb index(scale, p.level, p.growth);                                // L2
    if (p.record == Record::kWeakest) {
      return use(LeaderPlusOneLearner<Book, indices::MgfUcb>(*action_set(s), std::move(book), index,
                                                             s.pace, dice));
    }
    return use(IndexLearner<Book, indices::MgfUcb, actions::AnySet>(
        *action_set(s), std::move(book), index, Record::kAll, s.pace, dice));
  }
};

struct LazyKlMat : LazyKl {
  static constexpr Card kCard =
      central("lazy-kl-mat", "Lazy KL-UCB for matroids", "tacit").with_semi_bandit_feedback();

  static curators::PhasePlan plan(const Setting& s, const Parameters& p) {
    return {.scale = scale(s, p, required_epsilon(kCard.name, s))};  // L4
  }
  template <class Use>
  static auto with_learner(const Setting& s, const Parameters& p, const random::Dice& dice,
                           Use use) {
    if (!actions::are_bases(action_set(s)->structure())) {
      throw actions::UnfitActions(
          action_set(s)->name(),
          "lazy-kl-mat needs a matroid or top:K; lazy-kl-cucb plays any set");
    }
    return use_learner(s, p, plan(s, p).scale, dice, use);
  }
};

struct LazyKlCucb : LazyKl {
  static constexpr Card kCard =
      central("lazy-kl-cucb", "Lazy KL-UCB for sets", "tacit").with_semi_bandit_feedback();

  static curators::PhasePlan plan(const Setting& s, const Parameters& p) {
    return {.scale = scale(s, p, required_epsilon(kCard.name, s))};  // L4
  }
  template <class Use>
  static auto with_learner(const Setting& s, const Parameters& p, const random::Dice& dice,
                           Use use) {
    return use_learner(s, p, plan(s, p).scale, dice, use);
  }
};

}  // namespace tacit::policies::recipes
