// What is written next to the lines of a figure.
#pragma once

#include <string>
#include <vector>

#include "tacit/reports/lines.hpp"

namespace tacit::reports {

/// "anytime-lazy-ucb (central 0.5)", and what tells the line from others of its policy in the panel.
std::string label_of(const FigureRequest& request, const Line& line,
                     const std::vector<Line>& panel);

/// "ε = 0.5": of the panel that a curve belongs to; empty for one that belongs to all, or to the only one.
std::string panel_title(const FigureRequest& request, const Curve& curve);

std::string x_label(const FigureRequest& request);
std::string y_label(const FigureRequest& request);

}  // namespace tacit::reports
