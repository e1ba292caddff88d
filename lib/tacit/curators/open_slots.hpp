// Secrets by slot: of every arm the phases that are not released yet, oldest first.
//
// Invariant: an arm's slots are released in order, each once; what comes for a slot that was released is
// dropped. So a curator's guarantee holds whatever a learner does.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/core/slot.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::curators {

[[noreturn]] inline void refuse_out_of_turn(Slot slot, Round oldest) {
  throw InvalidParameter("release", "slot", std::to_string(slot.phase),
                         "must be the oldest that is not released, " + std::to_string(oldest));
}

template <class SecretOfASlot>
class OpenSlots {
 public:
  OpenSlots(int arms, Round first_phase, const SecretOfASlot& empty)
      : empty_(empty), arms_(arms, PerArmSlots{first_phase, empty, {}}) {}

  /// Null when the slot was released.
  SecretOfASlot* find(Slot slot) {
    PerArmSlots& a = arms_[slot.arm];
    if (slot.phase == a.first) [[likely]]
      return &a.oldest;
    if (slot.phase < a.first) return nullptr;
    const auto later = static_cast<std::size_t>(slot.phase - a.first - 1);
    while (a.later.size() <= later) a.later.push_back(empty_);
    return &a.later[later];
  }
  /// What is to be released. Throws InvalidParameter for any slot but its arm's oldest: one that is released out
  /// of turn could be released twice.
  const SecretOfASlot& oldest(Slot slot) const {
    const PerArmSlots& a = arms_[slot.arm];
    if (slot.phase != a.first) [[unlikely]]
      refuse_out_of_turn(slot, a.first);
    return a.oldest;
  }
  /// The arm's oldest slot is released: it is wiped, and the next one is the oldest.
  void close_oldest(Arm arm) {
    PerArmSlots& a = arms_[arm];
    ++a.first;
    if (a.later.empty()) [[likely]] {
      a.oldest.clear();
      return;
    }
    a.oldest = a.later.front();
    a.later.pop_front();
  }

  /// Seals or opens what is kept; the numbers of phases are public.
  template <class Archive>
  void state(Archive& archive) {
    for (PerArmSlots& a : arms_) {
      std::size_t later = a.later.size();
      archive(a.first, later);
      a.later.resize(later, empty_);
      archive(a.oldest);
      for (SecretOfASlot& secret : a.later) archive(secret);
    }
  }

 private:
  struct PerArmSlots {
    Round first;
    SecretOfASlot oldest;
    std::deque<SecretOfASlot> later;
  };
  SecretOfASlot empty_;
  PerArm<PerArmSlots> arms_;
};

}  // namespace tacit::curators
