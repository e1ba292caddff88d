#include "statistics/goodness_of_fit.hpp"

#include <cmath>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>

namespace tacit::testing {

double ks_critical(std::size_t n, double alpha) {
  return std::sqrt(std::log(2 / alpha) / (2 * static_cast<double>(n)));
}

double ks_distance(std::vector<double> a, std::vector<double> b) {
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

double ks_two_sample_critical(std::size_t n, double alpha) {
  return std::sqrt(std::log(2.169 / alpha) / static_cast<double>(n));
}

double two_sided_z(double alpha) {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), alpha / 2));
}

double chi_square(const std::vector<std::int64_t>& counts,
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

double chi_square_critical(std::size_t cells, double alpha) {
  return boost::math::quantile(
      boost::math::complement(boost::math::chi_squared(static_cast<double>(cells - 1)), alpha));
}

double most_successes(std::int64_t trials, double chance, double alpha) {
  using RoundUp = boost::math::policies::policy<
      boost::math::policies::discrete_quantile<boost::math::policies::integer_round_up>>;
  using Law = boost::math::binomial_distribution<double, RoundUp>;
  if (chance >= 1) return static_cast<double>(trials);
  return boost::math::quantile(
      boost::math::complement(Law(static_cast<double>(trials), chance), alpha));
}

}  // namespace tacit::testing
