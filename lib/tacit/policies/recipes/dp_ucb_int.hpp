// dp-ucb-int: UCB on means that are released after every ceil(1/eps) pulls of an arm.
//
// Tossou & Dimitrakakis 2016, "Algorithms for differentially private multi-armed bandits", Alg. 3.
//   L1  f = ceil(1/eps); play each arm until its first release
//   L2  after every f-th pull of an arm:  mean_j = mean of all its outcomes + Lap(n_j^-(1-v/2))
//   L3  play the arm that maximises  mean_j + sqrt(2 ln t/n_j) + ln t n_j^-(1-v/2),  n_j the
//       observations at the release
// Departures: 1. arms without a release come in random order. 2. The last term of L3 is the
// 1 - 1/(2t) quantile of the noise in L2.
// Privacy: its paper's claim is instantaneous, one release at a time. Over a run every round enters
// all later releases of its arm; what that adds up to over T rounds is what is printed (at --delta,
// 1e-6 unless given), and it is not a multiple of eps.
// Cost per decision: O(arms).
#pragma once

#include <algorithm>
#include <cmath>

#include "tacit/estimators/interval_releases.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_policy.hpp"
#include "tacit/policies/setting.hpp"

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
  using Estimator = estimators::IntervalReleases;
  using Policy = IndexPolicy<Estimator, indices::SlowNoiseUcb, Hold::kRound>;

  static Policy make(const Setting& s, const Parameters& p) {
    const double epsilon = required_epsilon(kCard.name, s);
    const auto interval = static_cast<Round>(
        std::min(std::ceil(1 / epsilon), static_cast<double>(kLastRound)));  // L1
    return Policy(Estimator(s.arms, interval, p.v, s.horizon, s.delta.value_or(kDefaultDelta),
                            s.releases(), s.arithmetic),  // L2
                  indices::SlowNoiseUcb(2, 1 - p.v / 2),  // L3
                  s.pace, s.key);
  }
};

}  // namespace tacit::policies::recipes
