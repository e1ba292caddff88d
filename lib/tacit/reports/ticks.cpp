#include "tacit/reports/ticks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace tacit::reports {
namespace {

bool is_in(const Range& range, double value) {
  const double slack = 1e-9 * (range.high - range.low);
  return value >= range.low - slack && value <= range.high + slack;
}

/// A step of 1, 2 or 5 times a power of ten that fits about five times.
double step_for(double size) {
  constexpr double kSteps = 5;
  const double power = std::pow(10, std::floor(std::log10(size / kSteps)));
  for (const double part : {1.0, 2.0, 5.0}) {
    if (size / (part * power) <= kSteps + 1) return part * power;
  }
  return 10 * power;
}

/// 1, 2 and 5 times powers of ten, and a few more where that would be too few.
std::vector<Tick> few_in_a_decade(const Range& range) {
  std::vector<double> parts{1, 2, 5};
  if (range.high / range.low < 20) parts = {1, 2, 3, 5, 7};
  std::vector<Tick> ticks;
  for (double power = std::pow(10, std::floor(std::log10(range.low))); power <= range.high;
       power *= 10) {
    for (const double part : parts) {
      if (is_in(range, part * power)) ticks.push_back({part * power, short_number(part * power)});
    }
  }
  return ticks;
}

/// Small powers of ten as such: their zeros take room.
std::string label_of(double x) {
  const double power = std::round(std::log10(x));
  constexpr double kSmall = -3;
  const bool is_power = std::abs(x / std::pow(10, power) - 1) < 1e-9;
  return is_power && power <= kSmall ? fmt::format("10^{{{:.0f}}}", power) : short_number(x);
}

/// As many as are seen.
double letters_of(const std::string& label) {
  return static_cast<double>(std::count_if(
      label.begin(), label.end(), [](char c) { return c != '^' && c != '{' && c != '}'; }));
}

}  // namespace

std::string short_number(double value, double largest) {
  const double size = std::max(std::abs(value), std::abs(largest));
  if (value == 0) return "0";
  if (size >= 1e9) return fmt::format("{:.4g}G", value / 1e9);
  if (size >= 1e6) return fmt::format("{:.4g}M", value / 1e6);
  if (size >= 1e4) return fmt::format("{:.4g}k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

std::vector<Tick> linear_ticks(const Range& range) {
  const double step = step_for(range.high - range.low);
  std::vector<Tick> ticks;
  for (double i = std::ceil(range.low / step - 1e-9); is_in(range, i * step); ++i) {
    const double value = i == 0 ? 0 : i * step;
    ticks.push_back({value, short_number(value, range.high)});
  }
  return ticks;
}

std::vector<Tick> logarithmic_ticks(const Range& range) {
  const double decades = std::log10(range.high / range.low);
  if (decades < 0.6) return linear_ticks(range);
  if (decades < 2) return few_in_a_decade(range);
  constexpr double kLabels = 6;
  const int stride = static_cast<int>(std::ceil(decades / kLabels));
  std::vector<Tick> ticks;
  for (int power = static_cast<int>(std::floor(std::log10(range.low)));
       std::pow(10, power) <= range.high; ++power) {
    const double ten = std::pow(10, power);
    for (int part = 1; part < 10; ++part) {
      if (!is_in(range, part * ten)) continue;
      const bool has_label = part == 1 && power % stride == 0;
      if (has_label || stride == 1) {
        ticks.push_back({part * ten, has_label ? fmt::format("10^{{{}}}", power) : ""});
      }
    }
  }
  return ticks;
}

std::vector<Tick> x_ticks(const Frame& frame, const Panel& panel) {
  if (!frame.scales.log_x) return linear_ticks(frame.x);
  std::set<double> values;
  for (const Series& series : panel.series) {
    if (!series.is_measured() || series.course != Course::kSwept) continue;
    for (const Point& point : series.points) {
      if (point.x > 0) values.insert(point.x);
    }
  }
  constexpr std::size_t kFew = 9;
  if (values.empty() || values.size() > kFew) return logarithmic_ticks(frame.x);
  std::vector<Tick> ticks;
  double free = -frame.width;  // from where on there is room for a label, in pixels
  for (const double x : values) {
    const std::string label = label_of(x);
    constexpr double kHalfLetter = 5;
    const double half = kHalfLetter * (letters_of(label) + 1);
    const double at = frame.pixel(x, frame.y.high).x;
    ticks.push_back({x, at - half >= free ? label : ""});
    if (at - half >= free) free = at + half;
  }
  return ticks;
}

std::vector<Tick> y_ticks(const Frame& frame) {
  return frame.scales.log_y ? logarithmic_ticks(frame.y) : linear_ticks(frame.y);
}

}  // namespace tacit::reports
