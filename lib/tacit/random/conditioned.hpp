// Samples conditioned on where they lie. Exact by rejection, and quick however rare that is.
// For what is small, reflect: 1 - x for a Beta, -x for a normal.
#pragma once

#include "tacit/random/simulation.hpp"

namespace tacit::random {

/// A standard normal conditioned on [z, infinity): Robert 1995, "Simulation of truncated normal variables".
template <SimulatedRandomness G>
double normal_above(G& generator, double z);

/// Beta(1 + a, 1 + b), a, b >= 0, conditioned on [low, high] within [0, 1]. Its log density
/// a ln x + b ln(1-x) is concave, so the tangent at the point of the interval that is closest to the
/// mode dominates it: rejection from the (truncated) exponential with that slope. Where that point is
/// about the mode and the interval wide, a fair share of all samples qualifies.
template <SimulatedRandomness G>
double beta_between(G& generator, double a, double b, double low, double high);

/// On [y, 1]; y <= 0 is no condition, y < 1.
template <SimulatedRandomness G>
double beta_above(G& generator, double a, double b, double y) {
  return beta_between(generator, a, b, y > 0 ? y : 0, 1);
}

}  // namespace tacit::random
