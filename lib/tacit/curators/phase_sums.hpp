// The curator of lazy policies: an arm's outcomes are added up in secret during a phase and released once,
// noisily, when it is over.
//
// Privacy: the outcome of a round enters the sum of one phase of one arm, and that sum is released at most once:
// participation 1. When a phase ends is the learner's doing, which sees releases only.
// Noise is keyed by (arm, phase), so that in a simulation it does not depend on how rounds were batched.
#pragma once

#include "tacit/accounting/releases.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/curators/open_slots.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/curators/release.hpp"
#include "tacit/privacy/noise_source.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::curators {

template <class NoiseSource>
class PhaseSums {
 public:
  PhaseSums(const PhasePlan& plan, int arms, const accounting::Releases<NoiseSource>& releases)
      : noise_(releases.noise().laplace(plan.scale)),
        releases_(releases),
        open_(arms, plan.first_phase, {}),
        so_far_(arms, 0) {}

  void add(Slot slot, const privacy::Secret<Sum>& sum) {
    if (privacy::Secret<Sum>* kept = open_.find(slot)) *kept += sum;
  }
  /// The oldest open slot of its arm, which n rounds filled.
  Release release(Slot slot, Round n) {
    const privacy::Released<double> value =
        noise_.release(open_.oldest(slot), releases_.noise().at(slot.arm, slot.phase));
    releases_.show(slot.arm, value.value());
    Round& so_far = so_far_[slot.arm];
    releases_.note(noise_, slot.arm, so_far + 1, so_far + n);
    so_far += n;
    open_.close_oldest(slot.arm);
    return {value, 1};
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(open_, so_far_);
  }

 private:
  typename NoiseSource::LaplaceNoise noise_;
  accounting::Releases<NoiseSource> releases_;
  OpenSlots<privacy::Secret<Sum>> open_;
  PerArm<Round> so_far_;  // observations that were released, of an arm
};

}  // namespace tacit::curators
