#include "tacit/privacy/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <boost/math/special_functions/erf.hpp>

namespace tacit::privacy {
namespace {

double normal_cdf(double x) { return 0.5 * boost::math::erfc(-x / std::numbers::sqrt2); }

/// e^shift * P(N > x) for x > 0, without overflow where e^shift alone would be infinite. `exponent` is shift - x^2/2: who
/// knows the two as a product knows it where they cancel.
double shifted_upper_tail(double shift, double x, double exponent) {
  const double z = x / std::numbers::sqrt2;
  if (z < 20) return 0.5 * std::exp(shift) * boost::math::erfc(z);
  // erfc(z) = exp(-z^2)/(z sqrt(pi)) (1 - 1/(2 z^2) + 3/(4 z^4) - ...): 1e-12 relative at z = 20.
  const double inverse = 1 / (2 * z * z);
  const double series = 1 - inverse * (1 - 3 * inverse * (1 - 5 * inverse));
  return 0.5 * std::exp(exponent) * series / (z * std::sqrt(std::numbers::pi));
}

/// The root of a decreasing function, by bisection on a logarithmic scale after bracketing; 0 where it is nowhere above 0.
template <class F>
double decreasing_root(F excess, double start) {
  double low = start;
  double high = start;
  while (excess(high) > 0) high *= 2;
  while (excess(low) <= 0 && low > 1e-300) low /= 2;
  if (excess(low) <= 0) return 0;
  for (int i = 0; i < 200 && high / low - 1 > 1e-15; ++i) {
    const double product = low * high;
    const double middle =
        std::isnormal(product) ? std::sqrt(product) : std::sqrt(low) * std::sqrt(high);
    (excess(middle) > 0 ? low : high) = middle;
  }
  return high;
}

/// Balle & Wang's formula.
double delta_of(double epsilon, double sigma, double l2) {
  const double half = l2 / (2 * sigma);
  const double drift = epsilon * sigma / l2;
  const double apart = half - drift;
  // epsilon = 2 half drift, and so epsilon - (half + drift)^2/2 = -(half - drift)^2/2.
  return normal_cdf(apart) - shifted_upper_tail(epsilon, half + drift, -apart * apart / 2);
}

}  // namespace

double gaussian_delta(double epsilon, double sigma, double l2) {
  check::within("gaussian_delta", "epsilon", epsilon, 0, 1e300);
  check::positive("gaussian_delta", "sigma", sigma);
  check::positive("gaussian_delta", "l2", l2);
  return delta_of(epsilon, sigma, l2);
}

double gaussian_sigma(double epsilon, double delta, double l2) {
  check::positive("gaussian_sigma", "epsilon", epsilon);
  check::strictly_within("gaussian_sigma", "delta", delta, 0, 1);
  check::positive("gaussian_sigma", "l2", l2);
  return decreasing_root([=](double sigma) { return delta_of(epsilon, sigma, l2) - delta; },
                         l2 / epsilon);
}

double gaussian_epsilon(double sigma, double delta, double l2) {
  if (gaussian_delta(0, sigma, l2) <= delta) return 0;
  return decreasing_root([=](double epsilon) { return delta_of(epsilon, sigma, l2) - delta; },
                         l2 / sigma);
}

double classic_gaussian_sigma(double epsilon, double delta, double l2) {
  check::strictly_within("classic_gaussian_sigma", "epsilon", epsilon, 0, 1);
  check::strictly_within("classic_gaussian_sigma", "delta", delta, 0, 1);
  check::positive("classic_gaussian_sigma", "l2", l2);
  return detail::classic_sigma_unchecked(epsilon, delta, l2);
}

double detail::classic_sigma_unchecked(double epsilon, double delta, double l2) {
  return l2 * std::sqrt(2 * std::log(1.25 / delta)) / epsilon;
}

double discrete_gaussian_delta(double epsilon, double variance, double l2, double entries) {
  check::within("discrete_gaussian_delta", "variance", variance, 0x1p46, 0x1p50);
  const double sigma = std::sqrt(variance);
  const double half = l2 / (2 * sigma);
  const double drift = epsilon * sigma / l2;
  const double cell = std::sqrt(entries) / (2 * sigma);
  const double far = half + drift + cell;
  const double z = far / std::numbers::sqrt2;
  return normal_cdf(half - drift + cell) - shifted_upper_tail(epsilon, far, epsilon - z * z) +
         entries / variance;
}

Gaussian::Gaussian(double sigma, double delta, Arithmetic arithmetic)
    : sigma_(check::positive("Gaussian", "sigma", sigma)),
      delta_(check::strictly_within("Gaussian", "delta", delta, 0, 1)),
      arithmetic_(arithmetic) {
  if (arithmetic == Arithmetic::kIdealised) return;
  grid_ = grid_for(sigma);
  check_delta(1);  // one entry moves at least
}

Grid Gaussian::grid_for(double sigma) {
  constexpr double kPaysForTheGrid = 1 + 1e-4;
  constexpr int kFineness = 24;  // sigma in 2^23 to 2^24 steps, its square below 2^50
  if (!(sigma >= 0x1p-26 && sigma <= 0x1p10)) {
    throw InvalidParameter("exact Gaussian noise", "sigma", fmt::format("{}", sigma),
                           "must be from 2^-26 to 1024; above, the grid would cost more than the "
                           "epsilon that sigma was chosen for");
  }
  int exponent = 0;
  std::frexp(sigma, &exponent);
  const int bits = kFineness - exponent;
  const double in_steps = std::ldexp(sigma, bits) * kPaysForTheGrid;
  return {bits, static_cast<std::uint64_t>(std::ceil(in_steps * in_steps))};
}

void Gaussian::check_delta(double entries) const {
  const double smallest = 2000 * entries / static_cast<double>(grid_.scale);
  if (delta_ >= smallest) return;
  throw InvalidParameter("exact Gaussian noise", "delta", fmt::format("{}", delta_),
                         fmt::format("must be at least {:.2g}", smallest));
}

Loss Gaussian::loss(const Sensitivity& s) const {
  if (arithmetic_ == Arithmetic::kIdealised) {
    return {.epsilon = gaussian_epsilon(sigma_, delta_, s.l2()),
            .delta = delta_,
            .mechanism = fmt::format("Gaussian(sigma {:.6g})", sigma_)};
  }
  // Cutting to the grid moves an entry by a whole number of steps, so the L2 sensitivity is that of
  // entries that move by linf, rounded up to whole ones.
  const auto variance = static_cast<double>(grid_.scale);
  const double l2 =
      std::ldexp(std::max(s.l2(), std::ceil(s.linf()) * std::sqrt(s.l0())), grid_.bits);
  check_delta(s.l0());
  return {.epsilon = decreasing_root(
              [&](double e) { return discrete_gaussian_delta(e, variance, l2, s.l0()) - delta_; },
              l2 / std::sqrt(variance)),
          .delta = delta_,
          .mechanism = fmt::format("discrete Gaussian(sigma {:.6g}, steps of 2^-{})",
                                   std::ldexp(std::sqrt(variance), -grid_.bits), grid_.bits),
          .arithmetic = Arithmetic::kExact};
}

}  // namespace tacit::privacy
