// Simulations for people to read: a row a policy, what each really promises and why, and what regret is against.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/simulation/simulate.hpp"

namespace tacit::reports {

struct SimulatedPolicy {
  const simulation::Request& request;
  const simulation::Summary& summary;
};

/// Of policies on one problem, at least one. `actions` are as given; `environment` is the guarantee of a problem
/// whose means were released.
std::string simulation_table(const std::vector<SimulatedPolicy>& policies,
                             const std::string& actions,
                             const std::optional<privacy::Guarantee>& environment);

}  // namespace tacit::reports
