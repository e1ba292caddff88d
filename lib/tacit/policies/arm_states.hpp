// A book and what an index (or posterior) made of each arm's estimate: prepared once, when the estimate changes.
// The part that all shells share.
//
// An arm with full slots that are not released yet is reckoned with as if they came out at its released mean as
// the index estimates it, clipped to [0, 1]; at 1/2 before the first release. With answers at once nothing is
// ever under way when a choice is made, and this changes nothing.
#pragma once

#include <utility>

#include "tacit/core/per_arm.hpp"
#include "tacit/core/slot.hpp"
#include "tacit/policies/learner.hpp"

namespace tacit::policies {

template <class Book, class Index>
class ArmStates {
 public:
  using State = typename Index::State;

  ArmStates(Book book, Index index)
      : book_(std::move(book)), index_(std::move(index)), stale_(book_.arms(), 0) {
    for (Arm arm = 0; arm < book_.arms(); ++arm)
      states_.push_back(index_.prepare(book_.released(arm)));
  }

  int arms() const noexcept { return stale_.arms(); }
  const Book& book() const noexcept { return book_; }
  const Index& index() const noexcept { return index_; }
  const PerArm<State>& all() const noexcept { return states_; }
  const State& of(Arm arm) const noexcept { return states_[arm]; }

  Round assign(Slot slot, Round n) {
    const Round full = book_.assign(slot, n);
    if (full > 0) mark(slot.arm);
    return full;
  }
  Round seal(Slot slot) {
    const Round full = book_.seal(slot);
    if (full > 0) mark(slot.arm);
    return full;
  }
  void deliver(Slot slot, Values values, int noises) {
    book_.deliver(slot, values[0].value(), noises);
    if (stale_[slot.arm] != 0) {
      stale_[slot.arm] = 0;
      --stale_count_;
    }
    prepare(slot.arm);
  }
  void take(Arm arm, double report) {
    book_.add(arm, report);
    states_[arm] = index_.prepare(book_.released(arm));
  }
  template <class Estimate>
  void start(Arm arm, const Estimate& estimate) {
    book_.start(arm, estimate);
    states_[arm] = index_.prepare(book_.released(arm));
  }

  /// Before a choice: prepares the arms whose slots filled and have not come back, and calls changed(arm).
  template <class Changed>
  void settle(Changed changed) {
    if constexpr (!requires { book_.anything_under_way(0); }) return;
    if (stale_count_ == 0) [[likely]]
      return;
    for (Arm arm = 0; arm < arms(); ++arm) {
      if (stale_[arm] == 0) continue;
      stale_[arm] = 0;
      prepare(arm);
      changed(arm);
    }
    stale_count_ = 0;
  }
  void settle() {
    settle([](Arm) {});
  }

  View show(Arm arm) const { return view_of(book_, arm); }

  template <class Archive>
  void state(Archive& archive) {
    settle();
    archive(book_);
    for (Arm arm = 0; arm < arms(); ++arm) prepare(arm);
  }

 private:
  void mark(Arm arm) noexcept {
    if (stale_[arm] != 0) return;
    stale_[arm] = 1;
    ++stale_count_;
  }

  void prepare(Arm arm) {
    states_[arm] = index_.prepare(book_.released(arm));
    if constexpr (requires { book_.anything_under_way(arm); }) {
      if (!book_.anything_under_way(arm)) [[likely]]
        return;
      constexpr double kUnknown = 0.5;
      double mean = kUnknown;
      if (book_.released(arm).n > 0) {
        mean = mean_of(arm);
        mean = mean < 0 ? 0 : (mean > 1 ? 1 : mean);
      }
      states_[arm] = index_.prepare(book_.expected(arm, mean));
    }
  }
  double mean_of(Arm arm) const {
    if constexpr (requires { index_.mean(states_[arm]); }) {
      return index_.mean(states_[arm]);
    } else {
      return book_.released(arm).mean();
    }
  }

  Book book_;
  Index index_;
  PerArm<State> states_;
  PerArm<char> stale_;  // a slot filled, and the state was not prepared since
  int stale_count_ = 0;
};

}  // namespace tacit::policies
