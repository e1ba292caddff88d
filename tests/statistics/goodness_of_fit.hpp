// Statistical tests with a declared error: a correct program fails one of them with probability at
// most `alpha`. Critical values are computed, not tuned; keys are fixed, so a verdict never
// flickers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>

namespace tacit::testing {

/// What a whole test program may spend on false alarms.
inline constexpr double kFamilyError = 1e-6;

/// Largest distance between a sample's distribution function and `cdf` (continuous).
template <class Cdf>
double ks_distance(std::vector<double> sample, Cdf cdf) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double p = cdf(sample[i]);
    const auto rank = static_cast<double>(i);
    distance = std::max({distance, p - rank / n, (rank + 1) / n - p});
  }
  return distance;
}

/// Dvoretzky-Kiefer-Wolfowitz with Massart's constant: exceeded with probability at most alpha.
inline double ks_critical(std::size_t n, double alpha) {
  return std::sqrt(std::log(2 / alpha) / (2 * static_cast<double>(n)));
}

/// Largest distance between two samples' distribution functions; ties are fine.
inline double ks_distance(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::size_t i = 0;
  std::size_t j = 0;
  double distance = 0;
  while (i < a.size() && j < b.size()) {
    const double x = std::min(a[i], b[j]);
    while (i < a.size() && a[i] == x) ++i;
    while (j < b.size() && b[j] == x) ++j;
    distance = std::max(distance, std::abs(static_cast<double>(i) / static_cast<double>(a.size()) -
                                           static_cast<double>(j) / static_cast<double>(b.size())));
  }
  return distance;
}

/// The two-sample bound of Wei & Dudley 2012 (constant 2.169 for equal sizes): exceeded with
/// probability at most alpha; for discrete laws with less.
inline double ks_two_sample_critical(std::size_t n, double alpha) {
  return std::sqrt(std::log(2.169 / alpha) / static_cast<double>(n));
}

/// The value that a standard normal exceeds in size with probability alpha.
inline double two_sided_z(double alpha) {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), alpha / 2));
}

/// Pearson's statistic of counts against probabilities that add up to 1.
inline double chi_square(const std::vector<std::int64_t>& counts,
                         const std::vector<double>& probabilities) {
  double total = 0;
  for (const auto c : counts) total += static_cast<double>(c);
  double statistic = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = total * probabilities[i];
    const double apart = static_cast<double>(counts[i]) - expected;
    statistic += apart * apart / expected;
  }
  return statistic;
}

inline double chi_square_critical(std::size_t cells, double alpha) {
  return boost::math::quantile(
      boost::math::complement(boost::math::chi_squared(static_cast<double>(cells - 1)), alpha));
}

}  // namespace tacit::testing
