#include "tacit/theory/tails.hpp"

#include <algorithm>
#include <cmath>

namespace tacit::theory {

double laplace_rate(double y) {
  const double s = std::sqrt(1 + y * y);
  return s - 1 - std::log1p((s - 1) / 2);
}

double stray_rounds(Round horizon) {
  // For fixed n the probability falls with t, and for fixed t with n (I(y)/y^2 falls with y): each dyadic block
  // is bounded by its first round and its first n.
  double total = 0;
  for (Round t = 1; t <= horizon; t *= 2) {
    const double log_t = std::log(static_cast<double>(t));
    double chance = 0;
    for (Round n = 1; n <= t; n *= 2) {
      const double count = static_cast<double>(n);
      chance += count * 2 * std::exp(-count * laplace_rate(std::sqrt(24 * log_t / count)));
    }
    total += static_cast<double>(std::min(t, horizon - t + 1)) * std::min(1.0, chance);
  }
  return total;
}

}  // namespace tacit::theory
