#include "tacit/random/conditioned.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/random/distributions.hpp"

namespace tacit::random {
namespace {

/// A point of [0, 1] by how far it is from either end: near 1, one double would say little of what is left.
struct Point {
  double from_0;
  double from_1;
};

/// x^exponent is 1 to the last bit for every double x > 0: ln x is -745 or more.
constexpr double kNoExponent = 1e-20;

}  // namespace

template <SimulatedRandomness G>
double normal_above(G& generator, double z) {
  if (z <= 0) {
    for (;;) {
      const double x = standard_normal(generator);
      if (x >= z) return x;
    }
  }
  if (!std::isfinite(z)) return z;  // nothing is above it, or it is not a number
  constexpr double kFar =
      1e8;  // there the square is the root's square to the last bit, and no square can overflow
  const double rate = z < kFar ? (z + std::sqrt(z * z + 4)) / 2 : z;
  for (;;) {
    const double x = z + exponential(generator, 1 / rate);
    if (2 * exponential(generator, 1) >= (x - rate) * (x - rate)) return x;
  }
}

template <SimulatedRandomness G>
double beta_between(G& generator, double a, double b, double low, double high) {
  const double width = high - low;
  if (!(width > 0)) return low;  // too close for doubles to tell them apart
  if (a < kNoExponent) a = 0;
  if (b < kNoExponent) b = 0;
  const double n = a + b;
  if (!std::isfinite(n)) return std::numeric_limits<double>::quiet_NaN();
  const Point mode = n > 0 ? Point{a / n, b / n} : Point{0.5, 0.5};
  // Whatever rounding makes of a mode next to an end: where a density is 0, its mode is not.
  const bool rises = low == 0 ? a > 0 : mode.from_0 > low;
  const bool falls = high == 1 ? b > 0 : mode.from_0 < high;
  const bool inside = rises && falls;
  const Point pivot = inside ? mode : rises ? Point{high, 1 - high} : Point{low, 1 - low};
  // One-sided where the mode is an end: a density that falls from 0, or rises to 1, has a slope there.
  const double slope = inside ? 0 : (a > 0 ? a / pivot.from_0 : 0) - (b > 0 ? b / pivot.from_1 : 0);
  const double rate = std::abs(slope);
  const double deviation = std::sqrt((a + 1) * (b + 1) / (n + 3)) / (n + 2);
  if (rate * deviation < 1 && width > 2 * deviation) {
    const GammaAtLeastOne successes(1 + a);
    const GammaAtLeastOne failures(1 + b);
    for (;;) {
      const double g = successes(generator);
      const double x = g / (g + failures(generator));
      if (x >= low && (x < high || high == 1)) return x;
    }
  }
  const double beyond = std::expm1(-rate * width);
  for (;;) {
    const double u = uniform_open(generator);
    double x = low + u * width;
    if (rate > 0) {
      const double distance = -std::log1p(u * beyond) / rate;
      x = slope < 0 ? low + distance : high - distance;
    }
    const Point moved{x - pivot.from_0, (1 - x) - pivot.from_1};
    const double v = uniform_open(generator);
    // Between x and the pivot the log density bends by no more than that, and e^-x >= 1 - x: no logarithm, most often.
    const double nearest_0 = std::min(x, pivot.from_0);
    const double nearest_1 = std::min(1 - x, pivot.from_1);
    const double bend =
        (a > 0 ? a / (nearest_0 * nearest_0) : 0) + (b > 0 ? b / (nearest_1 * nearest_1) : 0);
    if (moved.from_0 == 0 || v <= 1 - 0.5 * bend * moved.from_0 * moved.from_0) return x;
    const double log_accept = (a > 0 ? a * std::log1p(moved.from_0 / pivot.from_0) : 0) +
                              (b > 0 ? b * std::log1p(moved.from_1 / pivot.from_1) : 0) -
                              slope * moved.from_0;
    if (std::log(v) <= log_accept) return x;
  }
}

template double normal_above(KeyedDraw&, double);
template double normal_above(SimulationStream&, double);
template double beta_between(KeyedDraw&, double, double, double, double);
template double beta_between(SimulationStream&, double, double, double, double);

}  // namespace tacit::random
