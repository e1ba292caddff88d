#include "tacit/problems/largest_beta.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/log1p.hpp>

// E max = integral of P(max > x) dx, taken over t with x = 1/(1 + e^-t): there both ends of [0, 1] are far away, and laws
// that crowd at either are as smooth as others. dx = x (1 - x) dt.
namespace tacit::problems {
namespace {

double x_at(double t) { return 1 / (1 + std::exp(-t)); }

/// P(max > x) = 1 - F^K, from the smaller of F and 1 - F: neither is lost beside 1.
double some_above(double below, double above, int count) {
  return -std::expm1(count * (below < 0.5 ? std::log(below) : std::log1p(-above)));
}

/// Where `holds`, which it does up to some point, ends.
template <class Holds>
double last_where(double low, double high, Holds holds) {
  constexpr int kHalvings = 40;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

/// By the incomplete beta function, between the points where P(max > x) is 1 and 0 but for rounding.
double by_distribution(double a, double b, int count) {
  const auto above = [&](double t) {
    namespace math = boost::math;
    if (t < 0) {
      return some_above(math::ibeta(a, b, x_at(t)), math::ibetac(a, b, x_at(t)), count);
    }
    return some_above(math::ibetac(b, a, x_at(-t)), math::ibeta(b, a, x_at(-t)), count);
  };
  // Beyond, x or 1 - x is e^-100: nothing beside 1e-15, the smallest mean.
  constexpr double kFar = 100;
  constexpr double kNothing = 1e-22;
  const double low = last_where(-kFar, kFar, [&](double t) { return above(t) == 1; });
  if (x_at(low) == 1) return 1;
  const double high = last_where(low, kFar, [&](double t) { return above(t) > kNothing; });
  constexpr unsigned kDepth = 15;
  const double rest = boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
      [&](double t) { return above(t) * x_at(t) * x_at(-t); }, low, high, kDepth, 1e-10);
  return std::min(x_at(low) + rest, 1.0);  // the last bit may be one too many
}

/// By the density, summed up from either end, for a and b so large that nearly all lies within a few deviations of the
/// mean: the incomplete beta function takes seconds there.
double by_density(double a, double b, int count) {
  constexpr double kDeviations = 14;
  constexpr std::size_t kSteps = 4096;  // twice that many values; Simpson's rule, on either
  const double mean = a / (a + b);
  const double variance = mean * (b / (a + b));
  const double half = kDeviations * std::sqrt(1 / a + 1 / b) / (2 * kSteps);  // half a step in t
  const auto ratio = [&](std::ptrdiff_t i) {  // (x - mean)/variance, at i half steps from the mean
    const double growth = std::expm1(half * static_cast<double>(i));
    return growth / (1 + mean * growth);
  };
  // x^a (1 - x)^b, as a multiple of its peak, which is at the mean; the terms of first order cancel.
  const auto density = [&](std::ptrdiff_t i) {
    const double r = ratio(i);
    return std::exp(a * boost::math::log1pmx(b / (a + b) * r) +
                    b * boost::math::log1pmx(-mean * r));
  };
  constexpr auto kEnd = static_cast<std::ptrdiff_t>(kSteps);
  std::vector<double> below(2 * kSteps + 1, 0.0);
  std::vector<double> above(2 * kSteps + 1, 0.0);
  std::vector<double> masses(2 * kSteps);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const std::ptrdiff_t at = 2 * (static_cast<std::ptrdiff_t>(i) - kEnd);
    masses[i] = density(at) + 4 * density(at + 1) + density(at + 2);
  }
  for (std::size_t i = 0; i < masses.size(); ++i) {
    below[i + 1] = below[i] + masses[i];
    above[masses.size() - 1 - i] = above[masses.size() - i] + masses[masses.size() - 1 - i];
  }
  // Relative to the mean: what is above it counts, what is below is taken off.
  double sum = 0;
  for (std::size_t i = 0; i < below.size(); ++i) {
    const std::ptrdiff_t at = 2 * (static_cast<std::ptrdiff_t>(i) - kEnd);
    const double larger = some_above(below[i] / below.back(), above[i] / above.front(), count);
    const double growth = std::exp(half * static_cast<double>(at));
    const double slope = growth / ((1 + mean * (growth - 1)) * (1 + mean * (growth - 1)));
    const bool end = i == 0 || i + 1 == below.size();
    sum += larger * slope * (end ? 1 : i % 2 == 1 ? 4 : 2);
  }
  return mean + variance * (ratio(-2 * kEnd) + sum * (2 * half) / 3);
}

}  // namespace

double expected_largest_beta(double a, double b, int count) {
  constexpr double kLarge = 1e4;
  return std::min(a, b) < kLarge ? by_distribution(a, b, count) : by_density(a, b, count);
}

}  // namespace tacit::problems
