// Where one round's outcome goes: a phase of an arm, or an epoch of all of them.
#pragma once

#include "tacit/core/round.hpp"

namespace tacit {

/// What is about all arms at once.
inline constexpr Arm kAllArms = -1;

/// Fixed when the choice is made, by what is public then: an outcome never decides into which sum it goes.
/// Trivial on purpose, so that arrays of slots cost nothing until they are written.
struct Slot {
  Arm arm;  // or kAllArms
  Round
      phase;  // of the arm, counted up; policies that release every round pass 2^31 of them in a minute

  friend constexpr bool operator==(const Slot&, const Slot&) = default;
  friend constexpr auto operator<=>(const Slot&, const Slot&) = default;
};

}  // namespace tacit
