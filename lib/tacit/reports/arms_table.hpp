// How often every arm was played: which variants, movies or items a policy found.
#pragma once

#include <string>
#include <vector>

#include "tacit/reports/simulation_table.hpp"

namespace tacit::reports {

/// A row an arm, those that the first policy played most first: its mean, whether it is in the best action for the true
/// means, and the share of all rounds in which each policy played it. `names` may be empty. Where every run has means of
/// its own, there are none to show.
std::string arms_table(const std::vector<SimulatedPolicy>& policies,
                       const std::vector<std::string>& names);

}  // namespace tacit::reports
