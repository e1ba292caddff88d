// What an index may depend on besides its arm's estimate.
#pragma once

#include <cmath>

#include "tacit/core/round.hpp"

namespace tacit::indices {

struct Clock {
  Round t = 1;
  double log_t = 0;
  double sqrt_log_t = 0;
  double best_mean = 0;  // the largest estimated mean, for indices that compare with it

  static Clock at(Round t) noexcept {
    const double log_t = std::log(static_cast<double>(t));
    return {.t = t, .log_t = log_t, .sqrt_log_t = std::sqrt(log_t), .best_mean = 0};
  }
};

}  // namespace tacit::indices
