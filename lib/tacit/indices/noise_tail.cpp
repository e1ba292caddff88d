#include "tacit/indices/noise_tail.hpp"

namespace tacit::indices {

double chernoff_laplace(double r, double level) {
  if (level <= 0) return 0;
  // The derivative vanishes where f(u) = 2 r u/(1-u) + r ln(1-u) - level does, u = lambda^2. f is convex and
  // increasing, and not negative at level/(level + r): Newton from there descends to the root.
  double u = level / (level + r);
  for (int i = 0; i < 50; ++i) {
    const double left = 1 - u;
    const double f = 2 * r * u / left + r * std::log1p(-u) - level;
    const double step = f / (2 * r / (left * left) - r / left);
    if (!(step > 1e-14 * u)) break;
    u -= step;
  }
  return (level - r * std::log1p(-u)) / std::sqrt(u);
}

}  // namespace tacit::indices
