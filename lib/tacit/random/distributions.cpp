#include "tacit/random/distributions.hpp"

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
template double beta(KeyedDraw&, double, double);
template double beta(SimulationStream&, double, double);
template Round binomial(KeyedDraw&, Round, double);
template Round binomial(SimulationStream&, Round, double);

}  // namespace tacit::random
