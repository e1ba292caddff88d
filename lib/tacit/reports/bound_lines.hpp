// The lines of bounds, drawn over those of the policies that they speak of.
#pragma once

#include <vector>

#include "tacit/reports/lines.hpp"

namespace tacit::reports {

/// Adds the bounds that are asked for to a panel that has the series of `lines`, in their order.
void add_bounds(const FigureRequest& request, const std::vector<Line>& lines, Panel& panel);

/// Throws InvalidParameter for a bound that has no number on any of the curves.
void require_bounds(const FigureRequest& request, const std::vector<const Curve*>& curves);

}  // namespace tacit::reports
