#include "tacit/privacy/gaussian.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <boost/math/special_functions/erf.hpp>

namespace tacit::privacy {
namespace {

double normal_cdf(double x) { return 0.5 * boost::math::erfc(-x / std::numbers::sqrt2); }

/// e^shift * P(N > x) for x > 0, without overflow where e^shift alone would be infinite.
double shifted_upper_tail(double shift, double x) {
  const double z = x / std::numbers::sqrt2;
  if (z < 20) return 0.5 * std::exp(shift) * boost::math::erfc(z);
  // erfc(z) = exp(-z^2)/(z sqrt(pi)) (1 - 1/(2 z^2) + 3/(4 z^4) - ...): 1e-12 relative at z = 20.
  const double inverse = 1 / (2 * z * z);
  const double series = 1 - inverse * (1 - 3 * inverse * (1 - 5 * inverse));
  return 0.5 * std::exp(shift - z * z) * series / (z * std::sqrt(std::numbers::pi));
}

/// The root of a decreasing function, by bisection on a logarithmic scale after bracketing.
template <class F>
double decreasing_root(F excess, double start) {
  double low = start;
  double high = start;
  while (excess(high) > 0) high *= 2;
  while (excess(low) <= 0 && low > 1e-300) low /= 2;
  for (int i = 0; i < 200 && high / low - 1 > 1e-15; ++i) {
    const double middle = std::sqrt(low * high);
    (excess(middle) > 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace

double gaussian_delta(double epsilon, double sigma, double l2) {
  check::within("gaussian_delta", "epsilon", epsilon, 0, 1e300);
  check::positive("gaussian_delta", "sigma", sigma);
  check::positive("gaussian_delta", "l2", l2);
  const double half = l2 / (2 * sigma);
  const double drift = epsilon * sigma / l2;
  return normal_cdf(half - drift) - shifted_upper_tail(epsilon, half + drift);
}

double gaussian_sigma(double epsilon, double delta, double l2) {
  check::positive("gaussian_sigma", "epsilon", epsilon);
  check::strictly_within("gaussian_sigma", "delta", delta, 0, 1);
  check::positive("gaussian_sigma", "l2", l2);
  return decreasing_root([=](double sigma) { return gaussian_delta(epsilon, sigma, l2) - delta; },
                         l2 / epsilon);
}

double gaussian_epsilon(double sigma, double delta, double l2) {
  if (gaussian_delta(0, sigma, l2) <= delta) return 0;
  return decreasing_root([=](double epsilon) { return gaussian_delta(epsilon, sigma, l2) - delta; },
                         l2 / sigma);
}

Loss Gaussian::loss(const Sensitivity& sensitivity) const {
  return {.epsilon = gaussian_epsilon(sigma_, delta_, sensitivity.l2),
          .delta = delta_,
          .mechanism = fmt::format("Gaussian(sigma {:.6g})", sigma_)};
}

}  // namespace tacit::privacy
