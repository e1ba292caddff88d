// dp-ucb-int: UCB on means that are released after every ceil(1/eps) pulls of an arm.
//
// Tossou & Dimitrakakis 2016, "Algorithms for differentially private multi-armed bandits", Alg. 3.
//   L1  f = ceil(1/eps); play each arm until its first release
//   L2  after every f-th pull of an arm:  mean_j = mean of all its outcomes + Lap(n_j^-(1-v/2))
//   L3  play the arm that maximises  mean_j + sqrt(2 ln t/n_j) + ln t n_j^-(1-v/2),  n_j the
//       observations at the release
// Departures: 1. arms without a release come in random order. 2. The last term of L3 is the
// 1 - 1/(2t) quantile of the noise in L2.
// Privacy: its paper's claim is instantaneous, one release at a time, and at eps = 0.1 the first costs
// 10^(-v/2) = 0.28 (docs/guarantees.md). Over a run every round enters
// all later releases of its arm; what that adds up to over T rounds is what is printed (at --delta,
// 1e-6 unless given), and it is not a multiple of eps.
// Cost per decision: O(arms).
#pragma once

#include <algorithm>
#include <cmath>

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct DpUcbInt {
  static constexpr Card kCard =
      central("dp-ucb-int", "DP-UCB with interval releases", "Tossou & Dimitrakakis 2016")
          .taking_delta()
          .promising({privacy::Notion::kInstantaneous, 1});
  struct Parameters {
    double v = 1.1;  // noise shrinks like n^-(1-v/2); in (1, 2)
    template <class V>
    static void fields(V& visitor) {
      visitor.real("v", &Parameters::v, 1, 2, "noise on the mean shrinks like n^-(1-v/2)");
    }
  };
  using Book = estimators::PhaseBook<estimators::Running>;
  using Learner = IndexLearner<Book, indices::SlowNoiseUcb>;

  static curators::IntervalPlan plan(const Setting& s, const Parameters& p) {
    const auto interval =
        static_cast<Round>(std::min(std::ceil(1 / required_epsilon(kCard.name, s)),
                                    static_cast<double>(kLastRound)));  // L1
    return {interval, p.v, s.horizon, s.delta_or_default()};            // L2
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return Learner(Book(s.arms, estimators::PhaseSchedule::constant(plan(s, p).interval)),
                   indices::SlowNoiseUcb(2, 1 - p.v / 2),  // L3
                   s.pace, dice);
  }
};

}  // namespace tacit::policies::recipes
