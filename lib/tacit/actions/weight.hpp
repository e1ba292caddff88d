// Scores as exact integers, for oracles that compare sums of scores.
//
// Why not doubles: the same scores added in another order differ in the last bit, so a tie would be
// decided by the order of addition, always alike. Here a score is a multiple of 2^-36 (the unit of
// rewards), and three things that must not mix share one integer of 128 bits, most important first:
//
//   how many scores are +infinity | the sum of the finite scores | random tie breaks
//
// so that "more infinities first, then the larger sum, then at random" is the order of integers.
// The fields never overflow into each other for actions of at most 2^15 arms and scores of size at
// most 2^20; scores further out count as 2^20.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tacit/actions/action_set.hpp"

namespace tacit::actions {

__extension__ using Weight = __int128;

/// The largest number of arms in an action that weights are made for.
inline constexpr int kMostArms = 1 << 15;
inline constexpr double kFarthestScore = 0x1p20;

inline constexpr int kTieBits = 20;
inline constexpr int kScoreShift = kTieBits + 16;  // above any sum of ties
inline constexpr Weight kInfinite = Weight{1} << (kScoreShift + ActionSet::kValueBits + 20 + 16);
/// Beyond any sum of weights of an action; can still be added to.
inline constexpr Weight kFar = Weight{1} << 125;
/// 69 units: 1.004e-9. What "best by a margin" means.
inline constexpr Weight kMargin = Weight{69} << kScoreShift;

inline Weight weight(double score) {
  if (score == std::numeric_limits<double>::infinity()) return kInfinite;
  const double finite = std::clamp(score, -kFarthestScore, kFarthestScore);
  return Weight{ActionSet::units(finite)} * (Weight{1} << kScoreShift);
}

/// From 1 to 2^20: less than any difference between scores, and never nothing.
template <class G>
Weight tie_break(G& draw) {
  return Weight{1} + static_cast<std::int64_t>(draw() >> (64 - kTieBits));
}

}  // namespace tacit::actions
