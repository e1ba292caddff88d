#include "tacit/indices/laplace_sum.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>

#include "tacit/core/check.hpp"
#include "tacit/core/log_gamma.hpp"
#include "tacit/indices/hybrid_noise_law.hpp"

namespace tacit::indices {
namespace {

long double polynomial(const std::vector<long double>& coefficients, long double x) {
  long double value = 0;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) value = value * x + *c;
  return value;
}

long double log_factorial(int n) { return log_gamma(static_cast<long double>(n) + 1); }

}  // namespace

LaplaceSum::LaplaceSum(int k) {
  check::at_least("LaplaceSum", "k", k, 1);
  const auto size = static_cast<std::size_t>(k);
  density_.resize(size);
  tail_.assign(size, 0);
  // density(x) = e^-x sum_{j<k} (k-1+j)!/((k-1)! (k-1-j)! j! 2^(k+j)) x^(k-1-j)
  for (int j = 0; j < k; ++j) {
    const long double log_coefficient = log_factorial(k - 1 + j) - log_factorial(k - 1) -
                                        log_factorial(k - 1 - j) - log_factorial(j) -
                                        (k + j) * std::numbers::ln2_v<long double>;
    density_.rbegin()[j] = std::exp(log_coefficient);
  }
  // The integral of e^-y y^m from x on is e^-x sum_{i<=m} m!/i! x^i.
  for (std::size_t m = 0; m < size; ++m) {
    long double factor = density_[m];
    for (std::size_t i = m + 1; i-- > 0;) {
      tail_[i] += factor;
      factor *= static_cast<long double>(i);
    }
  }
}

double LaplaceSum::log_tail(double x) const {
  return static_cast<double>(std::log(polynomial(tail_, x)) - x);
}

double LaplaceSum::hazard(double x) const {
  return static_cast<double>(polynomial(density_, x) / polynomial(tail_, x));
}

double LaplaceSum::upper_quantile(double level) const { return upper_quantile_of(*this, level); }

const LaplaceSumQuantiles& LaplaceSumQuantiles::up_to(int max_terms) {
  check::at_least("LaplaceSumQuantiles", "max_terms", max_terms, 1);
  static std::mutex mutex;
  static std::map<int, LaplaceSumQuantiles> tables;  // nodes stay where they are
  const std::lock_guard lock(mutex);
  auto found = tables.find(max_terms);
  if (found == tables.end()) {
    found = tables.emplace(max_terms, LaplaceSumQuantiles(max_terms)).first;
  }
  return found->second;
}

LaplaceSumQuantiles::LaplaceSumQuantiles(int max_terms) {
  for (int terms = 1; terms <= max_terms; ++terms) tables_.emplace_back(LaplaceSum(terms));
}

void NoiseAwareUcb::prepare_other_noise(const estimators::Running& e, State& state) const {
  if (shape_.kind() == privacy::Counter::kHybrid) {
    state.quantiles = &hybrid_quantiles(static_cast<Round>(e.noisy_n()));
  } else {
    state.terms = noise_in_terms(shape_, e);
  }
}

}  // namespace tacit::indices
