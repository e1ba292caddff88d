#include "tacit/random/distributions.hpp"

#include <algorithm>

#include <boost/random/binomial_distribution.hpp>
#include <boost/random/normal_distribution.hpp>

namespace tacit::random {

template <SimulatedRandomness G>
double standard_normal(G& generator) {
  return boost::random::normal_distribution<double>()(generator);
}

template <SimulatedRandomness G>
double GammaAtLeastOne::operator()(G& generator) const noexcept {
  for (;;) {
    const double x = standard_normal(generator);
    const double root = 1.0 + c_ * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double u = uniform_open(generator);
    const double x2 = x * x;
    if (u < 1.0 - 0.0331 * x2 * x2) return d_ * v;
    if (std::log(u) < 0.5 * x2 + d_ * (1.0 - v + std::log(v))) return d_ * v;
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

template <SimulatedRandomness G>
double beta(G& generator, double a, double b) {
  const auto gamma = [&generator](double shape) {
    if (shape >= 1) return GammaAtLeastOne(shape)(generator);
    return GammaAtLeastOne(shape + 1)(generator) * std::pow(uniform_open(generator), 1.0 / shape);
  };
  const double x = gamma(a);
  const double y = gamma(b);
  return x + y > 0 ? x / (x + y) : (bernoulli(generator, a / (a + b)) ? 1.0 : 0.0);
}

template <SimulatedRandomness G>
Round binomial(G& generator, Round trials, double p) {
  if (trials == 0 || p <= 0) return 0;
  if (p >= 1) return trials;
  if (trials == 1) return bernoulli(generator, p) ? 1 : 0;
  return boost::random::binomial_distribution<Round, double>(trials, p)(generator);
}

template double standard_normal(KeyedDraw&);
template double standard_normal(SimulationStream&);
template double GammaAtLeastOne::operator()(KeyedDraw&) const noexcept;
template double GammaAtLeastOne::operator()(SimulationStream&) const noexcept;
template double beta_between(KeyedDraw&, double, double, double, double);
template double beta_between(SimulationStream&, double, double, double, double);
template double beta(KeyedDraw&, double, double);
template double beta(SimulationStream&, double, double);
template Round binomial(KeyedDraw&, Round, double);
template Round binomial(SimulationStream&, Round, double);

}  // namespace tacit::random
