#include "tacit/actions/transversal_matroid.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "tacit/actions/position.hpp"
#include "tacit/core/check.hpp"
#include "tacit/core/indexed.hpp"
#include "tacit/core/per_arm.hpp"

namespace tacit::actions {
namespace {

class Matching final : public IndependentSet {
 public:
  Matching(int slots, const std::vector<std::vector<int>>& slots_of_arm)
      : slots_of_arm_(slots_of_arm),
        slot_of_(static_cast<int>(slots_of_arm.size())),
        owner_(slots),
        reached_from_(slots),
        closed_(slots),
        seen_(slots) {
    clear();
  }

  void clear() noexcept override {
    std::fill(owner_.begin(), owner_.end(), kNobody);
    std::fill(closed_.begin(), closed_.end(), false);
  }

  bool add(Arm arm) override {
    int slot = search(arm, false);
    if (slot == kNobody) {
      for (const int reached : slots_reached_) closed_[reached] = true;
      return false;
    }
    // Each arm on the path moves to the slot that it reached; the last to move is the new one.
    for (;;) {
      const Arm mover = reached_from_[slot];
      owner_[slot] = mover;
      std::swap(slot, slot_of_[mover]);
      if (mover == arm) return true;
    }
  }

  void circuit(Arm outside, std::vector<Arm>& members) override {
    search(outside, true);
    for (const int slot : slots_reached_) members.push_back(owner_[slot]);
  }

 private:
  template <class T>
  using PerSlot = Indexed<T>;

  static constexpr int kNobody = -1;

  /// Breadth first from the arm along alternating paths: the first free slot, or kNobody.
  /// slots_reached_ are then the filled slots on the way.
  int search(Arm arm, bool through_closed) {
    ++search_;
    slots_reached_.clear();
    for (std::size_t next = 0;; ++next) {
      for (const int slot : slots_of_arm_[at(arm)]) {
        if (seen_[slot] == search_ || (!through_closed && closed_[slot])) continue;
        seen_[slot] = search_;
        reached_from_[slot] = arm;
        if (owner_[slot] == kNobody) return slot;
        slots_reached_.push_back(slot);
      }
      if (next == slots_reached_.size()) return kNobody;
      arm = owner_[slots_reached_[next]];
    }
  }

  const std::vector<std::vector<int>>& slots_of_arm_;
  PerArm<int> slot_of_;  // of those inside
  PerSlot<Arm> owner_;
  PerSlot<Arm> reached_from_;
  PerSlot<char> closed_;        // no augmenting path leads through it
  PerSlot<std::int64_t> seen_;  // the last search that reached it
  std::int64_t search_ = 0;
  std::vector<int> slots_reached_;
};

}  // namespace

TransversalMatroid::TransversalMatroid(int slots, std::vector<std::vector<int>> slots_of_arm)
    : slots_(static_cast<int>(check::at_least("TransversalMatroid", "slots", slots, 1))),
      slots_of_arm_(std::move(slots_of_arm)) {
  for (std::size_t arm = 0; arm < slots_of_arm_.size(); ++arm) {
    for (const int slot : slots_of_arm_[arm]) {
      if (slot >= 0 && slot < slots) continue;
      throw InvalidParameter("TransversalMatroid", fmt::format("slot of arm {}", arm),
                             fmt::format("{}", slot),
                             fmt::format("must be one of the {} slots, numbered from 0", slots));
    }
  }
}

std::unique_ptr<IndependentSet> TransversalMatroid::empty_set() const {
  return std::make_unique<Matching>(slots_, slots_of_arm_);
}

}  // namespace tacit::actions
