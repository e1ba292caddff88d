#include <algorithm>

#include <fmt/format.h>

#include "tacit/reports/page/colours.hpp"
#include "tacit/reports/page/html.hpp"
#include "tacit/reports/page/marks.hpp"
#include "tacit/reports/page/panel_view.hpp"
#include "tacit/reports/ticks.hpp"

namespace tacit::reports::page {
namespace {

/// gnuplot's "10^{3}" with the exponent raised.
std::string tick_label(const std::string& label) {
  const std::size_t at = label.find("^{");
  if (at == std::string::npos) return escaped(label);
  return fmt::format(R"({}<tspan class="up" dy="-6">{}</tspan>)", escaped(label.substr(0, at)),
                     escaped(label.substr(at + 2, label.size() - at - 3)));
}

/// Grid, axes, ticks and what is written there.
std::string axes_svg(const Figure& figure, const PanelView& view) {
  const Frame& frame = view.frame;
  const double right = view.left + frame.width;
  const double bottom = view.top + frame.height;
  std::string grid;
  std::string strokes = fmt::format("M{} {}V{}H{}", view.left, view.top, bottom, right);
  std::string labels;
  const auto length = [](const Tick& tick) { return tick.label.empty() ? 4 : 8; };
  for (const Tick& tick : x_ticks(frame, *view.panel)) {
    const double x = view.place(frame.pixel(tick.value, frame.y.low)).x;
    strokes += fmt::format("M{:.1f} {}v-{}", x, bottom, length(tick));
    if (tick.label.empty()) continue;
    grid += fmt::format("M{:.1f} {}V{}", x, view.top, bottom);
    labels += fmt::format(R"(<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", x,
                          bottom + 20, tick_label(tick.label));
  }
  for (const Tick& tick : y_ticks(frame)) {
    const double y = view.place(frame.pixel(frame.x.low, tick.value)).y;
    strokes += fmt::format("M{} {:.1f}h{}", view.left, y, length(tick));
    if (tick.label.empty()) continue;
    grid += fmt::format("M{} {:.1f}H{}", view.left, y, right);
    labels += fmt::format(R"(<text x="{}" y="{:.1f}" text-anchor="end">{}</text>)", view.left - 8,
                          y + 5, tick_label(tick.label));
  }
  labels += fmt::format(R"(<text x="{}" y="{}" text-anchor="middle">{}</text>)",
                        view.left + frame.width / 2, view.height - 10, escaped(figure.x_label));
  labels += fmt::format(
      "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
      view.top + frame.height / 2, escaped(figure.y_label));
  return fmt::format("<path class=\"grid\" d=\"{}\"/><path class=\"axes\" d=\"{}\"/>{}\n", grid,
                     strokes, labels);
}

/// The lines of a panel: bands below all, then lines in their order, then marks.
class Lines {
 public:
  Lines(const PanelView& view, const std::vector<LegendEntry>& legend)
      : view_(view), legend_(legend) {
    for (const DrawnSeries& drawn : view.drawn) add(drawn);
  }

  /// Lines end at the frame, with all of their width; marks may stick out.
  std::string svg() const {
    constexpr double kRoom = 3;
    const double width = view_.frame.width + 2 * kRoom;
    const double height = view_.frame.height + 2 * kRoom;
    const double left = view_.left - kRoom;
    const double top = view_.top - kRoom;
    return fmt::format(
        "<svg x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" viewBox=\"{0} {1} {2} {3}\">\n"
        "{4}{5}</svg>\n{6}",
        left, top, width, height, bands_, lines_, marks_);
  }

 private:
  Pixel pixel(double x, double y) const {
    Pixel at = view_.place(view_.frame.pixel(x, y));
    // Far outside of the picture: browsers count in floats.
    constexpr double kFar = 1e6;
    at.y = std::clamp(at.y, -kFar, kFar);
    return at;
  }

  std::string line_through(const std::vector<Point>& piece, double Point::*y, bool back) const {
    std::string path;
    const auto add = [&](const Point& point) {
      const Pixel at = pixel(point.x, point.*y);
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "" : "L", at.x, at.y);
    };
    if (back) {
      for (auto point = piece.rbegin(); point != piece.rend(); ++point) add(*point);
    } else {
      for (const Point& point : piece) add(point);
    }
    return path;
  }

  bool is_inside(const Pixel& at) const {
    constexpr double kRounding = 0.5;
    return at.x >= -kRounding && at.x <= view_.frame.width + kRounding && at.y >= -kRounding &&
           at.y <= view_.frame.height + kRounding;
  }

  void add(const DrawnSeries& drawn) {
    if (drawn.pieces.empty()) return;
    const Look& look = drawn.series->look;
    const std::size_t label = label_number(legend_, *drawn.series);
    const auto of_line = [&](const char* kind) {
      return fmt::format(R"(class="{} {}" data-l="{}")", kind, colour_class(look.colour), label);
    };
    std::string band, line, bars;
    for (const std::vector<Point>& piece : drawn.pieces) {
      line += "M" + line_through(piece, &Point::y, false);
      if (drawn.has_band) {
        band += fmt::format("M{}L{}Z", line_through(piece, &Point::lo, false),
                            line_through(piece, &Point::hi, true));
      }
      for (const Point& point : piece) {
        if (drawn.has_bars) bars += bar(point);
      }
    }
    const auto path = [&](const char* kind, const std::string& d, const std::string& stroke) {
      return fmt::format("<path {} d=\"{}\"{}/>\n", of_line(kind), d, stroke);
    };
    if (!band.empty()) bands_ += path("band", band, "");
    lines_ += path("line", line, stroke_of(look, drawn.width));
    if (!bars.empty()) lines_ += path("bars", bars, "");
    if (look.mark) add_marks(drawn, of_line("marks"));
  }

  std::string bar(const Point& point) const {
    constexpr double kCap = 3;
    const Pixel lo = pixel(point.x, point.lo);
    const Pixel hi = pixel(point.x, point.hi);
    return fmt::format("M{0:.1f} {1:.1f}h{2}M{3:.1f} {1:.1f}V{4:.1f}M{0:.1f} {4:.1f}h{2}",
                       lo.x - kCap, lo.y, 2 * kCap, lo.x, hi.y);
  }

  void add_marks(const DrawnSeries& drawn, const std::string& of_line) {
    std::vector<Pixel> places = drawn.marks;
    for (const std::vector<Point>& piece : drawn.pieces) {
      for (const Point& point : piece) {
        if (drawn.has_bars) places.push_back(view_.frame.pixel(point.x, point.y));
      }
    }
    std::string marks;
    for (const Pixel& place : places) {
      if (!is_inside(place)) continue;
      const Pixel at = view_.place(place);
      // On a spot of paper: what lies under a mark would make it look like another.
      if (!drawn.has_bars) {
        marks += fmt::format(R"(<circle class="spot" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"/>)", at.x,
                             at.y, 8 * drawn.mark_size);
      }
      marks += mark_svg(*drawn.series->look.mark, at, drawn.mark_size, "");
    }
    if (!marks.empty()) marks_ += fmt::format("<g {}>{}</g>\n", of_line, marks);
  }

  const PanelView& view_;
  const std::vector<LegendEntry>& legend_;
  std::string bands_, lines_, marks_;
};

}  // namespace

std::string panel_svg(const Figure& figure, const PanelView& view,
                      const std::vector<LegendEntry>& legend) {
  std::string title;
  if (!view.panel->title.empty()) {
    title =
        fmt::format("<text class=\"title\" x=\"{}\" y=\"18\" text-anchor=\"middle\">{}</text>\n",
                    view.left + view.frame.width / 2, escaped(view.panel->title));
  }
  return fmt::format(
      "<svg class=\"panel\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}{}{}</svg>\n",
      view.width, view.height, escaped(panel_in_words(figure, view)), title, axes_svg(figure, view),
      Lines(view, legend).svg());
}

}  // namespace tacit::reports::page
