// What claims speak of, drawn over what was measured: powers of x, straight lines, and the room that a curve which settles has.
#pragma once

#include <optional>
#include <vector>

#include "tacit/reports/figure.hpp"

namespace tacit::reports {

/// The power of x that fits a line, as its slope and its remark.
void fit_power(Series& series);

/// Adds to a panel with its measured lines the fits of those that have a slope, or that a claim says are straight or settle.
/// `x_label` is what remarks call x.
void add_fits(const std::vector<Claim>& claims, const std::string& x_label, Panel& panel);

/// The value of a line at x, of a level one at every x; null where it has none.
const Point* point_at(const Series& series, double x);

/// How fast that falls or grows by which a line lies above another: a curve that ends on a floor is no power of x, what it has
/// above the floor may be one. None where the line does not lie above the other at every point that both have.
std::optional<Slope> slope_above(const Series& line, const Series& floor);

/// The last point up to a tenth of the rounds, from where a curve that settles hardly moves; null where there is none.
const Point* early_point(const Series& series);

}  // namespace tacit::reports
