// The curator that a plan names, with noise from any source: one overload for each plan whose outcomes are summed.
// A plan without one is not summed: see devices/of_plan.hpp.
#pragma once

#include "tacit/accounting/releases.hpp"
#include "tacit/curators/counters.hpp"
#include "tacit/curators/epoch_sums.hpp"
#include "tacit/curators/interval_sums.hpp"
#include "tacit/curators/phase_sums.hpp"
#include "tacit/curators/plans.hpp"

namespace tacit::curators {

template <class NoiseSource>
auto curator_of(const PhasePlan& plan, int arms,
                const accounting::Releases<NoiseSource>& releases) {
  return PhaseSums<NoiseSource>(plan, arms, releases);
}
template <class NoiseSource>
auto curator_of(const CounterPlan& plan, int arms,
                const accounting::Releases<NoiseSource>& releases) {
  return Counters<NoiseSource>(plan, arms, releases);
}
template <class NoiseSource>
auto curator_of(const TreePlan& plan, int arms, const accounting::Releases<NoiseSource>& releases) {
  return Counters<NoiseSource>(plan, arms, releases);
}
template <class NoiseSource>
auto curator_of(const IntervalPlan& plan, int arms,
                const accounting::Releases<NoiseSource>& releases) {
  return IntervalSums<NoiseSource>(plan, arms, releases);
}
template <class NoiseSource>
auto curator_of(const NoisySumsPlan& plan, int arms,
                const accounting::Releases<NoiseSource>& releases) {
  return EpochSums<NoisySums, NoiseSource>(plan, arms, releases);
}
template <class NoiseSource>
auto curator_of(const NoisyLeaderPlan& plan, int arms,
                const accounting::Releases<NoiseSource>& releases) {
  return EpochSums<NoisyLeader, NoiseSource>(plan, arms, releases);
}

/// Whether outcomes are summed by a curator.
template <class Plan, class NoiseSource>
concept SummedPlan = requires(const Plan& plan, const accounting::Releases<NoiseSource>& releases) {
  curator_of(plan, 1, releases);
};

}  // namespace tacit::curators
