// The panels of a figure on a page, where each is a picture of its own so that narrow screens can have them one below the other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tacit/reports/drawn_series.hpp"
#include "tacit/reports/layout.hpp"

namespace tacit::reports::page {

/// In pixels of the picture, from its upper left corner.
struct PanelView {
  const Panel* panel = nullptr;
  std::size_t number = 0;  // of the panel in its figure
  double width = 0, height = 0;
  double left = 0, top = 0;  // of what is inside the axes
  Frame frame;
  std::vector<DrawnSeries> drawn;

  /// Of a place in the frame, whose own pixels begin at its lower left corner.
  Pixel place(const Pixel& in_frame) const {
    return {left + in_frame.x, top + frame.height - in_frame.y};
  }
};

/// All panels on one kind of axes, then, where the figure asks for it, all of them on the other.
std::vector<PanelView> panel_views(const Figure& figure);

/// The number of a line's label in the legend.
std::size_t label_number(const std::vector<LegendEntry>& legend, const Series& series);

/// An SVG element. What belongs to a label has its number as data-l.
std::string panel_svg(const Figure& figure, const PanelView& view,
                      const std::vector<LegendEntry>& legend);

/// What a panel shows, for those who do not see it: axes, and where its measured lines end.
std::string panel_in_words(const Figure& figure, const PanelView& view);

}  // namespace tacit::reports::page
