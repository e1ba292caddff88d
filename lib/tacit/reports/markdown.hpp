// Results as Markdown tables, for documents: what every policy's regret is at the end.
#pragma once

#include <string>
#include <vector>

#include "tacit/reports/curves.hpp"

namespace tacit::reports {

/// A row for every problem and epsilon, a column for every policy, the best of the private ones in bold. Problems that follow
/// each other and are played by the same policies share a table. Policies without epsilon are in every row of their problem.
std::string to_markdown(const std::vector<Curve>& curves);

}  // namespace tacit::reports
