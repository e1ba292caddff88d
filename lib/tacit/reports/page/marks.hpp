// Marks and samples of lines, as SVG.
#pragma once

#include <string>

#include "tacit/reports/figure.hpp"
#include "tacit/reports/frame.hpp"

namespace tacit::reports::page {

/// As an element, `size` times as large as usual, with the element's further attributes.
std::string mark_svg(Mark mark, const Pixel& at, double size, const std::string& attributes);

/// " stroke-width=... stroke-dasharray=...": of a line `width` pixels wide.
std::string stroke_of(const Look& look, double width);

/// A picture of its own: a piece of the line with its mark.
std::string sample_svg(const Look& look);

}  // namespace tacit::reports::page
