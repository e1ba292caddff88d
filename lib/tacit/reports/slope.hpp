// How fast y grows with x: the slope of ln y against ln x, with a 95% interval.
#pragma once

#include <optional>
#include <span>

namespace tacit::reports {

struct Slope {
  double value = 0;
  double intercept = 0;   // of ln y at ln x = 0
  double half_width = 0;  // of the 95% interval (Student's t of the residuals)
};

/// By least squares; none for fewer than three points with x, y > 0.
std::optional<Slope> log_log_slope(std::span<const double> x, std::span<const double> y);

}  // namespace tacit::reports
