// What a learner is asked, and what it answers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "tacit/core/round.hpp"
#include "tacit/core/slot.hpp"

namespace tacit::policies {

/// Whether a learner may promise more than the round it was asked for. Only a simulation has use for that.
enum class Pace { kSkipping, kPlain };

struct Situation {
  Round t;
  std::span<const Arm> eligible = {};  // empty: all arms

  bool is_eligible(Arm arm) const noexcept {
    return eligible.empty() || std::find(eligible.begin(), eligible.end(), arm) != eligible.end();
  }
};

/// These arms, from the round the learner was asked at up to and including `until`; the outcomes of some of
/// them, or of none, are recorded, each in its slot. Owns its arms and can be kept.
///
/// A loop keeps one and lets it be written again and again: up to eight arms need no memory of their own.
class Choice {
 public:
  Round until = 0;    // the learner is not asked again before until + 1
  double chance = 0;  // of this choice, where the learner knows it

  std::span<const Arm> arms() const noexcept {
    return {size_ <= kInline ? arms_ : more_arms_.data(), size_};
  }
  std::span<const Slot> slots() const noexcept {
    return {recorded_ <= kInline ? slots_ : more_slots_.data(), recorded_};
  }
  /// The first of them.
  Arm arm() const noexcept { return arms_[0]; }

  /// One arm, recorded.
  void one(Arm arm, Slot slot, Round last) noexcept {
    size_ = recorded_ = 1;
    arms_[0] = arm;
    slots_[0] = slot;
    until = last;
  }
  /// One arm, not recorded.
  void unrecorded(Arm arm, Round last) noexcept {
    one(arm, {}, last);
    recorded_ = 0;
  }
  /// Nothing is recorded until record() says so.
  void set(std::span<const Arm> arms, Round last) {
    size_ = arms.size();
    recorded_ = 0;
    until = last;
    more_slots_.clear();
    std::copy_n(arms.begin(), std::min(size_, kInline), arms_);
    if (size_ > kInline) more_arms_.assign(arms.begin(), arms.end());
  }
  void record(Slot slot) {
    if (recorded_ < kInline) {
      slots_[recorded_++] = slot;
      return;
    }
    if (recorded_ == kInline) more_slots_.assign(slots_, slots_ + kInline);
    more_slots_.push_back(slot);
    ++recorded_;
  }

 private:
  static constexpr std::size_t kInline = 8;
  std::size_t size_ = 0;
  std::size_t recorded_ = 0;
  Arm arms_[kInline];    // NOLINT: written before they are read
  Slot slots_[kInline];  // NOLINT
  std::vector<Arm> more_arms_;
  std::vector<Slot> more_slots_;
};

}  // namespace tacit::policies
