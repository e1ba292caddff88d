// Where panels and legend of a picture are, in pixels.
#pragma once

#include <string>
#include <vector>

#include "tacit/reports/frame.hpp"
#include "tacit/reports/gnuplot.hpp"

namespace tacit::reports {

/// What the legend says of one label.
struct LegendEntry {
  const Series* series = nullptr;
  std::string text;  // the label, and what was fitted in each panel
};

/// One for each label of all panels, in their order: what was measured, then bounds, then fits.
std::vector<LegendEntry> legend_of(const Figure& figure);

/// All panels on one kind of axes, then, where the figure asks for it, all of them on the other.
struct PlacedPanel {
  const Panel* panel = nullptr;
  Scales scales;
  int left = 0, right = 0, bottom = 0,
      top = 0;  // of what is inside the axes, from the picture's lower left corner
  bool leftmost = false;
};

struct Layout {
  int width = 0, height = 0;
  double font = 0;              // its height in pixels
  double pixels_an_inch = 144;  // PDF
  int title_height = 0;
  std::vector<PlacedPanel> panels;
  std::vector<Pixel> legend;  // where the sample of each entry begins
};

inline constexpr double kLegendSample = 64;

/// How many panels stand side by side. Rows of one kind of axes are not mixed with those of the other, unless there is one panel
/// of each.
int columns_of(const Figure& figure);

Layout layout_of(const Figure& figure, const std::vector<LegendEntry>& legend, Format format);

}  // namespace tacit::reports
