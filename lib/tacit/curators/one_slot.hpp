// One slot of a plan, released by itself: for those who keep secret sums elsewhere, and see to it that each is released once.
#pragma once

#include <optional>
#include <type_traits>
#include <variant>

#include "tacit/accounting/releases.hpp"
#include "tacit/curators/epoch_sums.hpp"
#include "tacit/curators/phase_sums.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/curators/release.hpp"

namespace tacit::curators {

/// The total of a slot that n rounds filled: of its arm, or of every arm. As the plan's curator releases it, with noise from the
/// same place. None for plans whose releases are not each of one slot alone.
template <class NoiseSource>
std::optional<ReleasedSlot> release_one_slot(const Plan& plan, int arms, Slot slot, Round n,
                                             const privacy::SecretVector<Sum>& total,
                                             const accounting::Releases<NoiseSource>& releases) {
  const auto of_epochs = [&]<template <class> class Selector>(const auto& p) {
    EpochSums<Selector, NoiseSource> sums(p, arms, releases, slot.phase);
    sums.add(slot, total);
    return release_slot(sums, slot, n);
  };
  if (const auto* p = std::get_if<PhasePlan>(&plan)) {
    // Of an arm like any other: it has this one slot.
    PhaseSums<NoiseSource> sums({.scale = p->scale, .first_phase = slot.phase}, slot.arm + 1,
                                releases);
    sums.add(slot, total[0]);
    return release_slot(sums, slot, n);
  }
  if (const auto* p = std::get_if<NoisySumsPlan>(&plan)) {
    return of_epochs.template operator()<NoisySums>(*p);
  }
  if (const auto* p = std::get_if<NoisyLeaderPlan>(&plan)) {
    return of_epochs.template operator()<NoisyLeader>(*p);
  }
  return std::nullopt;
}

}  // namespace tacit::curators
