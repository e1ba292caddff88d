#include "tacit/reports/fits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tacit::reports {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string with_interval(const Slope& slope, const char* format) {
  const std::string value = fmt::format(fmt::runtime(format), slope.value);
  if (!std::isfinite(slope.half_width)) return value;
  return fmt::format("{} ± {}", value, fmt::format(fmt::runtime(format), slope.half_width));
}

Series fit_of(const Series& measured, const std::string& label) {
  Series fit;
  fit.label = label;
  fit.origin = Origin::kFit;
  fit.course = measured.course;
  fit.policy_name = measured.policy_name;
  return fit;
}

/// Both ends lie beyond the points, so that a fit is not taken for what joins them.
template <class Value>
Series swept_fit(const Series& measured, const std::string& label, Value value) {
  Series fit = fit_of(measured, label);
  const double low = measured.points.front().x / 1.3;
  const double high = measured.points.back().x * 1.3;
  constexpr int kSteps = 60;  // a power is no straight line on every axis
  for (int i = 0; i <= kSteps; ++i) {
    const double x = low * std::pow(high / low, static_cast<double>(i) / kSteps);
    fit.points.push_back({x, value(x), kNone, kNone});
  }
  return fit;
}

bool is_swept(const Series& series) {
  return series.is_measured() && series.course == Course::kSwept && series.points.size() >= 3 &&
         series.points.front().x > 0;
}

/// A power of x, on a floor.
Series power_fit(const Series& series, const Slope& slope, double floor = 0) {
  return swept_fit(series, "a power of x, fitted", [slope, floor](double x) {
    return floor + std::exp(slope.intercept) * std::pow(x, slope.value);
  });
}

const Series* measured_line(const Panel& panel, const std::string& policy) {
  const auto found = std::find_if(
      panel.series.begin(), panel.series.end(),
      [&](const Series& series) { return series.is_measured() && series.policy == policy; });
  return found == panel.series.end() ? nullptr : &*found;
}

/// What a claim says of a line above a level one: the slope of the line itself is then not spoken of.
std::optional<Series> fit_above(const Claim& claim, const Panel& panel, Series& series) {
  if (!claim.above || claim.policy != series.policy || !is_swept(series)) return {};
  const Series* floor = measured_line(panel, *claim.above);
  if (floor == nullptr || floor->course != Course::kFlat || floor->points.empty()) return {};
  const std::optional<Slope> slope = slope_above(series, *floor);
  if (!slope) return {};
  series.remark =
      fmt::format("above {} exponent {}", *claim.above, with_interval(*slope, "{:.2f}"));
  return power_fit(series, *slope, floor->points.front().y);
}

std::optional<Series> straight_fit(Series& series, const std::string& x_label) {
  std::vector<double> x;
  std::vector<Estimated> y;
  for (const Point& point : series.points) {
    x.push_back(point.x);
    y.push_back({point.y, (point.hi - point.lo) / 2});
  }
  const std::optional<Slope> fitted = straight_slope(x, y);
  if (!fitted) return {};
  const Slope line = *fitted;
  series.remark =
      fmt::format("{:.3g} + ({}) {}", line.intercept, with_interval(line, "{:.3g}"), x_label);
  return swept_fit(series, "a straight line, fitted",
                   [line](double at) { return line.intercept + line.value * at; });
}

/// A box around the last value, from a tenth of the rounds on.
Series room_to_settle(Series& series, double share) {
  const Point& first = *early_point(series);
  const Point& last = series.points.back();
  Series box = fit_of(
      series, fmt::format("room for a curve that settles: its last value ± {:.3g}%", 100 * share));
  const double low = last.y - share * std::abs(last.y);
  const double high = last.y + share * std::abs(last.y);
  for (const auto& [x, y] :
       {std::pair{first.x, low}, std::pair{last.x, low}, std::pair{last.x, high},
        std::pair{first.x, high}, std::pair{first.x, low}}) {
    box.points.push_back({x, y, kNone, kNone});
  }
  series.remark = fmt::format("moves by {:.3g}% after a tenth of the rounds",
                              100 * std::abs(last.y - first.y) / std::abs(last.y));
  return box;
}

}  // namespace

const Point* point_at(const Series& series, double x) {
  for (const Point& point : series.points) {
    if (point.x == x) return &point;
  }
  const bool everywhere = series.course == Course::kFlat && !series.points.empty();
  return everywhere ? &series.points.front() : nullptr;
}

std::optional<Slope> slope_above(const Series& line, const Series& floor) {
  std::vector<double> x;
  std::vector<Estimated> above;
  for (const Point& point : line.points) {
    const Point* below = point_at(floor, point.x);
    if (below == nullptr) continue;
    if (!(point.y > below->y)) return {};
    x.push_back(point.x);
    above.push_back(
        {point.y - below->y, std::hypot(point.hi - point.lo, below->hi - below->lo) / 2});
  }
  return log_log_slope(x, above);
}

const Point* early_point(const Series& series) {
  const Point* early = nullptr;
  for (const Point& point : series.points) {
    if (point.x <= series.points.back().x / 10 && std::isfinite(point.y)) early = &point;
  }
  return early;
}

void fit_power(Series& series) {
  std::vector<double> x;
  std::vector<Estimated> y;
  for (const Point& point : series.points) {
    x.push_back(point.x);
    y.push_back({point.y, (point.hi - point.lo) / 2});
  }
  series.slope = log_log_slope(x, y);
  if (series.slope) series.remark = "exponent " + with_interval(*series.slope, "{:.2f}");
}

void add_fits(const std::vector<Claim>& claims, const std::string& x_label, Panel& panel) {
  std::vector<Series> fits;
  for (Series& series : panel.series) {
    if (!series.is_measured()) continue;
    std::optional<Series> power;
    for (const Claim& claim : claims) {
      if (!power) power = fit_above(claim, panel, series);
    }
    if (!power && series.slope && is_swept(series)) power = power_fit(series, *series.slope);
    if (power) fits.push_back(std::move(*power));
    for (const Claim& claim : claims) {
      if (claim.policy != series.policy) continue;
      if (claim.linear && is_swept(series)) {
        if (auto fit = straight_fit(series, x_label)) fits.push_back(std::move(*fit));
      }
      const bool settles = claim.settles && series.course == Course::kOverRounds;
      if (settles && early_point(series) != nullptr && series.points.back().y != 0) {
        fits.push_back(room_to_settle(series, *claim.settles));
      }
    }
  }
  for (Series& fit : fits) panel.series.push_back(std::move(fit));
}

}  // namespace tacit::reports
