#include "tacit/accounting/composition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/special_functions/gamma.hpp>

#include "tacit/core/check.hpp"

namespace tacit::accounting {
namespace {

constexpr double kLargest = 1e300;

void check_cost(const char* function, const Cost& cost) {
  check::within(function, "epsilon", cost.epsilon, 0, kLargest);
  check::within(function, "delta", cost.delta, 0, 1);
}

/// The end at which `holds` is true of an interval on which it changes once, to the last bit.
template <class Predicate>
double boundary(double fails, double succeeds, Predicate holds) {
  for (;;) {
    const double middle = std::midpoint(fails, succeeds);
    if (middle == fails || middle == succeeds) return succeeds;
    (holds(middle) ? succeeds : fails) = middle;
  }
}

/// The delta of n randomised responses of this epsilon. All terms are positive, so nothing cancels; they
/// are summed outwards from the largest, whose logarithm is the only one that is needed. In long double,
/// because ln n! is about 1e7 at n = 1e6 and its rounding error is a relative one of the result.
double response_delta(double each, std::int64_t n, double epsilon) {
  if (epsilon >= static_cast<double>(n) * each) return 0;
  using Real = long double;
  const Real eps = each;
  const auto loss = [=](std::int64_t l) { return static_cast<Real>(2 * l - n) * eps; };
  const auto kept = [=](std::int64_t l) {
    return std::max<Real>(0, -std::expm1(static_cast<Real>(epsilon) - loss(l)));
  };
  const auto lowest =
      std::clamp<std::int64_t>((n + static_cast<std::int64_t>(epsilon / each)) / 2, 0, n);
  const auto mode = static_cast<std::int64_t>(static_cast<Real>(n) / (1 + std::exp(-eps)));
  const std::int64_t start = std::clamp(mode, lowest, n);

  const auto log_factorial = [](std::int64_t k) {
    return boost::math::lgamma(static_cast<Real>(k) + 1);
  };
  const Real log_start = log_factorial(n) - log_factorial(start) - log_factorial(n - start) -
                         static_cast<Real>(n - start) * eps -
                         static_cast<Real>(n) * std::log1p(std::exp(-eps));
  const Real at_start = std::exp(log_start);
  const Real odds = std::exp(eps);
  constexpr Real kNegligible = 1e-24L;

  Real sum = at_start * kept(start);
  Real mass = at_start;
  for (std::int64_t l = start; l < n && mass > kNegligible * sum; ++l) {
    mass *= static_cast<Real>(n - l) / static_cast<Real>(l + 1) * odds;
    sum += mass * kept(l + 1);
  }
  mass = at_start;
  for (std::int64_t l = start; l > lowest && mass > kNegligible * sum; --l) {
    mass *= static_cast<Real>(l) / (static_cast<Real>(n - l + 1) * odds);
    sum += mass * kept(l - 1);
  }
  return static_cast<double>(sum);
}

/// The probability that at least one of n releases fails altogether.
double failure(double delta, std::int64_t n) {
  return -std::expm1(static_cast<double>(n) * std::log1p(-delta));
}

}  // namespace

Cost basic_composition(const Cost& each, std::int64_t releases) {
  check_cost("basic_composition", each);
  check::at_least("basic_composition", "releases", releases, 0);
  const auto n = static_cast<double>(releases);
  return {.epsilon = n * each.epsilon, .delta = std::min(1.0, n * each.delta)};
}

Cost basic_composition(std::span<const Cost> costs) {
  Cost total;
  for (const Cost& cost : costs) {
    check_cost("basic_composition", cost);
    total.epsilon += cost.epsilon;
    total.delta += cost.delta;
  }
  total.delta = std::min(1.0, total.delta);
  return total;
}

Cost parallel_composition(std::span<const Cost> costs) {
  Cost total;
  for (const Cost& cost : costs) {
    check_cost("parallel_composition", cost);
    total.epsilon = std::max(total.epsilon, cost.epsilon);
    total.delta = std::max(total.delta, cost.delta);
  }
  return total;
}

Cost group_privacy(const Cost& each, std::int64_t rounds) {
  check_cost("group_privacy", each);
  check::at_least("group_privacy", "rounds", rounds, 0);
  const auto m = static_cast<double>(rounds);
  Cost total{.epsilon = m * each.epsilon, .delta = 0};
  if (each.delta > 0 && rounds > 0) {
    // The geometric series 1 + e^eps + ... + e^((m-1) eps), from its largest term down.
    const double series = each.epsilon > 0
                              ? std::exp((m - 1) * each.epsilon) * std::expm1(-total.epsilon) /
                                    std::expm1(-each.epsilon)
                              : m;
    total.delta = std::min(1.0, each.delta * series);
  }
  return total;
}

double optimal_delta(const Cost& each, std::int64_t releases, double epsilon) {
  check_cost("optimal_delta", each);
  check::at_least("optimal_delta", "releases", releases, 1);
  check::within("optimal_delta", "epsilon", epsilon, 0, kLargest);
  const double lost = failure(each.delta, releases);
  return lost + (1 - lost) * response_delta(each.epsilon, releases, epsilon);
}

double optimal_epsilon(const Cost& each, std::int64_t releases, double delta) {
  check_cost("optimal_epsilon", each);
  check::at_least("optimal_epsilon", "releases", releases, 1);
  check::within("optimal_epsilon", "delta", delta, failure(each.delta, releases), 1);
  const auto private_at = [&](double epsilon) {
    return optimal_delta(each, releases, epsilon) <= delta;
  };
  if (private_at(0)) return 0;
  return boundary(0, static_cast<double>(releases) * each.epsilon, private_at);
}

double rho_of_pure(double epsilon) {
  check::within("rho_of_pure", "epsilon", epsilon, 0, kLargest);
  return epsilon * std::tanh(epsilon / 2);
}

double rho_of_laplace(double scale, double l1) {
  check::positive("rho_of_laplace", "scale", scale);
  check::positive("rho_of_laplace", "l1", l1);
  const double epsilon = l1 / scale;
  // The series where the closed form would cancel.
  if (epsilon < 1e-2) {
    return epsilon * epsilon *
           (1.0 / 2 -
            epsilon * (1.0 / 6 - epsilon * (1.0 / 24 - epsilon * (1.0 / 120 - epsilon / 720))));
  }
  return epsilon + std::expm1(-epsilon);
}

double rho_of_gaussian(double sigma, double l2) {
  check::positive("rho_of_gaussian", "sigma", sigma);
  check::positive("rho_of_gaussian", "l2", l2);
  const double ratio = l2 / sigma;
  return ratio * ratio / 2;
}

double group_rho(double rho, std::int64_t rounds) {
  check::within("group_rho", "rho", rho, 0, kLargest);
  check::at_least("group_rho", "rounds", rounds, 0);
  const auto m = static_cast<double>(rounds);
  return m * m * rho;
}

double zcdp_epsilon_simple(double rho, double delta) {
  check::within("zcdp_epsilon_simple", "rho", rho, 0, kLargest);
  check::strictly_within("zcdp_epsilon_simple", "delta", delta, 0, 1);
  return rho + 2 * std::sqrt(-rho * std::log(delta));
}

double zcdp_delta(double rho, double epsilon) {
  check::within("zcdp_delta", "rho", rho, 0, kLargest);
  check::within("zcdp_delta", "epsilon", epsilon, 0, kLargest);
  if (rho == 0) return 0;
  // With x = alpha - 1 = e^u the logarithm of the bound is convex in x, so its derivative has one root.
  // Every x gives a valid bound: an inexact root costs nothing but tightness.
  const auto rising = [=](double u) {
    const double x = std::exp(u);
    return (2 * x + 1) * rho - epsilon - std::log1p(std::exp(-u)) >= 0;
  };
  const double low = -700;  // alpha is 1 there, and the bound as well
  const double high = std::log((epsilon + 1) / (2 * rho) + 2);
  if (rising(low)) return 1;
  const double u = boundary(low, high, rising);
  const double x = std::exp(u);
  const double log_delta = x * ((1 + x) * rho - epsilon) - u - (1 + x) * std::log1p(std::exp(-u));
  return std::min(1.0, std::exp(log_delta));
}

double zcdp_epsilon(double rho, double delta) {
  const double enough = zcdp_epsilon_simple(rho, delta);  // checks the parameters
  const auto private_at = [=](double epsilon) { return zcdp_delta(rho, epsilon) <= delta; };
  if (private_at(0)) return 0;
  return boundary(0, enough, private_at);
}

double zcdp_rho(const Cost& budget) {
  check::positive("zcdp_rho", "epsilon", budget.epsilon);
  check::strictly_within("zcdp_rho", "delta", budget.delta, 0, 1);
  const auto private_at = [&](double rho) {
    return zcdp_delta(rho, budget.epsilon) <= budget.delta;
  };
  double too_much = budget.epsilon;
  while (private_at(too_much)) too_much *= 2;
  return boundary(too_much, 0, private_at);
}

}  // namespace tacit::accounting
