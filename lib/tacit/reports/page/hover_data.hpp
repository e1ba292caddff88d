// What the page's script knows of a figure: every point with its interval, and where the axes are.
#pragma once

#include <string>
#include <vector>

#include "tacit/reports/page/panel_view.hpp"

namespace tacit::reports::page {

/// {"x", "y"} what is on the axes, {"labels"} of the legend, {"panels"} the lines of each panel: the number of the label ("l") and
/// points [x, y] or [x, y, lo, hi], to six digits; {"views"} for every picture, in their order: its panel, where its axes are,
/// their ends ("x", "y": [low, high, whether it is logarithmic]) and how far each line's points stand to the right ("dodge").
std::string hover_data(const Figure& figure, const std::vector<PanelView>& views,
                       const std::vector<LegendEntry>& legend);

}  // namespace tacit::reports::page
