// The order of indices that a double cannot tell from 1.
//
// An index in [0, 1] that inverts a divergence comes as close to 1 as its level says: at a level of 100 an arm of mean 0
// has 1 - e^-100, which is the double 1. It would tie with an arm whose index is 1, which it never is. Such indices have
// log_rest(state, clock), the logarithm of what is left of 1, and where that is little they are compared by it.
#pragma once

#include <algorithm>
#include <limits>

#include "tacit/indices/clock.hpp"

namespace tacit::indices {

/// Beyond, a double has less than half of its bits left for 1 - index.
inline constexpr double kNearlyOne = 1 - 0x1p-27;

/// Not what was never observed, which comes before all.
inline bool is_nearly_one(double value) noexcept {
  return value > kNearlyOne && value < std::numeric_limits<double>::infinity();
}

/// Whether an index has log_rest().
template <class Index>
inline constexpr bool kSaturates = requires(const Index& index, const typename Index::State& state,
                                            const Clock& clock) {
  index.log_rest(state, clock);
};

/// A number in the order of an index: itself, but for those close to 1, which are above 1 here. For what compares indices and
/// does not add them up.
template <class Index, class State>
double ranked(const Index& index, const State& state, const Clock& clock) {
  const double value = index.value(state, clock);
  if constexpr (kSaturates<Index>) {
    if (is_nearly_one(value)) [[unlikely]] {
      constexpr double kHighest =
          std::numeric_limits<double>::max();  // below what was never observed
      return std::min(1 - index.log_rest(state, clock), kHighest);
    }
  }
  return value;
}

/// Whether an index is so close to 1 that value() may order it wrongly: not where it is 1 itself.
template <class Index, class State>
bool is_blunt(const Index& index, const State& state, const Clock& clock, double value) {
  if constexpr (kSaturates<Index>) {
    return is_nearly_one(value) &&
           index.log_rest(state, clock) > -std::numeric_limits<double>::infinity();
  } else {
    return false;
  }
}

}  // namespace tacit::indices
