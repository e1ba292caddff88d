#include "tacit/random/conditioned.hpp"

#include <cmath>

#include "tacit/random/distributions.hpp"

namespace tacit::random {
namespace {

double log_density(double a, double b, double x) {
  return (a > 0 ? a * std::log(x) : 0) + (b > 0 ? b * std::log1p(-x) : 0);
}

}  // namespace

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
double beta_above(G& generator, double a, double b, double y) {
  if (y > 0) {
    const double slope = b / (1 - y) - a / y;
    const double n = a + b + 2;
    const double deviation = std::sqrt((1 + a) * (1 + b) / (n + 1)) / n;
    constexpr double kSteep =
        0.5;  // falls by so much within a deviation: the tangent is close enough
    if (slope * deviation > kSteep) return beta_tail(generator, a, b, y);
    if (slope <= 0 && a * (1 - y) < 1) {
      const double highest = log_density(a, b, a + b > 0 ? a / (a + b) : 1);
      for (;;) {
        const double x = y + (1 - y) * uniform_open(generator);
        if (x < 1 && std::log(uniform_open(generator)) <= log_density(a, b, x) - highest) return x;
      }
    }
  }
  const GammaAtLeastOne successes(1 + a);
  const GammaAtLeastOne failures(1 + b);
  for (;;) {
    const double g = successes(generator);
    const double x = g / (g + failures(generator));
    if (x >= y) return x;
  }
}

template double normal_above(KeyedDraw&, double);
template double normal_above(SimulationStream&, double);
template double beta_above(KeyedDraw&, double, double, double);
template double beta_above(SimulationStream&, double, double, double);

}  // namespace tacit::random
