#include "tacit/service/releaser.hpp"

#include <stdexcept>

#include "tacit/curators/one_slot.hpp"

namespace tacit::service {

curators::ReleasedSlot SecureReleaser::release(Id, const curators::Plan& plan, int arms, Slot slot,
                                               Round n, const privacy::SecretVector<Sum>& total) {
  // Noise that is drawn once depends on no arm, and every arm's slot, also nobody's as of those who are held out, is released like the
  // first one's: so that none is kept of all the arms before it.
  if (slot.arm != kAllArms) slot.arm = 0;
  auto released = curators::release_one_slot(plan, arms, slot, n, total,
                                             accounting::Releases(privacy::SecureNoise(source_)));
  if (!released) throw std::logic_error("a slot of this plan is not released by itself");
  return *std::move(released);
}

}  // namespace tacit::service
