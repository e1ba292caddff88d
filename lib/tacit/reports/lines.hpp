// Which curves make up a line of a figure, and where its points are.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tacit/reports/curves.hpp"
#include "tacit/reports/figure.hpp"

namespace tacit::reports {

/// Over rounds one curve, over anything else those that differ in what is on the axis; never empty.
struct Line {
  std::vector<const Curve*> curves;

  const Curve& first() const { return *curves.front(); }
};

/// The lines of a panel, in the order of the experiment.
std::vector<Line> lines_of(const FigureRequest& request, const std::vector<const Curve*>& curves);

/// What a curve is played on: problems that differ in the axis or the panel alone are the same.
std::string setting_of(const FigureRequest& request, const Curve& curve);

/// A variable that is epsilon, or the error, itself, in a problem made for it, tells nothing apart over it.
bool follows_axis(const FigureRequest& request, const Curve& curve, const lab::Variable& variable);

/// The line of what was measured, without a label. `panel` has all curves of the panel: what has no epsilon is
/// drawn from end to end of theirs.
Series measured_series(const FigureRequest& request, const Line& line,
                       const std::vector<const Curve*>& panel);

/// The line of who always plays the best action, in returns.
Series best_series(const FigureRequest& request, const Line& line);

/// The line of a bound over those curves that it speaks of; without points where it has no value.
Series bound_series(const FigureRequest& request, const std::string& name, const Line& line);

void sort_by_x(std::vector<Point>& points);

}  // namespace tacit::reports
