// What is known of an index without finding it to the last digit, so that only what can win is computed.
//
// An index that is found by a search has near(state, clock, guess) beside value(state, clock): quick where the guess, its
// value a little earlier, is good. The index is concave in one coordinate of the clock, ln t for most, the best mean for
// those that compare with it; so its tangent bounds it from above wherever the coordinate moves while the state stands.
// Where it is increasing in ln t, its value bounds it from below from then on.
#pragma once

#include <limits>

#include "tacit/indices/clock.hpp"

namespace tacit::indices {

struct Enclosure {
  double value = 0;  // value() of the same clock is within `doubt` of it
  double doubt = 0;
  double slope =
      0;  // value() of another clock is at most value + doubt + slope * (how much further it is)
  bool exact = false;    // `value` is value() to the last bit
  bool lasting = false;  // and at every later clock, too

  /// Of one clock alone: nothing is said of others.
  static Enclosure of_now(double value) noexcept {
    return {.value = value, .doubt = std::numeric_limits<double>::infinity(), .exact = true};
  }
  /// As long as the state stands.
  static Enclosure of_always(double value) noexcept {
    return {.value = value, .exact = true, .lasting = true};
  }
};

/// Whether an index can be enclosed.
template <class Index>
concept Enclosed = requires(const Index& index, const typename Index::State& state,
                            const Clock& clock) {
  index.near(state, clock, 0.0);
};

/// Whether an index has no closed form.
template <class Index>
inline constexpr bool kSearched = requires {
  Index::kSearched;
};

/// The coordinate of the clock in which an index is concave.
template <class Index>
double coordinate(const Clock& clock) noexcept {
  return kComparesWithBestMean<Index> ? clock.best_mean : clock.log_t;
}

/// Whether an index never falls while its state stands and its coordinate grows.
template <class Index>
inline constexpr bool kGrows = !kComparesWithBestMean<Index>;

/// Whether it is concave. One that only grows is bounded by its value at a later clock instead, and its slopes say
/// nothing.
template <class Index>
inline constexpr bool kHasTangents = !requires {
  Index::kWithoutTangents;
};

}  // namespace tacit::indices
