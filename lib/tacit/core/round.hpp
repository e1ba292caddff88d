// The two integers that everything counts with.
#pragma once

#include <cstdint>

namespace tacit {

/// A round t = 1, 2, ..., or a number of rounds.
using Round = std::int64_t;

/// Beyond 2^53 a double, in which indices are computed, cannot tell one round from the next.
inline constexpr Round kLastRound = Round{1} << 53;

/// An arm, counted from 0.
using Arm = int;

}  // namespace tacit
