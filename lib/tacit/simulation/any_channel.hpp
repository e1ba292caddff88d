// What stands between outcomes and a learner, behind a virtual door: for runs whose speed is not the loop's
// (late answers), and for checks before a run.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tacit/core/slot.hpp"
#include "tacit/core/stop.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/curators/release.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/simulation/channel.hpp"

namespace tacit::simulation {

/// A curator keeps sums by slot; devices report. What a channel does not take must not be given to it.
class AnyChannel {
 public:
  virtual ~AnyChannel() = default;
  virtual bool keeps_sums() const = 0;
  virtual bool takes_stops() const = 0;
  /// One sum; or one of every arm, for a curator of full information.
  virtual void add(Slot slot, std::span<const privacy::Secret<Sum>> sums) = 0;
  virtual curators::ReleasedSlot release(Slot slot, Round n) = 0;
  virtual privacy::Released<double> open(Arm arm, const privacy::Secret<Outcome>& outcome) = 0;
  virtual privacy::Released<double> report(Arm arm, const privacy::Secret<Outcome>& outcome) = 0;
  virtual privacy::Released<double> report_sum_of_one(Arm arm, const privacy::Secret<Sum>& sum) = 0;
  virtual std::vector<privacy::Released<double>> report(std::span<const Arm> list,
                                                        const privacy::Secret<Stop>& stop) = 0;
};

/// Throws InvalidParameter for a plan that cannot be simulated.
std::unique_ptr<AnyChannel> any_channel(const curators::Plan& plan, int arms, const Backstage& b);

}  // namespace tacit::simulation
