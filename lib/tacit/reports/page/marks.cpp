#include "tacit/reports/page/marks.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tacit/reports/page/colours.hpp"

namespace tacit::reports::page {
namespace {

constexpr double kRadius = 5.6;

struct Shape {
  int corners;
  double turn;    // of the first corner, in degrees from the top
  double radius;  // so that all look as large
};

/// Of the marks with corners; the empty one, then the full one, as gnuplot has them.
Shape shape_of(Mark mark) {
  switch (mark) {
    case Mark::kSquare:
    case Mark::kFullSquare: return {4, 45, 1.3};
    case Mark::kTriangle:
    case Mark::kFullTriangle: return {3, 0, 1.4};
    case Mark::kDownTriangle:
    case Mark::kFullDownTriangle: return {3, 180, 1.4};
    case Mark::kDiamond:
    case Mark::kFullDiamond: return {4, 0, 1.4};
    case Mark::kPentagon:
    case Mark::kFullPentagon: return {5, 0, 1.25};
    case Mark::kPlus:
    case Mark::kCross:
    case Mark::kStar:
    case Mark::kCircle:
    case Mark::kFullCircle: break;
  }
  return {0, 0, 1};
}

bool is_full(Mark mark) {
  const int number = static_cast<int>(mark);
  return number >= static_cast<int>(Mark::kSquare) && number % 2 == 1;
}

std::string strokes(Mark mark, const Pixel& at, double r) {
  std::string upright = fmt::format("M{:.1f} {:.1f}h{:.1f}M{:.1f} {:.1f}v{:.1f}", at.x - r, at.y,
                                    2 * r, at.x, at.y - r, 2 * r);
  const double s = r / std::numbers::sqrt2 * 1.2;
  const std::string oblique =
      fmt::format("M{0:.1f} {1:.1f}l{2:.1f} {2:.1f}M{0:.1f} {3:.1f}l{2:.1f} {4:.1f}", at.x - s,
                  at.y - s, 2 * s, at.y + s, -2 * s);
  if (mark == Mark::kPlus) return upright;
  return mark == Mark::kCross ? oblique : upright + oblique;
}

std::string outline(const Shape& shape, const Pixel& at, double r) {
  std::string path;
  for (int i = 0; i < shape.corners; ++i) {
    const double turn =
        (shape.turn / 360 + static_cast<double>(i) / shape.corners) * 2 * std::numbers::pi;
    path +=
        fmt::format("{}{:.1f} {:.1f}", i == 0 ? 'M' : 'L', at.x + shape.radius * r * std::sin(turn),
                    at.y - shape.radius * r * std::cos(turn));
  }
  return path + "Z";
}

}  // namespace

std::string mark_svg(Mark mark, const Pixel& at, double size, const std::string& attributes) {
  const double r = kRadius * size;
  const char* fill = is_full(mark) ? "full" : "empty";
  if (mark == Mark::kCircle || mark == Mark::kFullCircle) {
    return fmt::format(R"(<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"{}/>)", fill, at.x,
                       at.y, r, attributes);
  }
  const Shape shape = shape_of(mark);
  return fmt::format(R"(<path class="{}" d="{}"{}/>)", shape.corners == 0 ? "strokes" : fill,
                     shape.corners == 0 ? strokes(mark, at, r) : outline(shape, at, r), attributes);
}

std::string stroke_of(const Look& look, double width) {
  std::string text = fmt::format(" stroke-width=\"{:.3g}\"", width);
  if (!look.dashes.starts_with('(')) return text;
  // gnuplot's numbers are halves of the line's width.
  std::vector<std::string> dashes;
  for (std::size_t at = 1; at < look.dashes.size();) {
    const std::size_t end = look.dashes.find_first_of(",)", at);
    dashes.push_back(
        fmt::format("{:.3g}", std::stod(look.dashes.substr(at, end - at)) * width / 2));
    at = end + 1;
  }
  return text + fmt::format(" stroke-dasharray=\"{}\"", fmt::join(dashes, " "));
}

std::string sample_svg(const Look& look) {
  constexpr int kWidth = 50;
  constexpr int kHeight = 18;
  constexpr Pixel kMiddle{kWidth / 2.0, kHeight / 2.0};
  std::string mark;
  if (look.mark) {
    mark = fmt::format(R"(<circle class="spot" cx="{}" cy="{}" r="8"/>{})", kMiddle.x, kMiddle.y,
                       mark_svg(*look.mark, kMiddle, 1, ""));
  }
  return fmt::format(
      "<svg class=\"sample {0}\" viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\" "
      "aria-hidden=\"true\"><path class=\"line\" d=\"M0 {3}H{1}\"{4}/>{5}</svg>",
      colour_class(look.colour), kWidth, kHeight, kHeight / 2, stroke_of(look, look.width), mark);
}

}  // namespace tacit::reports::page
