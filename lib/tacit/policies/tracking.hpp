// Who of a leader and its challenger is played: the leader for a share beta of the rounds in which it leads, as exactly as whole
// rounds allow. Of every arm apart, so that a leader that comes back goes on where it was.
//
// In the round in which it leads for the L-th time a leader that was played N times as one is played if N <= beta L. So N
// follows floor(beta L) + 1: from below as fast as it can, and never beyond.
#pragma once

#include <algorithm>
#include <cmath>

#include "tacit/core/per_arm.hpp"
#include "tacit/core/round.hpp"

namespace tacit::policies {

class Tracking {
 public:
  Tracking(int arms, double beta) : beta_(beta), arms_(arms) {}

  /// Of the next `rounds` rounds in which it leads, those in which it is played.
  Round share(Arm leader, Round rounds) const noexcept {
    const Counts& counts = arms_[leader];
    const auto target =
        static_cast<Round>(std::floor(beta_ * static_cast<double>(counts.led + rounds))) + 1;
    return std::clamp<Round>(target - counts.played, 0, rounds);
  }
  bool plays_leader(Arm leader) const noexcept { return share(leader, 1) == 1; }

  /// How many rounds it takes until the leader was played `of_leader` times or the challenger `of_challenger` times.
  Round rounds_until(Arm leader, Round of_leader, Round of_challenger) const noexcept {
    Round low = 1;
    Round high = of_leader + of_challenger - 1;
    while (low < high) {
      const Round middle = low + (high - low) / 2;
      const Round played = share(leader, middle);
      if (played >= of_leader || middle - played >= of_challenger) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /// n rounds with this leader, in which this one was played.
  void count(Arm leader, Arm played, Round n) noexcept {
    arms_[leader].led += n;
    if (played == leader) arms_[leader].played += n;
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(arms_);
  }

 private:
  struct Counts {
    Round led = 0;
    Round played = 0;  // of those
    template <class Archive>
    void state(Archive& archive) {
      archive(led, played);
    }
  };

  double beta_;
  PerArm<Counts> arms_;
};

}  // namespace tacit::policies
