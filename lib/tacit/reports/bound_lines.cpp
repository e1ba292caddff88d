#include "tacit/reports/bound_lines.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace tacit::reports {
namespace {

bool contradict(const Series& one, const Series& other) {
  constexpr double kRounding = 1e-9;
  for (const Point& p : one.points) {
    for (const Point& q : other.points) {
      if (p.x == q.x && std::abs(p.y - q.y) > kRounding * std::abs(p.y)) return true;
    }
  }
  return false;
}

/// Of a bound that has several values at one place it has to be said which is whose.
bool are_ambiguous(const std::vector<Series>& all) {
  return std::any_of(all.begin(), all.end(), [&](const Series& one) {
    return std::any_of(all.begin(), all.end(), [&](const Series& other) {
      return one.label == other.label && contradict(one, other);
    });
  });
}

/// Those at other places than the line has points already.
void add_points(Series& series, const std::vector<Point>& points) {
  for (const Point& point : points) {
    const bool known = std::any_of(series.points.begin(), series.points.end(),
                                   [&](const Point& p) { return p.x == point.x; });
    if (!known) series.points.push_back(point);
  }
  sort_by_x(series.points);
}

/// Joins it to the line of its name, if the panel has one: a bound is drawn once.
void add_series(Panel& panel, Series series) {
  const auto known = std::find_if(panel.series.begin(), panel.series.end(),
                                  [&](const Series& other) { return other.label == series.label; });
  if (known == panel.series.end()) {
    panel.series.push_back(std::move(series));
  } else {
    add_points(*known, series.points);
  }
}

/// One for each of the lines.
void add_all(std::vector<Series> found, const std::vector<Line>& lines, Panel& panel) {
  const bool ambiguous = are_ambiguous(found);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Series& series = found[i];
    if (series.points.empty()) continue;
    if (ambiguous) series.label += fmt::format(", for {}", panel.series[i].label);
    add_series(panel, std::move(series));
  }
}

}  // namespace

void add_bounds(const FigureRequest& r, const std::vector<Line>& lines, Panel& panel) {
  if (r.y == Quantity::kReturn) {  // of which bounds say nothing
    std::vector<Series> best;
    for (const Line& line : lines) best.push_back(best_series(r, line));
    add_all(std::move(best), lines, panel);
    return;
  }
  for (const std::string& bound : r.bounds) {
    std::vector<Series> found;
    for (const Line& line : lines) found.push_back(bound_series(r, bound, line));
    add_all(std::move(found), lines, panel);
  }
}

void require_bounds(const FigureRequest& r, const std::vector<const Curve*>& curves) {
  for (const std::string& name : r.bounds) {
    const bool known = std::any_of(curves.begin(), curves.end(), [&](const Curve* curve) {
      return curve->document.bound(name) != nullptr;
    });
    if (!known) {
      storage::refuse(r.place, "bounds", name,
                      "has no number on what this figure shows; tacit bounds --all says why");
    }
  }
}

}  // namespace tacit::reports
