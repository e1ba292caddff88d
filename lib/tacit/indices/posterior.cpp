#include "tacit/indices/posterior.hpp"

#include <boost/math/special_functions/beta.hpp>

#include "tacit/indices/special_doubles.hpp"

namespace tacit::indices {

double BetaPosterior::chance_below(const State& s, const Clock&, double y) const noexcept {
  if (y <= 0) return 0;
  return y < 1 ? boost::math::ibeta(1 + s.ones, 1 + s.zeros, y, Doubles()) : 1;
}

double BetaPosterior::chance_above(const State& s, const Clock&, double y) const noexcept {
  if (y >= 1) return 0;
  return y > 0 ? boost::math::ibetac(1 + s.ones, 1 + s.zeros, y, Doubles()) : 1;
}

}  // namespace tacit::indices
