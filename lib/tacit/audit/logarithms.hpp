// Evidence and odds are kept as logarithms: they leave the range of doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace tacit::audit {

/// ln of the mean of e^x over these.
inline double log_mean(std::span<const double> logs) {
  const double largest = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - largest);
  return largest + std::log(sum / static_cast<double>(logs.size()));
}

/// ln of the chance that has these log-odds.
inline double log_chance(double log_odds) {
  return log_odds >= 0 ? -std::log1p(std::exp(-log_odds))
                       : log_odds - std::log1p(std::exp(log_odds));
}

}  // namespace tacit::audit
