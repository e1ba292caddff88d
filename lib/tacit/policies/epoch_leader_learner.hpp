// The shell of the follow-the-noisy-leader family (full information): epochs of 1, 2, 4, ... rounds, in each of
// which the action that came out ahead in the last released epoch is played. What comes out is the leader itself,
// or the noisy sums of all actions, of which the largest leads.
//
// Cost: one decision an epoch.
#pragma once

#include <algorithm>

#include "tacit/actions/single.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies {

/// What leaves of an epoch.
enum class Leaves { kLeader, kSums };

template <Leaves kLeaves>
class EpochLeaderLearner {
 public:
  using Feedback = feedback::FullInformation;

  EpochLeaderLearner(int arms, Pace pace, const random::Dice& dice)
      : arms_(arms),
        pace_(pace),
        dice_(dice),
        last_sums_(kLeaves == Leaves::kSums ? arms : 0, 0.0) {}

  int recorded() const noexcept { return arms_; }

  void choose(const Situation& situation, Choice& choice) {
    const Round t = situation.t;
    Arm arm = leader_;
    if (!situation.is_eligible(arm)) [[unlikely]] {
      auto draw = dice_.ties(t);
      arm = situation.eligible[static_cast<std::size_t>(
          random::uniform_index(draw, static_cast<int>(situation.eligible.size())))];
    }
    choice.one(arm, {kAllArms, epoch_}, pace_ == Pace::kPlain ? t : t + left_ - 1);
  }

  Round assign(Slot, Round n) {
    left_ -= n;
    return left_ > 0 ? 0 : next_epoch(length() - left_);
  }
  Round seal(Slot slot) {
    const Round held = length() - left_;
    return slot.phase != epoch_ || held == 0 ? 0 : next_epoch(held);
  }
  void deliver(Slot, Values values, [[maybe_unused]] Round n, int) {
    if constexpr (kLeaves == Leaves::kLeader) {
      leader_ = static_cast<Arm>(values[0].value());
    } else {
      last_n_ = n;
      for (Arm arm = 0; arm < arms_; ++arm) last_sums_[arm] = at(values, arm);
      leader_ = 0;
      for (Arm arm = 1; arm < arms_; ++arm) {
        if (at(values, arm) > at(values, leader_)) leader_ = arm;
      }
    }
  }

  /// The last epoch's sums; a leader that was released by itself says nothing of how good an arm is.
  View show(Arm arm) const {
    if (kLeaves == Leaves::kLeader || last_n_ == 0) return {};
    return {last_sums_[arm], static_cast<double>(last_n_), 1, 0};
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(leader_, epoch_, left_, last_n_, last_sums_, dice_);
  }

 private:
  static constexpr Round kLongest = 53;  // the last round is 2^53
  static double at(Values values, Arm arm) { return values[static_cast<std::size_t>(arm)].value(); }
  Round next_epoch(Round held) {
    ++epoch_;
    left_ = length();
    return held;
  }
  /// Of this epoch. Epochs that are sealed early are as many as one likes: those that nobody will see full are all equally long.
  Round length() const noexcept { return Round{1} << std::min(epoch_, kLongest); }

  int arms_;
  Pace pace_;
  random::Dice dice_;
  Arm leader_ = 0;  // the paper's first action
  Round epoch_ = 0;
  Round left_ = 1;
  Round last_n_ = 0;  // rounds of the last epoch that was released
  PerArm<double> last_sums_;
};

}  // namespace tacit::policies
