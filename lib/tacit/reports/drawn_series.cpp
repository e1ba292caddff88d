#include "tacit/reports/drawn_series.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tacit/reports/stagger.hpp"

namespace tacit::reports {
namespace {

/// Fewer points are larger.
double mark_size(const Series& series) {
  constexpr std::size_t kMany = 20;
  return series.course == Course::kSwept && series.points.size() > kMany ? 0.9 : 1.1;
}

/// Points to be seen where they are: few, and measured apart. Other lines have marks only to be told apart.
bool has_points(const Series& series) {
  return series.is_measured() && series.course == Course::kSwept;
}

double width_in_pile(const Look& look, const Place& place) {
  constexpr double kBorder = 2;
  return look.width + kBorder * (place.height - 1 - place.place);
}

/// How far to the right points stand that would lie on others, in pixels.
double dodge_of(const Series& series, const Place& place) {
  constexpr double kApart = 7;
  return has_points(series) ? kApart * (place.place - 0.5 * (place.height - 1)) : 0;
}

double dodged(const Frame& frame, const Point& point, double dodge) {
  if (dodge == 0) return point.x;
  Pixel at = frame.pixel(point.x, point.y);
  at.x += dodge;
  return frame.x_of(at);
}

std::vector<std::vector<Point>> pieces_of(const Frame& frame, const Series& series, double dodge) {
  std::vector<std::vector<Point>> pieces;
  bool gap = true;
  for (const Point& p : series.points) {
    if (!is_shown(frame, series, p)) {
      gap = true;
      continue;
    }
    if (gap) pieces.emplace_back();
    gap = false;
    // An interval that reaches below what a logarithmic axis shows ends at the smallest that it can.
    const double least = frame.scales.log_y ? std::min(p.y, frame.y.low) : p.lo;
    pieces.back().push_back({.x = dodged(frame, p, dodge),
                             .y = p.y,
                             .lo = std::isfinite(p.lo) ? std::max(p.lo, least) : p.y,
                             .hi = std::isfinite(p.hi) ? p.hi : p.y});
  }
  return pieces;
}

}  // namespace

std::vector<DrawnSeries> drawn_series(const Frame& frame, const Panel& panel) {
  std::vector<Polyline> lines;
  std::vector<Polyline> of_points;
  std::size_t marked = 0;
  for (const Series& series : panel.series) {
    // A fit is told by its line, and is in nobody's way.
    const bool fit = series.origin == Origin::kFit;
    lines.push_back(fit ? Polyline{} : polyline_of(frame, series));
    of_points.push_back(has_points(series) ? lines.back() : Polyline{});
    marked += fit ? 0 : 1;
  }
  const std::vector<Place> places = piles_of(lines);
  const std::vector<Place> places_of_points = piles_of(of_points);
  std::vector<DrawnSeries> all;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const Series& series = panel.series[i];
    const bool bars = has_points(series);
    const double dodge = dodge_of(series, places_of_points[i]);
    const bool has_intervals = std::any_of(series.points.begin(), series.points.end(),
                                           [](const Point& p) { return p.lo < p.hi; });
    all.push_back({.series = &series,
                   .pieces = pieces_of(frame, series, dodge),
                   .dodge = dodge,
                   .width = width_in_pile(series.look, places[i]),
                   .has_bars = bars,
                   .has_band = has_intervals && !bars,
                   .marks = bars ? std::vector<Pixel>{} : staggered(lines[i], i, marked),
                   .mark_size = mark_size(series)});
  }
  return all;
}

}  // namespace tacit::reports
