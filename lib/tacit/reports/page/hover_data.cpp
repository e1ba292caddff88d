#include "tacit/reports/page/hover_data.hpp"

#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tacit::reports::page {
namespace {

using lab::Json;

/// More would only make the page longer: nobody reads them at the pointer.
double rounded(double x) { return std::stod(fmt::format("{:.6g}", x)); }

Json points_of(const Series& series) {
  Json points = Json::array();
  for (const Point& p : series.points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
    Json point{rounded(p.x), rounded(p.y)};
    if (std::isfinite(p.lo) && std::isfinite(p.hi)) {
      point.push_back(rounded(p.lo));
      point.push_back(rounded(p.hi));
    }
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace

std::string hover_data(const Figure& figure, const std::vector<PanelView>& views,
                       const std::vector<LegendEntry>& legend) {
  Json labels = Json::array();
  for (const LegendEntry& entry : legend) labels.push_back(entry.series->label);
  Json panels = Json::array();
  for (const Panel& panel : figure.panels) {
    Json lines = Json::array();
    for (const Series& series : panel.series) {
      lines.push_back({{"l", label_number(legend, series)}, {"points", points_of(series)}});
    }
    panels.push_back(std::move(lines));
  }
  Json pictures = Json::array();
  for (const PanelView& view : views) {
    const auto axis = [](const Range& range, bool log) { return Json{range.low, range.high, log}; };
    Json dodge = Json::array();
    for (const DrawnSeries& drawn : view.drawn) dodge.push_back(drawn.dodge);
    pictures.push_back({{"panel", view.number},
                        {"left", view.left},
                        {"top", view.top},
                        {"width", view.frame.width},
                        {"height", view.frame.height},
                        {"x", axis(view.frame.x, view.frame.scales.log_x)},
                        {"y", axis(view.frame.y, view.frame.scales.log_y)},
                        {"dodge", std::move(dodge)}});
  }
  return Json{{"x", figure.x_label},
              {"y", figure.y_label},
              {"labels", std::move(labels)},
              {"panels", std::move(panels)},
              {"views", std::move(pictures)}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tacit::reports::page
