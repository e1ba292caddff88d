#include "tacit/indices/laplace_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>

#include "tacit/core/check.hpp"
#include "tacit/core/log_gamma.hpp"

namespace tacit::indices {
namespace {

// The table's grid in ln t: from ln 2, below which every quantile is 0, past ln 2^53 = 36.7.
constexpr double kFirst = std::numbers::ln2;
constexpr double kStep = 0.05;
constexpr int kKnots = 725;

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

double LaplaceSum::upper_quantile(double level) const {
  if (level <= std::numbers::ln2) return 0;
  // -log_tail is convex and increasing (the density is log-concave), so Newton from the right
  // descends to the root; one step from any point on the left lands on the right.
  double x = level;
  for (int i = 0; i < 200; ++i) {
    const double step = (-log_tail(x) - level) / hazard(x);
    x = std::max(0.0, x - step);
    if (std::abs(step) <= 1e-13 * (1 + x)) break;
  }
  return x;
}

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
  for (int terms = 1; terms <= max_terms; ++terms) {
    const LaplaceSum law(terms);
    std::vector<Knot>& knots = knots_.emplace_back();
    for (int i = 0; i <= kKnots; ++i) {
      const double x = law.upper_quantile(kFirst + i * kStep);
      knots.push_back({x, 1 / law.hazard(x)});
    }
  }
}

double LaplaceSumQuantiles::at(int terms, double log_t) const noexcept {
  if (log_t <= kFirst) return 0;
  const double position = (log_t - kFirst) / kStep;
  const auto i = static_cast<std::size_t>(position);
  const double u = position - static_cast<double>(i);
  const std::vector<Knot>& knots = knots_[static_cast<std::size_t>(terms - 1)];
  const Knot& left = knots[i];
  const Knot& right = knots[i + 1];
  const double v = 1 - u;
  return left.value * v * v * (1 + 2 * u) + right.value * u * u * (1 + 2 * v) +
         kStep * u * v * (left.slope * v - right.slope * u);
}

NoiseAwareUcb::State NoiseAwareUcb::prepare(const estimators::Estimate& e) const {
  if (e.n == 0) return {};
  const double terms = quantiles_ != nullptr ? e.noises : noise_in_terms(shape_, e);
  return {e.mean(), 1 / e.n, std::sqrt(2 / e.n), terms};
}

double NoiseAwareUcb::value(const State& s, const Clock& clock) const noexcept {
  if (s.inverse_n == 0) return std::numeric_limits<double>::infinity();
  const double tail = quantiles_ != nullptr ? quantiles_->at(static_cast<int>(s.terms), clock.log_t)
                                            : tail_of_other_noise(shape_, s.terms, clock.log_t);
  return s.mean + s.a * clock.sqrt_log_t + scale_ * tail * s.inverse_n;
}

}  // namespace tacit::indices
