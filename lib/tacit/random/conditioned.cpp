#include "tacit/random/conditioned.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/random/distributions.hpp"

namespace tacit::random {
template <SimulatedRandomness G>
double normal_above(G& generator, double z) {
  if (z <= 0) {
    for (;;) {
      const double x = standard_normal(generator);
      if (x >= z) return x;
    }
  }
  const double rate = (z + std::sqrt(z * z + 4)) / 2;
  for (;;) {
    const double x = z + exponential(generator, 1 / rate);
    if (2 * exponential(generator, 1) >= (x - rate) * (x - rate)) return x;
  }
}

template <SimulatedRandomness G>
double beta_between(G& generator, double a, double b, double low, double high) {
  const double n = a + b;
  const double mode = n > 0 ? a / n : 0.5;
  const double pivot = std::clamp(mode, low, high);
  // One-sided where the mode is an end: a density that falls from 0, or rises to 1, has a slope there.
  const double slope =
      mode > low && mode < high ? 0 : (a > 0 ? a / pivot : 0) - (b > 0 ? b / (1 - pivot) : 0);
  const double rate = std::abs(slope);
  const double width = high - low;
  const double deviation = std::sqrt((a + 1) * (b + 1) / (n + 3)) / (n + 2);
  if (rate * deviation < 1 && width > 2 * deviation) {
    const GammaAtLeastOne successes(1 + a);
    const GammaAtLeastOne failures(1 + b);
    for (;;) {
      const double g = successes(generator);
      const double x = g / (g + failures(generator));
      if (x >= low && x < high) return x;
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
    const double moved = x - pivot;
    const double v = uniform_open(generator);
    // Between x and the pivot the log density bends by no more than that, and e^-x >= 1 - x: no logarithm, most often.
    const double nearest_0 = std::min(x, pivot);
    const double nearest_1 = 1 - std::max(x, pivot);
    const double bend = a / (nearest_0 * nearest_0) + b / (nearest_1 * nearest_1);
    if (v <= 1 - 0.5 * bend * moved * moved) return x;
    const double log_accept = (a > 0 ? a * std::log1p(moved / pivot) : 0) +
                              (b > 0 ? b * std::log1p(-moved / (1 - pivot)) : 0) - slope * moved;
    if (std::log(v) <= log_accept) return x;
  }
}

template double normal_above(KeyedDraw&, double);
template double normal_above(SimulationStream&, double);
template double beta_between(KeyedDraw&, double, double, double, double);
template double beta_between(SimulationStream&, double, double, double, double);

}  // namespace tacit::random
