// Where the points of a panel fall: the ranges of its axes, and pixels.
#pragma once

#include <vector>

#include "tacit/reports/figure.hpp"

namespace tacit::reports {

struct Range {
  double low = 0;
  double high = 1;
};

/// From the lower left corner of what is inside the axes.
struct Pixel {
  double x = 0;
  double y = 0;
};

struct Frame {
  Scales scales;
  Range x, y;
  double width = 1;  // in pixels
  double height = 1;

  /// Whether it has a place on the axes, which may be outside of the frame.
  bool can_show(const Point& point) const;
  Pixel pixel(double at_x, double at_y) const;
  double x_of(const Pixel& pixel) const;
  double y_of(const Pixel& pixel) const;
};

/// Ranges that show all of what was measured, and of bounds what an axis has room for: all on a logarithmic one, and on a
/// linear one all unless another row of panels, which is logarithmic, shows them. What is fitted goes up to the frame.
Frame frame_of(const Figure& figure, const Panel& panel, const Scales& scales, double width,
               double height);

/// Whether the frame's axes have a place for a point of a series, from the left end on.
bool is_shown(const Frame& frame, const Series& series, const Point& point);
std::vector<Point> shown_points(const Frame& frame, const Series& series);

}  // namespace tacit::reports
