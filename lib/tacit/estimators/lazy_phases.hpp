// Lazy estimator: an arm's outcomes are added up in secret during a phase and released once,
// noisily, at its end. Between releases nothing the policy can see changes, which is why the engine
// may skip.
//
// Memory decides what becomes of earlier phases: Forget (Hu et al.: one noise term, half the data),
// Accumulate (Azize et al. 2025: all data, one noise term a phase), KeepPhases (each phase by
// itself, for estimators that weigh them).
//
// Privacy: the outcome of a round enters the sum of one phase of one arm, and that sum is released
// at most once: participation 1. When a phase ends depends on earlier releases only.
//
// Invariants: 0 <= collected < length; a phase that the horizon cuts off is never released.
// Noise is keyed by (arm, phase), so it does not depend on how rounds were batched.
#pragma once

#include <cstddef>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/estimators/phase_schedule.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/ledger.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::estimators {

/// Only the last phase counts.
struct Forget : Estimate {
  void add(const privacy::Released<double>& phase_sum, Round length) noexcept {
    sum = phase_sum.value();
    n = static_cast<double>(length);
    noises = 1;
  }
};

/// Every phase counts alike.
struct Accumulate : Estimate {
  void add(const privacy::Released<double>& phase_sum, Round length) noexcept {
    sum += phase_sum.value();
    n += static_cast<double>(length);
    ++noises;
  }
};

/// Every phase is kept by itself.
struct KeepPhases : Accumulate {
  struct Phase {
    double sum;
    double n;
  };
  std::vector<Phase> phases;
  void add(const privacy::Released<double>& phase_sum, Round length) {
    Accumulate::add(phase_sum, length);
    phases.push_back({phase_sum.value(), static_cast<double>(length)});
  }
};

template <class MemoryOfAnArm>
class LazyPhases {
 public:
  using Memory = MemoryOfAnArm;
  using Input = Sum;
  static constexpr bool kChangesEveryRound = false;

  LazyPhases(int arms, PhaseSchedule schedule, privacy::Laplace noise,
             const privacy::Releases& releases)
      : schedule_(schedule),
        noise_(noise),
        releases_(releases),
        arms_(static_cast<std::size_t>(arms)) {
    for (PerArm& arm : arms_) arm.length = schedule_.length(0, 0);
  }

  int arms() const noexcept { return static_cast<int>(arms_.size()); }
  const Memory& estimate(Arm arm) const noexcept { return at(arm).memory; }
  /// How many more observations until this arm's estimate changes; at least 1.
  Round remaining(Arm arm) const noexcept { return at(arm).length - at(arm).collected; }
  bool in_phase(Arm arm) const noexcept { return at(arm).collected > 0; }

  /// Takes n <= remaining(arm) observations; true when they complete a phase.
  bool learn(Arm arm, Round n, const privacy::Secret<Sum>& sum) {
    PerArm& a = at(arm);
    a.sum += sum;
    a.collected += n;
    if (a.collected < a.length) return false;
    const privacy::Released<double> released = noise_.release(
        a.sum,
        releases_.noise(static_cast<std::uint64_t>(arm), static_cast<std::uint64_t>(a.phase)));
    releases_.show(arm, released.value());
    a.memory.add(released, a.length);
    releases_.note(noise_, arm, a.so_far + 1, a.so_far + a.length);
    a.sum.clear();
    a.so_far += a.length;
    a.collected = 0;
    ++a.phase;
    a.length = schedule_.length(a.phase, a.so_far);
    return true;
  }

  privacy::Guarantee guarantee(const privacy::Sensitivity& sensitivity,
                               const std::string& moves) const {
    constexpr int kReleasesOfARound = 1;
    return privacy::compose(privacy::Notion::kCentral, moves, kReleasesOfARound,
                            noise_.loss(sensitivity));
  }

 private:
  struct PerArm {
    Memory memory;
    privacy::Secret<Sum> sum;
    Round collected = 0;
    Round length = 0;
    Round so_far = 0;
    int phase = 0;
  };
  PerArm& at(Arm arm) noexcept { return arms_[static_cast<std::size_t>(arm)]; }
  const PerArm& at(Arm arm) const noexcept { return arms_[static_cast<std::size_t>(arm)]; }

  PhaseSchedule schedule_;
  privacy::Laplace noise_;
  privacy::Releases releases_;
  std::vector<PerArm> arms_;
};

}  // namespace tacit::estimators
