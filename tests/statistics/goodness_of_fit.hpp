// Statistical tests with a declared error: a correct program fails one of them with probability at
// most `alpha`. Critical values are computed, not tuned; keys are fixed, so a verdict never
// flickers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

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
double ks_critical(std::size_t n, double alpha);

/// Largest distance between two samples' distribution functions; ties are fine.
double ks_distance(std::vector<double> a, std::vector<double> b);

/// The two-sample bound of Wei & Dudley 2012 (constant 2.169 for equal sizes): exceeded with
/// probability at most alpha; for discrete laws with less.
double ks_two_sample_critical(std::size_t n, double alpha);

/// The value that a standard normal exceeds in size with probability alpha.
double two_sided_z(double alpha);

/// Pearson's statistic of counts against probabilities that add up to 1.
double chi_square(const std::vector<std::int64_t>& counts,
                  const std::vector<double>& probabilities);

double chi_square_critical(std::size_t cells, double alpha);

/// What a Binomial(trials, chance) exceeds with probability at most alpha.
double most_successes(std::int64_t trials, double chance, double alpha);

}  // namespace tacit::testing
