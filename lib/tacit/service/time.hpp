// The time of the service: it never goes back, and everything public that happens by itself happens at one of its ticks.
#pragma once

#include <cstdint>

namespace tacit::service {

/// Milliseconds since 1970, as the service counts them.
using Time = std::int64_t;

inline constexpr Time kSecond = 1000;
inline constexpr Time kMinute = 60 * kSecond;
inline constexpr Time kHour = 60 * kMinute;
inline constexpr Time kDay = 24 * kHour;

/// A clock that is further ahead of what a store has seen is not believed unasked.
inline constexpr Time kMostAhead = 7 * kDay;

}  // namespace tacit::service
