// What stands between outcomes and a learner in a simulated run, built from a recipe's plan: a curator that keeps
// sums by slot and releases them, or the devices of users, which report.
#pragma once

#include <utility>

#include "tacit/curators/as_published/leaking_stops.hpp"
#include "tacit/curators/counters.hpp"
#include "tacit/curators/epoch_sums.hpp"
#include "tacit/curators/interval_sums.hpp"
#include "tacit/curators/opened_stops.hpp"
#include "tacit/curators/phase_sums.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/devices/report_device.hpp"
#include "tacit/privacy/noise_source.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::simulation {

/// A simulated run's randomness but for the learner's dice, and what is written down of it.
struct Backstage {
  random::SimulationKey key;
  privacy::Arithmetic arithmetic;
  privacy::Ledger* ledger;

  curators::SimulatedReleases releases() const {
    return {privacy::SimulatedNoise(key, arithmetic), ledger};
  }
  random::SimulationStream devices() const { return key.stream(random::Purpose::kRounding); }
  privacy::Notes notes() const { return privacy::Notes(ledger); }
};

inline auto channel(const curators::PhasePlan& plan, int arms, const Backstage& b) {
  return curators::PhaseSums<privacy::SimulatedNoise>(plan, arms, b.releases());
}
inline auto channel(const curators::CounterPlan& plan, int arms, const Backstage& b) {
  return curators::Counters<privacy::SimulatedNoise>(plan, arms, b.releases());
}
inline auto channel(const curators::TreePlan& plan, int arms, const Backstage& b) {
  return curators::Counters<privacy::SimulatedNoise>(plan, arms, b.releases());
}
inline auto channel(const curators::IntervalPlan& plan, int arms, const Backstage& b) {
  return curators::IntervalSums<privacy::SimulatedNoise>(plan, arms, b.releases());
}
inline auto channel(const curators::NoisySumsPlan& plan, int arms, const Backstage& b) {
  return curators::EpochSums<curators::NoisySums, privacy::SimulatedNoise>(plan, arms,
                                                                           b.releases());
}
inline auto channel(const curators::NoisyLeaderPlan& plan, int arms, const Backstage& b) {
  return curators::EpochSums<curators::NoisyLeader, privacy::SimulatedNoise>(plan, arms,
                                                                             b.releases());
}

template <class Mechanism>
auto report_device(Mechanism mechanism, const Backstage& b) {
  return devices::ReportDevice<Mechanism, random::SimulationStream>(std::move(mechanism),
                                                                    b.devices(), b.notes());
}
inline auto channel(const curators::ExactPlan&, int, const Backstage& b) {
  return report_device(devices::ExactReport{}, b);
}
inline auto channel(const curators::ExactBitPlan&, int, const Backstage& b) {
  return report_device(devices::ExactBit{}, b);
}
inline auto channel(const curators::ResponsePlan& plan, int, const Backstage& b) {
  return report_device(privacy::RandomizedResponse(plan.epsilon, b.arithmetic), b);
}
inline auto channel(const curators::LaplaceReportPlan& plan, int, const Backstage& b) {
  return report_device(privacy::Laplace(plan.scale, b.arithmetic), b);
}
inline auto channel(const curators::GaussianReportPlan& plan, int, const Backstage& b) {
  return report_device(privacy::Gaussian(plan.sigma, plan.delta, b.arithmetic), b);
}
inline auto channel(const curators::StopReportPlan& plan, int, const Backstage& b) {
  return devices::StopDevice<privacy::StopResponse, random::SimulationStream>(
      privacy::StopResponse(plan.epsilon, plan.positions, b.arithmetic), b.devices(), b.notes());
}
inline auto channel(const curators::OpenStopPlan& plan, int arms, const Backstage& b) {
  return curators::OpenStops(plan, arms, b.releases(), b.devices());
}
inline auto channel(const curators::LeakingStopPlan& plan, int arms, const Backstage& b) {
  return curators::LeakingStops(plan, arms, b.releases(), b.devices());
}
inline auto channel(const curators::RawStartPlan& plan, int, const Backstage& b) {
  return curators::RawStartReports(plan, b.arithmetic, b.devices(), b.notes());
}

}  // namespace tacit::simulation
