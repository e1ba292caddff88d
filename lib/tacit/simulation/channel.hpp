// What stands between outcomes and a learner in a simulated run, built from a recipe's plan: a curator that keeps
// sums by slot and releases them, or the devices of users, which report.
#pragma once

#include "tacit/curators/as_published/leaking_stops.hpp"
#include "tacit/curators/of_plan.hpp"
#include "tacit/curators/opened_stops.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/devices/as_published/raw_start_reports.hpp"
#include "tacit/devices/of_plan.hpp"
#include "tacit/privacy/noise_source.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::simulation {

/// A simulated run's randomness but for the learner's dice, and what is written down of it.
struct Backstage {
  random::SimulationKey key;
  privacy::Arithmetic arithmetic;
  accounting::Ledger* ledger;

  curators::SimulatedReleases releases() const {
    return {privacy::SimulatedNoise(key, arithmetic), ledger};
  }
  random::SimulationStream devices() const { return key.stream(random::Purpose::kRounding); }
  accounting::Notes notes() const { return accounting::Notes(ledger); }
};

template <class Plan>
auto channel(const Plan& plan, int arms, const Backstage& b) {
  if constexpr (curators::SummedPlan<Plan, privacy::SimulatedNoise>) {
    return curators::curator_of(plan, arms, b.releases());
  } else {
    using User = devices::User<random::SimulationStream, devices::SimulatedMechanisms>;
    return devices::device_of(plan, User{{b.arithmetic}, b.devices(), b.notes()});
  }
}
// What cannot be held but in a simulation.
inline auto channel(const curators::OpenStopPlan& plan, int arms, const Backstage& b) {
  return curators::OpenStops(plan, arms, b.releases(), b.devices());
}
inline auto channel(const curators::LeakingStopPlan& plan, int arms, const Backstage& b) {
  return curators::LeakingStops(plan, arms, b.releases(), b.devices());
}
inline auto channel(const curators::RawStartPlan& plan, int, const Backstage& b) {
  return devices::RawStartReports(plan, b.arithmetic, b.devices(), b.notes());
}

}  // namespace tacit::simulation
