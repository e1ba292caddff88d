#include "tacit/indices/shifted_beta.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/beta.hpp>

namespace tacit::indices {
namespace {

// Doubles throughout: long doubles cost three times as much and the last digits do not matter here.
// Errors are ignored because the callers are noexcept: a chance that cannot be computed comes back as the
// best estimate there is.
namespace bp = boost::math::policies;
using Doubles =
    bp::policy<bp::promote_double<false>, bp::domain_error<bp::ignore_error>,
               bp::pole_error<bp::ignore_error>, bp::overflow_error<bp::ignore_error>,
               bp::underflow_error<bp::ignore_error>, bp::denorm_error<bp::ignore_error>,
               bp::evaluation_error<bp::ignore_error>, bp::rounding_error<bp::ignore_error>>;

struct Shape {
  double a;
  double b;
};

Shape shape(double p, double n) { return {p * n + 1, (1 - p) * n + 1}; }

}  // namespace

double ShiftedBeta::deviation(const State& s, const Clock& clock) const noexcept {
  const double m = mean(s, clock);
  return std::sqrt(m * (1 - m) / (s.n + 3));
}

double ShiftedBeta::log_below(const State& s, const Clock& clock, double y) const noexcept {
  if (y >= 1) return 0;
  const double q = p(s, clock);
  if (q >= 1) return std::max(kLowest, (s.n + 1) * std::log(y));
  const auto [a, b] = shape(q, s.n);
  if (q > 0 && y * (a + b) < a) {
    return std::max(kLowest, std::log(boost::math::ibeta(a, b, y, Doubles())));
  }
  const double above =
      q > 0 ? boost::math::ibetac(a, b, y, Doubles()) : std::exp(b * std::log1p(-y));
  return std::max(kLowest, std::log1p(-above));
}

double ShiftedBeta::rough_log_below(const State& s, const Clock& clock, double y) const noexcept {
  const double q = p(s, clock);
  if (q <= 0 || q >= 1 || y >= 1) return log_below(s, clock, y);
  // A normal law has about the same tails at the same Kullback-Leibler distance.
  const double distance = (q * std::log(q / y) + (1 - q) * std::log((1 - q) / (1 - y))) * s.n;
  const double z = std::sqrt(std::max(0.0, distance));
  if (y >= q) return std::log1p(-0.5 * std::erfc(z));
  return z < 5 ? std::log(0.5 * std::erfc(z)) : -distance - std::log(3.5 * z);
}

}  // namespace tacit::indices
