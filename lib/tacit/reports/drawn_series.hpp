// What is drawn of the lines of a panel, in numbers: who draws has only to say it in the words of a picture's format.
#pragma once

#include <vector>

#include "tacit/reports/frame.hpp"

namespace tacit::reports {

struct DrawnSeries {
  const Series* series = nullptr;
  /// What lies between two of them is not bridged. Intervals are those that the axes have room for, and end at y where there is
  /// none. Points that would lie on each other stand side by side. Empty: nothing can be shown.
  std::vector<std::vector<Point>> pieces;
  double dodge = 0;       // how far points were moved to the right, in pixels
  double width = 0;       // of the line; one that others lie upon is wider, so that both are seen
  bool has_bars = false;  // each of its points is marked where it is, with its interval
  bool has_band = false;  // or the intervals are shaded
  std::vector<Pixel> marks;  // of a line without bars: places to tell it from others
  double mark_size = 0;      // 1 is usual
};

/// One for each of the panel's lines, in their order, which is that of drawing.
std::vector<DrawnSeries> drawn_series(const Frame& frame, const Panel& panel);

}  // namespace tacit::reports
