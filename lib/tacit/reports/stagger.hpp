// Lines that lie on each other, and how they are told apart all the same: each has its marks at places of its own, the lower ones
// are drawn wider, and what was measured point by point stands side by side.
#pragma once

#include <cstddef>
#include <vector>

#include "tacit/reports/frame.hpp"

namespace tacit::reports {

using Polyline = std::vector<Pixel>;  // from left to right

Polyline polyline_of(const Frame& frame, const Series& series);

/// Whether they are within a line's width of each other over half of the way that they have in common.
bool coincide(const Polyline& one, const Polyline& other);

/// The place of a line among those that it lies on or under, 0 the lowest.
struct Place {
  int place = 0;
  int height = 1;  // of the pile: 1 for a line that lies alone
};

/// One for each line, in their order, which is that of drawing.
std::vector<Place> piles_of(const std::vector<Polyline>& lines);

/// Places for marks along a line, the `number`-th of `lines` in a panel: no two lines have theirs above each other.
std::vector<Pixel> staggered(const Polyline& line, std::size_t number, std::size_t lines);

}  // namespace tacit::reports
