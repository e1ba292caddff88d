// A curator behind a virtual door, one answer at a time: what it adds to those of curators/ is that of every place
// in a slot the first answer counts, and that what is missing when a slot is released counts as a default.
//
// An answer x is added as x - default, and n defaults when the slot of n choices is released: then nobody need know,
// even in secret, how many have answered.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tacit/accounting/releases.hpp"
#include "tacit/core/slot.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/curators/release.hpp"
#include "tacit/privacy/noise_source.hpp"
#include "tacit/privacy/sealing.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/privacy/secret_bits.hpp"

namespace tacit::live {

using curators::ReleasedSlot;

class Curator {
 public:
  virtual ~Curator() = default;
  /// A choice took the slot: the place that it has there, counted from 0.
  virtual Round open_place(Slot slot) = 0;
  /// The answer of that place: one outcome, or one of every arm. Dropped when the slot was released, and when it
  /// is not the first.
  virtual void add(Slot slot, Round place, std::span<const double> outcomes) = 0;
  /// The slot of n choices, once, of an arm in order.
  virtual ReleasedSlot release(Slot slot, Round n) = 0;
  virtual void save(privacy::SealingWriter& writer) const = 0;
  virtual void load(privacy::SealingReader& reader) = 0;
};

/// Of what the plan says, with noise from this source; null for a plan whose outcomes are reported, not summed.
template <class NoiseSource>
std::unique_ptr<Curator> make_curator(const curators::Plan& plan, int arms, double missing,
                                      const accounting::Releases<NoiseSource>& releases);

extern template std::unique_ptr<Curator> make_curator(
    const curators::Plan&, int, double, const accounting::Releases<privacy::SimulatedNoise>&);
extern template std::unique_ptr<Curator> make_curator(
    const curators::Plan&, int, double, const accounting::Releases<privacy::SecureNoise>&);

}  // namespace tacit::live
