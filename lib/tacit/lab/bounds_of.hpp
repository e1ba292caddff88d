// What theory says of a simulation, to be stored with its results.
#pragma once

#include "tacit/lab/document.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::lab {

/// The bounds that concern the policy of a request, each with its value at every checkpoint (none outside its
/// conditions): finite and asymptotic ones, and minimax ones on their own instance, at the horizon that it is
/// tuned to. Those without any value are left out.
/// Of a request with a goal, two readings instead: promised-error of how often a recommendation is wrong, fewest-samples
/// of the samples.
std::vector<BoundCurve> bounds_of(const simulation::Request& request,
                                  const privacy::Guarantee& guarantee);

/// The fewest samples of a policy with this guarantee, by theory; none with a budget, for several arms, and where the bound
/// does not speak of what is seen: means that are drawn or released, outcomes that are no bits, more than one arm a round.
std::optional<double> fewest_samples(const simulation::Request& request,
                                     const privacy::Guarantee& guarantee);

}  // namespace tacit::lab
