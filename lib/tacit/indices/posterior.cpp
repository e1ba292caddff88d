#include "tacit/indices/posterior.hpp"

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

}  // namespace

double BetaPosterior::chance_below(const State& s, const Clock&, double y) const noexcept {
  if (y <= 0) return 0;
  return y < 1 ? boost::math::ibeta(1 + s.ones, 1 + s.zeros, y, Doubles()) : 1;
}

double BetaPosterior::chance_above(const State& s, const Clock&, double y) const noexcept {
  if (y >= 1) return 0;
  return y > 0 ? boost::math::ibetac(1 + s.ones, 1 + s.zeros, y, Doubles()) : 1;
}

}  // namespace tacit::indices
