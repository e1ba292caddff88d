#include "tacit/indices/shifted_beta.hpp"

#include <algorithm>
#include <cmath>

namespace tacit::indices {

double ShiftedBeta::deviation(const State& s, const Clock& clock) const noexcept {
  const double m = mean(s, clock);
  return std::sqrt(m * (1 - m) / (s.n + 3));
}

double ShiftedBeta::log_below(const State& s, const Clock& clock, double y) const noexcept {
  return y < 1 ? law(s, clock).log_below(y) : 0;
}

void ShiftedBeta::log_below(const State& s, const Clock& clock, std::span<const double> points,
                            std::span<double> results) const noexcept {
  law(s, clock).log_below(points, results);
}

BetaLaw ShiftedBeta::law(const State& s, const Clock& clock) const noexcept {
  const double q = p(s, clock);
  return {q * s.n, (1 - q) * s.n};
}

double ShiftedBeta::rough_log_below(const State& s, const Clock& clock, double y) const noexcept {
  const double q = p(s, clock);
  if (q <= 0 || q >= 1 || y >= 1) return log_below(s, clock, y);
  // A normal law has about the same tails at the same Kullback-Leibler distance.
  const double distance = (q * std::log(q / y) + (1 - q) * std::log((1 - q) / (1 - y))) * s.n;
  const double z = std::sqrt(std::max(0.0, distance));
  if (y >= q) return std::log1p(-0.5 * std::erfc(z));
  return z < 5 ? std::log(0.5 * std::erfc(z)) : -distance - std::log(3.5 * z);
}

}  // namespace tacit::indices
