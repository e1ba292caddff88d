// Samples conditioned on being large. Exact by rejection, and quick however rare the event is.
// For what is small, reflect: 1 - x for a Beta, -x for a normal.
#pragma once

#include "tacit/random/simulation.hpp"

namespace tacit::random {

/// A standard normal conditioned on [z, infinity): Robert 1995, "Simulation of truncated normal variables".
template <SimulatedRandomness G>
double normal_above(G& generator, double z);

/// Beta(1 + a, 1 + b), a, b >= 0, conditioned on [y, 1]; y <= 0 is no condition, y < 1.
///
/// Its log density a ln x + b ln(1-x) is concave. Well right of the mode the tangent at y dominates it: rejection from
/// the exponential with that slope (beta_tail). Close to 1, where x^a hardly varies over [y, 1], rejection from the
/// uniform. Elsewhere a fair share of all samples qualifies.
template <SimulatedRandomness G>
double beta_above(G& generator, double a, double b, double y);

}  // namespace tacit::random
