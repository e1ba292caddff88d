#include "tacit/reports/page/panel_view.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tacit::reports::page {

std::vector<PanelView> panel_views(const Figure& figure) {
  constexpr double kWidth = 480;
  constexpr double kHeight = 360;
  constexpr double kLeft = 78;
  constexpr double kRight = 22;
  constexpr double kBottom = 52;
  std::vector<Scales> kinds{figure.scales};
  if (figure.also) kinds.push_back(*figure.also);
  std::vector<PanelView> views;
  for (const Scales& scales : kinds) {
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
      const Panel& panel = figure.panels[i];
      const double top = panel.title.empty() ? 12 : 32;
      Frame frame =
          frame_of(figure, panel, scales, kWidth - kLeft - kRight, kHeight - top - kBottom);
      std::vector<DrawnSeries> drawn = drawn_series(frame, panel);
      views.push_back({.panel = &panel,
                       .number = i,
                       .width = kWidth,
                       .height = kHeight,
                       .left = kLeft,
                       .top = top,
                       .frame = frame,
                       .drawn = std::move(drawn)});
    }
  }
  return views;
}

std::size_t label_number(const std::vector<LegendEntry>& legend, const Series& series) {
  const auto found = std::find_if(legend.begin(), legend.end(), [&](const LegendEntry& entry) {
    return entry.series->label == series.label;
  });
  return static_cast<std::size_t>(found - legend.begin());
}

std::string panel_in_words(const Figure& figure, const PanelView& view) {
  const auto axis = [](const std::string& label, bool log) {
    return fmt::format("{}{}", label, log ? " (logarithmic)" : "");
  };
  std::vector<const Series*> lines;
  for (const Series& series : view.panel->series) {
    if (series.is_measured() && !series.points.empty()) lines.push_back(&series);
  }
  const auto end_of = [](const Series* series) { return series->points.back().y; };
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const Series* a, const Series* b) { return end_of(a) > end_of(b); });
  std::vector<std::string> ends;
  for (const Series* line : lines) {
    ends.push_back(fmt::format("{} {:.4g}", line->label, end_of(line)));
  }
  const auto bounds =
      std::count_if(view.panel->series.begin(), view.panel->series.end(),
                    [](const Series& series) { return series.origin == Origin::kBound; });
  return fmt::format("{}{}{} against {}. At the right end, from the top: {}{}.", view.panel->title,
                     view.panel->title.empty() ? "" : ": ",
                     axis(figure.y_label, view.frame.scales.log_y),
                     axis(figure.x_label, view.frame.scales.log_x), fmt::join(ends, "; "),
                     bounds > 0 ? fmt::format(". Bounds and references drawn in: {}", bounds) : "");
}

}  // namespace tacit::reports::page
