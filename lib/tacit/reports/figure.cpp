#include "tacit/reports/figure.hpp"

#include <algorithm>
#include <utility>

#include "tacit/reports/bound_lines.hpp"
#include "tacit/reports/fits.hpp"
#include "tacit/reports/legend.hpp"
#include "tacit/reports/lines.hpp"
#include "tacit/reports/looks.hpp"

namespace tacit::reports {
namespace {

Panel make_panel(const FigureRequest& r, const std::string& title,
                 const std::vector<const Curve*>& curves, const std::vector<Claim>& claims) {
  const std::vector<Line> lines = lines_of(r, curves);
  Panel panel{title, {}};
  for (const Line& line : lines) {
    Series series = measured_series(r, line, curves);
    series.label = label_of(r, line, lines);
    if (r.slopes && series.course == Course::kSwept) fit_power(series);
    panel.series.push_back(std::move(series));
  }
  add_bounds(r, lines, panel);
  add_fits(claims, x_label(r), panel);
  return panel;
}

bool is_in_group(const std::pair<std::string, std::vector<std::string>>& group,
                 const Curve& curve) {
  const auto& [title, policies] = group;
  return std::find(policies.begin(), policies.end(), curve.policy()) != policies.end();
}

/// A baseline has no epsilon of its own, and is drawn with every other; so is who is in no group.
bool is_in_all_panels(const FigureRequest& r, const Curve& curve) {
  switch (r.panels) {
    case Panels::kOne:
    case Panels::kProblem:
    case Panels::kVariable: break;
    case Panels::kEpsilon: return !curve.epsilon();
    case Panels::kError: return !curve.error();
    case Panels::kGroup:
      return std::none_of(r.groups.begin(), r.groups.end(),
                          [&](const auto& group) { return is_in_group(group, curve); });
  }
  return false;
}

/// In the order of the curves.
std::vector<std::string> panel_titles(const FigureRequest& r,
                                      const std::vector<const Curve*>& curves) {
  std::vector<std::string> titles;
  for (const auto& group : r.groups) {
    const bool shown = std::any_of(curves.begin(), curves.end(),
                                   [&](const Curve* curve) { return is_in_group(group, *curve); });
    if (shown) titles.push_back(group.first);
  }
  if (!titles.empty()) return titles;
  for (const Curve* curve : curves) {
    const std::string title = panel_title(r, *curve);
    const bool known = std::find(titles.begin(), titles.end(), title) != titles.end();
    if (!known && !is_in_all_panels(r, *curve)) titles.push_back(title);
  }
  if (titles.empty()) titles.emplace_back();  // baselines alone
  return titles;
}

bool is_in_panel(const FigureRequest& r, const std::string& title, const Curve& curve) {
  if (is_in_all_panels(r, curve)) return true;
  if (r.panels != Panels::kGroup) return panel_title(r, curve) == title;
  return std::any_of(r.groups.begin(), r.groups.end(), [&](const auto& group) {
    return group.first == title && is_in_group(group, curve);
  });
}

}  // namespace

Figure make_figure(const FigureRequest& r, const std::vector<Curve>& curves,
                   const std::vector<Claim>& claims) {
  std::vector<const Curve*> shown;
  for (const Curve& curve : curves) {
    if (shows(r, curve.document)) shown.push_back(&curve);
  }
  if (shown.empty()) storage::refuse(r.place, "figure", r.name, "there is nothing to draw");
  require_bounds(r, shown);
  Figure figure{.name = r.name,
                .title = r.title,
                .x = r.x,
                .y = r.y,
                .x_label = x_label(r),
                .y_label = y_label(r),
                .scales = r.scales,
                .also = r.also,
                .from = r.from,
                .panels = {}};
  std::vector<Claim> mine;
  for (const Claim& claim : claims) {
    if (claim.figure == r.name) mine.push_back(claim);
  }
  for (const std::string& title : panel_titles(r, shown)) {
    std::vector<const Curve*> here;
    for (const Curve* curve : shown) {
      if (is_in_panel(r, title, *curve)) here.push_back(curve);
    }
    figure.panels.push_back(make_panel(r, title, here, mine));
  }
  give_looks(figure);
  return figure;
}

}  // namespace tacit::reports
