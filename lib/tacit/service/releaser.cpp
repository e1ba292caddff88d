#include "tacit/service/releaser.hpp"

#include <stdexcept>

#include "tacit/curators/one_slot.hpp"

namespace tacit::service {

curators::ReleasedSlot SecureReleaser::release(Id, const curators::Plan& plan, int arms, Slot slot,
                                               Round n, const privacy::SecretVector<Sum>& total) {
  // A slot of nobody's arm, as that of those who are held out: one outcome a choice, like the first arm's.
  if (slot.arm < 0 && slot.arm != kAllArms) slot.arm = 0;
  auto released = curators::release_one_slot(plan, arms, slot, n, total,
                                             accounting::Releases(privacy::SecureNoise(source_)));
  if (!released) throw std::logic_error("a slot of this plan is not released by itself");
  return *std::move(released);
}

}  // namespace tacit::service
