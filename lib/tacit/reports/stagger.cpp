#include "tacit/reports/stagger.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tacit::reports {
namespace {

constexpr double kLineWidth = 3;  // pixels

/// None beside the line.
std::optional<double> height_at(const Polyline& line, double x) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Pixel& a = line[i - 1];
    const Pixel& b = line[i];
    if (x < a.x || x > b.x) continue;
    return b.x > a.x ? a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x) : b.y;
  }
  return {};
}

}  // namespace

Polyline polyline_of(const Frame& frame, const Series& series) {
  Polyline line;
  for (const Point& point : shown_points(frame, series)) {
    line.push_back(frame.pixel(point.x, point.y));
  }
  return line;
}

bool coincide(const Polyline& one, const Polyline& other) {
  if (one.empty() || other.empty()) return false;
  const double left = std::max(one.front().x, other.front().x);
  const double right = std::min(one.back().x, other.back().x);
  if (right < left) return false;
  if (right == left) {  // single points
    return one.size() == 1 && other.size() == 1 &&
           std::abs(one.front().y - other.front().y) <= kLineWidth;
  }
  constexpr int kSteps = 60;
  int near = 0;
  int compared = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = left + (right - left) * i / kSteps;
    const auto a = height_at(one, x);
    const auto b = height_at(other, x);
    if (!a || !b) continue;
    ++compared;
    near += std::abs(*a - *b) <= kLineWidth ? 1 : 0;
  }
  return 2 * near >= compared && near > 0;
}

std::vector<Place> piles_of(const std::vector<Polyline>& lines) {
  std::vector<std::size_t> pile(lines.size());  // by its lowest line
  for (std::size_t i = 0; i < lines.size(); ++i) {
    pile[i] = i;
    for (std::size_t j = 0; j < i; ++j) {
      if (pile[j] == pile[i] || !coincide(lines[i], lines[j])) continue;
      const std::size_t low = std::min(pile[i], pile[j]);
      const std::size_t high = std::max(pile[i], pile[j]);
      std::replace(pile.begin(), pile.begin() + static_cast<std::ptrdiff_t>(i) + 1, high, low);
    }
  }
  std::vector<Place> places(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    places[i].height = static_cast<int>(std::count(pile.begin(), pile.end(), pile[i]));
    places[i].place = static_cast<int>(
        std::count(pile.begin(), pile.begin() + static_cast<std::ptrdiff_t>(i), pile[i]));
  }
  return places;
}

std::vector<Pixel> staggered(const Polyline& line, std::size_t number, std::size_t lines) {
  constexpr int kMarks = 5;
  if (line.empty()) return {};
  const double left = line.front().x;
  const double width = line.back().x - left;
  if (!(width > 0)) return {line.front()};
  std::vector<Pixel> marks;
  const double offset = (static_cast<double>(number) + 0.5) / static_cast<double>(lines);
  for (int i = 0; i < kMarks; ++i) {
    const double x = left + width * (i + offset) / kMarks;
    if (const auto y = height_at(line, x)) marks.push_back({x, *y});
  }
  return marks;
}

}  // namespace tacit::reports
