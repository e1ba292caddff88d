// Identifications for people to read: a row a policy, how many samples it took and how often it was wrong, and what theory
// says it takes at least.
#pragma once

#include <string>
#include <vector>

#include "tacit/reports/simulation_table.hpp"

namespace tacit::reports {

/// Of policies on one problem, at least one, with one goal.
std::string identification_table(const std::vector<SimulatedPolicy>& policies);

}  // namespace tacit::reports
