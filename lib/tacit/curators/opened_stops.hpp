// Cascading bandits that see where users stop: baselines, and policies as published that leak it.
//
// Which items were examined is the secret itself. Here it is opened, which only these may: the report of a round
// has one number for every item up to the stop, so that its length tells where the user stopped. Both start from
// one outcome of every item before the first round, as it is.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "tacit/accounting/releases.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/core/stop.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/curators/hybrid_sum.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/privacy/exact.hpp"
#include "tacit/privacy/gaussian.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::curators {

using SimulatedReleases = accounting::Releases<privacy::SimulatedNoise>;

/// Sees stops and outcomes as they are. A baseline.
class OpenStops {
 public:
  OpenStops(const OpenStopPlan&, int /*items*/, const SimulatedReleases&,
            const random::SimulationStream& /*devices*/) {}

  static privacy::Released<double> open(Arm, const privacy::Secret<Outcome>& outcome) {
    return privacy::Exact::release(outcome);
  }
  /// What was in `clicks` is gone.
  static void report(std::span<const Arm> list, const privacy::Secret<Stop>& stop,
                     std::vector<privacy::Released<double>>& clicks) {
    const int position = privacy::Exact::release_as_is(stop).value().position;
    const int examined = std::min(position + 1, static_cast<int>(list.size()));
    clicks.clear();
    for (int k = 0; k < examined; ++k) {
      clicks.push_back(
          privacy::Exact::release(privacy::Secret<Outcome>(Outcome::bit(k == position))));
    }
  }
  static std::vector<privacy::Released<double>> report(std::span<const Arm> list,
                                                       const privacy::Secret<Stop>& stop) {
    std::vector<privacy::Released<double>> clicks;
    report(list, stop, clicks);
    return clicks;
  }
};

}  // namespace tacit::curators
