// What theory says of a simulation, to be stored with its results.
#pragma once

#include "tacit/lab/document.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::lab {

/// The bounds that concern the policy of a request, each with its value at every checkpoint (none outside its
/// conditions): finite and asymptotic ones, and minimax ones on their own instance, at the horizon that it is
/// tuned to. Those without any value are left out.
std::vector<BoundCurve> bounds_of(const simulation::Request& request,
                                  const privacy::Guarantee& guarantee);

}  // namespace tacit::lab
