// How fast y grows with x: the slope of ln y against ln x, or of y against x, with a 95% interval.
//
// The interval is the wider of two: Student's of the residuals, which knows that the points may not lie on a line; and what
// the points' own intervals make of the slope, which knows that four points may lie on a line by accident.
#pragma once

#include <optional>
#include <span>

namespace tacit::reports {

/// A value with half of its 95% interval; not a number where there is none.
struct Estimated {
  double y = 0;
  double half_width = 0;
};

struct Slope {
  double value = 0;
  double intercept = 0;   // of ln y at ln x = 0
  double half_width = 0;  // of the 95% interval; infinite where a point has none, or reaches 0
};

/// By least squares; none for fewer than three points with x, y > 0.
std::optional<Slope> log_log_slope(std::span<const double> x, std::span<const Estimated> y);

/// The same of y against x; `intercept` is then y at x = 0.
std::optional<Slope> straight_slope(std::span<const double> x, std::span<const Estimated> y);

/// y = intercept + slope x by least squares. At least two different x.
struct StraightLine {
  double intercept = 0;
  double slope = 0;

  double at(double x) const { return intercept + slope * x; }
};
StraightLine straight_line(std::span<const double> x, std::span<const double> y);

}  // namespace tacit::reports
