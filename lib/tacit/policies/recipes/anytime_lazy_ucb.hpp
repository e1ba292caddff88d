// anytime-lazy-ucb: UCB on noisy means that each arm renews after 1, 2, 4, 8, ... pulls, forgetting
// what came before. The first private policy that is both anytime and of optimal order.
//
// Hu, Huang, Mehta & Hegde, "Near-optimal algorithms for differentially private online learning in
// a stochastic environment" (arXiv:2102.07929), Algorithm 1.
//   L2  pull each arm once; mean_j = outcome + Lap(1/eps)
//   L4  pull the arm that maximises  mean_j + sqrt(3 ln t/n_j) + 3 ln t/(eps n_j)
//   L5  add the outcome to the arm's secret sum
//   L6  when the arm's epoch r has its 2^r outcomes:
//   L7  mean_j = (sum + Lap(1/eps))/2^r, n_j = 2^r; forget the sum
// With index=ucb-v L4 has the radius of UCB-V, which footnote 9 names: sqrt(12 V ln t/n) in place of sqrt(3 ln t/n), V the largest
// variance that a plausible mean has. It follows from the released mean, so that no further release is needed; the paper says
// nothing of how the variance is had. Regret at epsilon 1, T = 1e6, 100 runs:
//                         ucb1   ucb-v
//   .05 .02 .02 .02 .02   7864    3610
//   .98 .95 .95 .95 .95   7864    3354
//   hu-linear             2500    2527   (alike: +/- 37 and 49)
// Symbols: K -> arms, O_j -> n, Phi_j -> the secret sum of a phase.
// Departures: 1. the first pulls come in random order.
// Privacy: one round moves one secret sum by at most 1, and that sum is released once: eps.
// Cost per decision: O(arms); O(arms log T) decisions.
// Bound: theory/hu.hpp, hu-theorem-3 (finite). It holds for index=ucb-v too: that index is never above the other one (V <= 1/4)
// and fails to cover as rarely (indices/ucb_v.hpp), and the proof uses no more than that.
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/indices/ucb_v.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct AnytimeLazyUcb {
  static constexpr Card kCard = central("anytime-lazy-ucb", "Anytime-Lazy-UCB",
                                        "Hu, Huang, Mehta & Hegde (arXiv:2102.07929), Alg. 1");
  enum class Index { kUcb1, kUcbV };
  struct Parameters {
    Index index = Index::kUcb1;
    template <class V>
    static void fields(V& v) {
      v.choice("index", &Parameters::index, {{"ucb1", Index::kUcb1}, {"ucb-v", Index::kUcbV}},
               "ucb1: the paper's; ucb-v: narrower for means near 0 or 1");
    }
  };
  using Book = estimators::PhaseBook<estimators::Forget>;

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s)};  // L2, L7
  }
  template <class Use>
  static auto with_learner(const Setting& s, const Parameters& p, const random::Dice& dice,
                           Use use) {
    constexpr double kRoot = 3;
    const double linear = 3 / required_epsilon(kCard.name, s);
    const Book book(s.arms, estimators::PhaseSchedule::doubling());  // L5, L6
    if (p.index == Index::kUcbV) {
      return use(IndexLearner<Book, indices::UcbV>(book, {kRoot, linear}, s.pace, dice));
    }
    return use(IndexLearner<Book, indices::Ucb>(book, {kRoot, linear}, s.pace, dice));  // L4
  }
};

}  // namespace tacit::policies::recipes
