// How often an upper confidence bound fails to cover the mean, computed rather than simulated.
//
// An index that grows with the sum it is given fails exactly when the sum is below some threshold. The
// sum is that of n coins plus independent noise, so the failure probability is a binomial average of
// the noise's distribution function.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace tacit::testing {

/// The law of a sum of k independent Laplace(1) variables, by a race between two clocks.
///
/// A Laplace(1) is the difference of two exponentials, so the sum is G - G' with G and G' the times at
/// which two Poisson clocks of rate 1 ring for the k-th time. When the second clock gets there, the
/// first lacks j rings with probability w_j = C(2k-j-1, k-1)/2^(2k-j) (fair coins); it then needs more
/// than x if it rings at most j-1 times within x. All terms are positive: nothing cancels.
class LaplaceRace {
 public:
  explicit LaplaceRace(int k) : lacks_more_(static_cast<std::size_t>(k)) {
    long double w = std::ldexp(1.0L, -k);  // j = k: the second clock rings k times in a row
    long double sum = 0;
    for (int j = k; j >= 1; --j) {
      sum += w;
      lacks_more_[static_cast<std::size_t>(j - 1)] = sum;
      w *= static_cast<long double>(2 * k - j) / static_cast<long double>(2 * (k - j + 1));
    }
  }

  /// P(X > x) for x >= 0.
  long double tail(long double x) const {
    long double rings = std::exp(-x);  // P(i rings within x)
    long double total = 0;
    for (std::size_t i = 0; i < lacks_more_.size(); ++i) {
      total += rings * lacks_more_[i];
      rings *= x / static_cast<long double>(i + 1);
    }
    return total;
  }

  /// P(X < x) for any x.
  double below(double x) const { return static_cast<double>(x < 0 ? tail(-x) : 1 - tail(x)); }

 private:
  std::vector<long double> lacks_more_;  // [i]: P(the first clock lacks more than i rings)
};

inline double normal_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

inline double binomial_chance(int n, int successes, double p) {
  return std::exp(std::lgamma(n + 1.0) - std::lgamma(successes + 1.0) -
                  std::lgamma(n - successes + 1.0) + successes * std::log(p) +
                  (n - successes) * std::log1p(-p));
}

/// P(index(sum) < mean) for the sum of n Bernoulli(mean) coins, without noise.
template <class Index>
double failure_without_noise(Index index, int n, double mean) {
  double failure = 0;
  for (int k = 0; k <= n; ++k) {
    if (index(static_cast<double>(k)) < mean) failure += binomial_chance(n, k, mean);
  }
  return failure;
}

/// The same for a sum with noise, given P(noise < x).
template <class Index, class Below>
double failure(Index index, int n, double mean, Below below) {
  // The sum at which the index reaches the mean, between ever wider brackets.
  double width = 1;
  while (index(n * mean - width) >= mean || index(n * mean + width) < mean) width *= 2;
  double low = n * mean - width;
  double high = n * mean + width;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (index(middle) < mean ? low : high) = middle;
  }
  constexpr double kNegligible = 1e-20;
  double sum = 0;
  for (int k = 0; k <= n; ++k) {
    const double chance = binomial_chance(n, k, mean);
    if (chance > kNegligible) sum += chance * below(high - k);
  }
  return sum;
}

}  // namespace tacit::testing
