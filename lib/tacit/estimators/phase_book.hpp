// Public bookkeeping of arms whose outcomes are released phase by phase: what was released, which phase is
// filling, and which are full and under way.
//
// Phases live here, and nowhere else: they count choices, never answers, and end when the last choice is made,
// so that no answer decides when something is released.
//
// Under way is what is full and not released; a phase that is filling never counts. Memory says what a released
// phase does to an arm's estimate (memory.hpp).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tacit/core/per_arm.hpp"
#include "tacit/core/round.hpp"
#include "tacit/core/slot.hpp"
#include "tacit/estimators/memory.hpp"
#include "tacit/estimators/phase_schedule.hpp"

namespace tacit::estimators {

template <class MemoryOfAnArm>
class PhaseBook {
 public:
  using Memory = MemoryOfAnArm;
  static constexpr bool kChangesEveryRound = false;

  PhaseBook(int arms, PhaseSchedule schedule) : schedule_(schedule), arms_(arms) {
    for (Page& page : arms_) page.length = schedule_.length(0, 0);
  }

  int arms() const noexcept { return arms_.arms(); }
  Slot slot(Arm arm) const noexcept { return {arm, arms_[arm].phase}; }
  /// How many more choices until this arm's phase is full; at least 1.
  Round remaining(Arm arm) const noexcept { return arms_[arm].length - arms_[arm].collected; }
  bool in_phase(Arm arm) const noexcept { return arms_[arm].collected > 0; }
  /// How many arms have a phase that is filling.
  int filling() const noexcept { return filling_; }

  const Memory& released(Arm arm) const noexcept { return arms_[arm].memory; }
  Round under_way(Arm arm) const noexcept {
    Round total = 0;
    for (const Round n : arms_[arm].waiting) total += n;
    return total;
  }
  bool anything_under_way(Arm arm) const noexcept { return !arms_[arm].waiting.empty(); }
  /// As if every full phase had come out at this mean.
  Memory expected(Arm arm, double mean) const {
    Memory memory = arms_[arm].memory;
    for (const Round n : arms_[arm].waiting) memory.expect(mean, n);
    return memory;
  }
  /// The observations behind that.
  double expected_n(Arm arm) const {
    const Page& page = arms_[arm];
    return page.waiting.empty() ? page.memory.n : expected(arm, 0).n;
  }

  /// Instead of what the schedule says; before anything is in the arm's present phase.
  void set_length(Arm arm, Round length) noexcept { arms_[arm].length = length; }

  /// n choices, at most remaining(arm), took the arm's present slot: its length when they fill it, else 0.
  Round assign(Slot slot, Round n) {
    Page& page = arms_[slot.arm];
    filling_ += page.collected == 0 ? 1 : 0;
    page.collected += n;
    return page.collected < page.length ? 0 : close(page);
  }
  /// Ends the arm's present slot early, if anything is in it: its length, or 0.
  Round seal(Slot slot) {
    Page& page = arms_[slot.arm];
    return page.collected == 0 || slot.phase != page.phase ? 0 : close(page);
  }
  /// The oldest full slot of the arm came out.
  void deliver(Slot slot, double value, int noises) {
    Page& page = arms_[slot.arm];
    page.memory.add(value, page.waiting.front(), noises);
    page.waiting.erase(page.waiting.begin());
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(filling_);
    for (Page& page : arms_) archive(page);
  }

 private:
  struct Page {
    Memory memory;
    Round collected = 0;
    Round length = 0;
    Round so_far = 0;
    Round phase = 0;
    std::vector<Round> waiting;  // lengths of the full slots, oldest first

    template <class Archive>
    void state(Archive& archive) {
      archive(memory, collected, length, so_far, phase, waiting);
    }
  };

  Round close(Page& page) {
    const Round length = page.collected;
    page.waiting.push_back(length);
    page.so_far += length;
    page.collected = 0;
    --filling_;
    ++page.phase;
    page.length = schedule_.length(page.phase, page.so_far);
    return length;
  }

  PhaseSchedule schedule_;
  int filling_ = 0;
  PerArm<Page> arms_;
};

/// Of arms whose running sum is released after every observation.
class CounterBook : public PhaseBook<Running> {
 public:
  static constexpr bool kChangesEveryRound = true;
  explicit CounterBook(int arms) : PhaseBook(arms, PhaseSchedule::constant(1)) {}
};

}  // namespace tacit::estimators
