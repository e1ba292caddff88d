#include "tacit/indices/shifted_beta.hpp"

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

double ShiftedBeta::chance_below(const State& s, const Clock& clock, double y) const {
  const auto [a, b] = shape(p(s, clock), s.n);
  return boost::math::ibeta(a, b, y, Doubles());
}

double ShiftedBeta::chance_above(const State& s, const Clock& clock, double y) const {
  const auto [a, b] = shape(p(s, clock), s.n);
  return boost::math::ibetac(a, b, y, Doubles());
}

}  // namespace tacit::indices
