// dpucb-mat, dpts-mat: matroid bandits on noisy means that each arm renews after 1, 2, 4, 8, ... of
// its observations, forgetting what came before.
//
// Chandak's thesis, "Differentially private algorithms for efficient online matroid optimization"
// (University of Alberta), Algorithms 2 and 5.
//   L5  dpucb-mat: index_e = mean_e + sqrt(3 ln(Kt)/n_e) + 3 K ln(Kt)/(eps n_e)
//       dpts-mat:  a draw from  N(mean_e + 3 K ln(Kt)/(eps n_e), 1/n_e)
//   L7  play the greedy basis for the indices (or draws)
//   L9  add the outcome of every played arm to its secret sum
//   L11 for every arm whose epoch s has its 2^s outcomes:
//   L12 mean_e = (sum + Lap(K/eps))/2^s, n_e = 2^s;  L13 forget the sum
// Symbols: K -> size of the action set (the rank), eps_0 = eps/K, T_e -> n_e.
// Departures: 1. arms not yet observed come first; the thesis places infinite indices at the end,
// which would never observe an arm. They come in random order; start=edmonds lets them come in the fewest rounds, as the
// thesis says could be done (actions/matroid_partition.hpp). 2. Any action set is accepted, though the analysis is for
// matroids.
// Privacy: eps, where the thesis proves 2 eps. Given the released values, the played sets and so the
// rounds in which every phase ends are determined: they are the same for neighbouring inputs. The
// thesis counts the arms whose sums are released under the one input and under the other; they are
// the same arms. So one round moves K released sums by at most 1 each, of noise K/eps: eps.
// Cost: dpucb-mat O(arms rank log T) decisions; dpts-mat decides where another basis might win
// (policies/calm.hpp).
// Bound: theory/matroid.hpp, chandak-theorem-9 (finite, dpucb-mat); chandak-theorem-11, an order.
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/posterior.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/posterior_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/policies/start_parameters.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

/// L9-L13: what both share.
struct ForgetfulEpochs {
  using Parameters = StartParameters;
  using Book = estimators::PhaseBook<estimators::Forget>;
  static Book book(const Setting& s) { return {s.arms, estimators::PhaseSchedule::doubling()}; }
};

struct DpUcbMat : ForgetfulEpochs {
  static constexpr Card kCard =
      central("dpucb-mat", "DPUCB-MAT", "Chandak's thesis (Alberta), Alg. 2")
          .with_semi_bandit_feedback()
          .promising({privacy::Notion::kCentral, 2});
  using Learner = IndexLearner<Book, indices::ScaledUcb, actions::AnySet>;

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = action_set(s)->size() / required_epsilon(kCard.name, s)};  // L12
  }
  static indices::ScaledUcb index(const Setting& s, const Parameters& p) {
    return indices::ScaledUcb(3, 3 * plan(s, p).scale, action_set(s)->size());  // L5
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return {*action_set(s), book(s), index(s, p), Record::kAll, s.pace, dice, p.start};
  }
};

struct DpTsMat : ForgetfulEpochs {
  static constexpr Card kCard =
      central("dpts-mat", "DPTS-MAT", "Chandak's thesis (Alberta), Alg. 5")
          .with_semi_bandit_feedback()
          .promising({privacy::Notion::kCentral, 2});
  using Learner = PosteriorLearner<Book, indices::BoostedGaussianPosterior, actions::AnySet>;

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = action_set(s)->size() / required_epsilon(kCard.name, s)};  // L12
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const double k = action_set(s)->size();
    return {*action_set(s), book(s), indices::BoostedGaussianPosterior(3 * plan(s, p).scale, k),
            s.pace,         dice,    p.start};  // L5
  }
};

}  // namespace tacit::policies::recipes
