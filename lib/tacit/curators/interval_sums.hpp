// Interval releases (Tossou & Dimitrakakis 2016): after every `interval` observations of an arm its
// mean over all of them is released anew, with noise that shrinks like n^-(1-v/2).
//
// Privacy: unlike phases, intervals share their data: a round enters every later release of its
// arm. The release at n observations costs (1/n)/n^-(1-v/2) = n^(-v/2), so the k-th costs (k
// interval)^(-v/2). With 1 < v the costs' squares have a finite sum though the costs do not: the
// total is stated by zero-concentrated privacy (Bun & Steinke 2016), rho = sum of squares/2 and
// eps' by the optimal conversion of rho (composition.hpp), or by plain addition where that is smaller.
#pragma once

#include "tacit/accounting/releases.hpp"
#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/curators/open_slots.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/curators/release.hpp"
#include "tacit/privacy/noise_source.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::curators {

template <class NoiseSource>
class IntervalSums {
 public:
  IntervalSums(const IntervalPlan& plan, int arms,
               const accounting::Releases<NoiseSource>& releases)
      : plan_(plan), releases_(releases), open_(arms, 0, {}), arms_(arms) {
    check::at_least("IntervalSums", "interval", plan.interval, 1);
    check::strictly_within("IntervalSums", "v", plan.v, 1, 2);
    check::strictly_within("IntervalSums", "delta", plan.delta, 0, 1);
  }

  void add(Slot slot, const privacy::Secret<Sum>& sum) {
    if (privacy::Secret<Sum>* kept = open_.find(slot)) *kept += sum;
  }
  Release release(Slot slot, Round n) {
    Running& a = arms_[slot.arm];
    a.sum += open_.oldest(slot);
    a.observed += n;
    open_.close_oldest(slot.arm);
    const auto noise = releases_.noise().laplace(plan_.scale(a.observed));
    const auto value = noise.release(a.sum, releases_.noise().at(slot.arm, a.observed));
    releases_.show(slot.arm, value.value());
    releases_.note(noise, slot.arm, 1, a.observed);
    return {value, 1};
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(open_);
    for (Running& a : arms_) archive(a.sum, a.observed);
  }

 private:
  struct Running {
    privacy::Secret<Sum> sum;
    Round observed = 0;
  };
  IntervalPlan plan_;
  accounting::Releases<NoiseSource> releases_;
  OpenSlots<privacy::Secret<Sum>> open_;
  PerArm<Running> arms_;
};

}  // namespace tacit::curators
