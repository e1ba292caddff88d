// What an index may depend on besides its arm's estimate.
#pragma once

#include <cmath>

#include "tacit/core/round.hpp"
#include "tacit/indices/quantile_table.hpp"

namespace tacit::indices {

struct Clock {
  Round t = 1;
  double log_t = 0;
  double sqrt_log_t = 0;
  double best_mean = 0;      // the largest estimated mean, for indices that compare with it
  double log_scale = 0;      // ln c when log_t is ln(c t)
  QuantilePlace place = {};  // of log_t, where the index looks into tables

  static Clock at(Round t) noexcept {
    const double log_t = std::log(static_cast<double>(t));
    return {.t = t, .log_t = log_t, .sqrt_log_t = std::sqrt(log_t)};
  }
  /// A clock whose log_t is ln(c t), c >= 1: for indices with a union bound over c events.
  static Clock scaled(Round t, double log_c) noexcept {
    const double log_t = std::log(static_cast<double>(t)) + log_c;
    return {.t = t, .log_t = log_t, .sqrt_log_t = std::sqrt(log_t), .log_scale = log_c};
  }
};

/// The clock that an index reads in round t: its own where it has one.
template <class Index>
Clock clock_of(const Index& index, Round t) noexcept {
  if constexpr (requires { index.clock(t); }) {
    return index.clock(t);
  } else if constexpr (requires { Index::kIgnoresTime; }) {
    return {.t = t};
  } else {
    return Clock::at(t);
  }
}

/// Whether an index compares with the largest estimated mean: then the shell puts it into the clock.
template <class Index>
inline constexpr bool kComparesWithBestMean = requires {
  requires Index::kUsesBestMean;
};

/// Whether an index is the same in every round while its estimate stands.
template <class Index>
inline constexpr bool kConstantInTime = requires {
  Index::kConstantInTime;
};

}  // namespace tacit::indices
