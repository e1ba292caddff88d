#include "tacit/theory/hybrid_noise.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>

#include "tacit/core/check.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/privacy/counter_noise.hpp"

namespace tacit::theory {

double hybrid_density_at_0(Round n) {
  check::at_least("hybrid_density_at_0", "n", n, 1);
  const privacy::HybridParts parts = privacy::hybrid_parts(n);
  const int k = parts.levels;
  const int p = parts.nodes;
  // u = tan(x)/2: 1/(2 pi) times the integral of cos^(2k) x (1 + k^2 tan^2 x)^-p over 0 < x < pi/2.
  constexpr int kSteps = 4096;
  double sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = i * std::numbers::pi / 2 / kSteps;
    const double cosine = std::max(0.0, std::cos(x));
    const double square = cosine * cosine;
    const double value = std::pow(square, k + p) / std::pow(square + k * k * (1 - square), p);
    sum += i == 0 || i == kSteps ? value / 2 : value;
  }
  return sum * (std::numbers::pi / 2 / kSteps) / (2 * std::numbers::pi);
}

double hybrid_constant(Round n, Round raw) {
  const double spread = std::pow(std::log(static_cast<double>(n + raw)), 1.5);
  return 1 / (2 * hybrid_density_at_0(n) * spread);
}

double hybrid_constant_from(Round first, Round raw) {
  check::at_least("hybrid_constant_from", "first", first, 1);
  if (!std::has_single_bit(static_cast<std::uint64_t>(first))) {
    throw InvalidParameter("hybrid_constant_from", "first", std::to_string(first),
                           "must be a power of two");
  }
  double largest = 0;
  for (int k = 0; k < 53; ++k) {
    const Round power = Round{1} << k;
    for (int p = 0; p <= k; ++p) {
      const Round n = power + (Round{1} << p) - 1;  // the smallest with these
      if (n >= first) largest = std::max(largest, hybrid_constant(n, raw));
    }
  }
  return largest;
}

}  // namespace tacit::theory
