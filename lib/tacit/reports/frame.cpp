#include "tacit/reports/frame.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tacit::reports {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// How far along an axis, from 0 at its low end to 1.
double share(const Range& range, bool log, double value) {
  return log ? std::log(value / range.low) / std::log(range.high / range.low)
             : (value - range.low) / (range.high - range.low);
}
double value_at(const Range& range, bool log, double share) {
  return log ? range.low * std::pow(range.high / range.low, share)
             : range.low + share * (range.high - range.low);
}

void include(Range& range, double value) {
  if (!std::isfinite(value)) return;
  range = {std::min(range.low, value), std::max(range.high, value)};
}

bool is_empty(const Range& range) { return range.low > range.high; }

/// A little room at both ends; one value alone gets some too.
Range with_room(Range range, bool log) {
  if (is_empty(range)) return log ? Range{1, 10} : Range{0, 1};
  constexpr double kRoom = 0.04;
  if (log) {
    const double room = range.high > range.low ? std::pow(range.high / range.low, kRoom) : 2;
    return {range.low / room, range.high * room};
  }
  const double size = range.high > range.low ? range.high - range.low
                      : range.high != 0      ? std::abs(range.high)
                                             : 1;
  return {range.low - kRoom * size, range.high + kRoom * size};
}

/// An axis that nearly reaches 0 does.
Range down_to_zero(const Range& around, const Range& range) {
  constexpr double kNear = 0.4;
  const bool near = range.low >= 0 && range.low <= kNear * range.high;
  return {near ? 0 : around.low, around.high};
}

Range x_range(const Figure& figure, const Panel& panel, const Scales& scales) {
  Range range{kNoLimit, -kNoLimit};
  bool over_rounds = false;
  for (const Series& series : panel.series) {
    if (series.origin == Origin::kFit) continue;
    over_rounds = over_rounds || series.course == Course::kOverRounds;
    for (const Point& point : series.points) {
      if (!scales.log_x || point.x > 0) include(range, point.x);
    }
  }
  if (over_rounds && range.high > range.low) {  // curves reach the end of the axis
    if (!scales.log_x) return {0, range.high};
    return {figure.from && *figure.from < range.high ? *figure.from : range.low, range.high};
  }
  const Range around = with_room(range, scales.log_x);
  return scales.log_x ? around : down_to_zero(around, range);
}

bool decides_y(const Figure& figure, const Series& series, const Scales& scales) {
  // A power is drawn beyond its points, and may leave the picture there; the room of a curve over rounds may not.
  if (series.origin == Origin::kFit) return series.course == Course::kOverRounds;
  const bool other_row = figure.also && (figure.also->log_y || figure.scales.log_y);
  return series.is_measured() || scales.log_y || !other_row;
}

Range y_range(const Figure& figure, const Panel& panel, const Frame& frame) {
  Range values{kNoLimit, -kNoLimit};
  Range intervals = values;
  for (const Series& series : panel.series) {
    if (!decides_y(figure, series, frame.scales)) continue;
    for (const Point& point : shown_points(frame, series)) {
      include(values, point.y);
      include(intervals, point.lo);
      include(intervals, point.hi);
    }
  }
  // Where an interval is much wider than all that was measured it is cut off.
  const bool log = frame.scales.log_y;
  const double size = values.high - values.low;
  Range range = values;
  if (figure.whole_intervals) {
    include(range, intervals.low);
    include(range, intervals.high);
  } else if (!is_empty(values)) {
    include(range, std::max(intervals.low,
                            log ? values.low / 2
                                : std::max(values.low - size / 4, std::min(values.low, 0.0))));
    include(range, std::min(intervals.high, log ? values.high * 2 : values.high + size / 4));
  }
  const Range around = with_room(range, log);
  return log || figure.y == Quantity::kReturn ? around : down_to_zero(around, range);
}

}  // namespace

bool Frame::can_show(const Point& point) const {
  return std::isfinite(point.x) && std::isfinite(point.y) && !(scales.log_x && point.x <= 0) &&
         !(scales.log_y && point.y <= 0);
}

Pixel Frame::pixel(double at_x, double at_y) const {
  return {width * share(x, scales.log_x, at_x), height * share(y, scales.log_y, at_y)};
}
double Frame::x_of(const Pixel& pixel) const { return value_at(x, scales.log_x, pixel.x / width); }
double Frame::y_of(const Pixel& pixel) const { return value_at(y, scales.log_y, pixel.y / height); }

Frame frame_of(const Figure& figure, const Panel& panel, const Scales& scales, double width,
               double height) {
  Frame frame{scales, x_range(figure, panel, scales), {}, width, height};
  frame.y = y_range(figure, panel, frame);
  return frame;
}

bool is_shown(const Frame& frame, const Series& series, const Point& point) {
  const bool beside = series.origin != Origin::kFit && point.x < frame.x.low;
  return frame.can_show(point) && !beside;
}

std::vector<Point> shown_points(const Frame& frame, const Series& series) {
  std::vector<Point> shown;
  for (const Point& point : series.points) {
    if (is_shown(frame, series, point)) shown.push_back(point);
  }
  return shown;
}

}  // namespace tacit::reports
