// What is drawn when an experiment asks for nothing.
#pragma once

#include <vector>

#include "tacit/reports/curves.hpp"
#include "tacit/reports/figure_request.hpp"

namespace tacit::reports {

/// A figure of regret over rounds for every problem, a panel for every epsilon.
std::vector<FigureRequest> usual_figures(const std::vector<Curve>& curves);

}  // namespace tacit::reports
