#include "tacit/reports/figure.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "tacit/reports/bound_lines.hpp"
#include "tacit/reports/legend.hpp"
#include "tacit/reports/lines.hpp"

namespace tacit::reports {
namespace {

/// By the label of a line: a policy has the same colour in all panels.
using Colours = std::map<std::string, int>;

void fit_slope(Series& series) {
  std::vector<double> x;
  std::vector<Estimated> y;
  for (const Point& point : series.points) {
    x.push_back(point.x);
    y.push_back({point.y, (point.hi - point.lo) / 2});
  }
  series.slope = log_log_slope(x, y);
  if (!series.slope) return;
  series.label += fmt::format(", slope {:.2f}", series.slope->value);
  if (std::isfinite(series.slope->half_width))
    series.label += fmt::format(" ± {:.2f}", series.slope->half_width);
}

Panel make_panel(const FigureRequest& r, const std::string& title,
                 const std::vector<const Curve*>& curves, Colours& colours) {
  const std::vector<Line> lines = lines_of(r, curves);
  Panel panel{title, {}};
  for (const Line& line : lines) {
    Series series = measured_series(r, line, curves);
    series.label = label_of(r, line, lines);
    series.colour = colours.emplace(series.label, static_cast<int>(colours.size())).first->second;
    if (r.slopes && series.course == Course::kSwept) fit_slope(series);
    panel.series.push_back(std::move(series));
  }
  add_bounds(r, lines, panel);
  return panel;
}

/// A baseline has no epsilon of its own, and is drawn with every other.
bool is_in_all_panels(const FigureRequest& r, const Curve& curve) {
  return r.panels == Panels::kEpsilon && !curve.epsilon();
}

/// In the order of the curves.
std::vector<std::string> panel_titles(const FigureRequest& r,
                                      const std::vector<const Curve*>& curves) {
  std::vector<std::string> titles;
  for (const Curve* curve : curves) {
    const std::string title = panel_title(r, *curve);
    const bool known = std::find(titles.begin(), titles.end(), title) != titles.end();
    if (!known && !is_in_all_panels(r, *curve)) titles.push_back(title);
  }
  if (titles.empty()) titles.emplace_back();  // baselines alone
  return titles;
}

}  // namespace

Figure make_figure(const FigureRequest& r, const std::vector<Curve>& curves) {
  std::vector<const Curve*> shown;
  for (const Curve& curve : curves) {
    if (shows(r, curve.document)) shown.push_back(&curve);
  }
  if (shown.empty()) lab::refuse(r.place, "figure", r.name, "there is nothing to draw");
  require_bounds(r, shown);
  Figure figure{.name = r.name,
                .title = r.title,
                .x = r.x,
                .x_label = x_label(r),
                .y_label = y_label(r),
                .scales = r.scales,
                .panels = {}};
  Colours colours;
  for (const std::string& title : panel_titles(r, shown)) {
    std::vector<const Curve*> here;
    for (const Curve* curve : shown) {
      if (is_in_all_panels(r, *curve) || panel_title(r, *curve) == title) here.push_back(curve);
    }
    figure.panels.push_back(make_panel(r, title, here, colours));
  }
  return figure;
}

}  // namespace tacit::reports
