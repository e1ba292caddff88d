// Intervals of every arm's mean over rounds, as bands: what somebody sees who looks at an experiment while it runs.
#pragma once

#include <string>
#include <vector>

#include "tacit/reports/figure.hpp"
#include "tacit/reports/simulation_table.hpp"

namespace tacit::reports {

/// A panel a policy; all were simulated with intervals. Of several runs the ends are means. Arms without names have numbers;
/// of more than ten, the ten of largest means are shown.
Figure bands_figure(const std::vector<SimulatedPolicy>& policies,
                    const std::vector<std::string>& arm_names);

}  // namespace tacit::reports
