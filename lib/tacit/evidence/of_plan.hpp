// What the releases of a plan say of means: the law of a released sum, where sums of an arm add up.
#pragma once

#include <optional>

#include "tacit/curators/plans.hpp"
#include "tacit/evidence/release_law.hpp"

namespace tacit::evidence {

/// Of Laplace noise of this scale, in doubles or on the grid of exact arithmetic: at least the charge of either.
NoiseLaw laplace_of_either(double scale);

/// None where releases do not add up (counters that release running sums), where only who leads is released, and where reports
/// are not about one arm each (stops of lists).
std::optional<ReleaseLaw> law_of(const curators::Plan& plan);

}  // namespace tacit::evidence
