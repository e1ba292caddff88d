#include "tacit/indices/stop_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tacit::indices {

void StopIndex::add(State& s, int position, double click, double examination) const noexcept {
  s.clicks += click;
  s.examinations += examination;
  s.shown += 1;
  s.furthest = std::max(s.furthest, position);
  const double r = gap_;
  const double d2 = 1 / (r * r);
  const double before = position;
  s.v0 += d2 * q_ * (1 - q_);
  if (response_) {
    const double slope = r + before * q_;
    s.v1 += d2 * (r - 2 * q_ * slope);
    s.v2 += d2 * (before * q_ - slope * slope);
  } else {
    s.v1 += d2 * r * (1 - 2 * q_);
    s.v2 += d2 * (before * q_ * (1 - q_) - r * r);
  }
}

double StopIndex::upper(const State& s, double level) const noexcept {
  if (s.shown == 0) return std::numeric_limits<double>::infinity();
  const auto room = [&](double w) {
    const double c = w + q_ / gap_ * (1 + w * s.furthest);
    const double variance = std::max(0.0, s.v0 + w * (s.v1 + w * s.v2));
    const double a = c * level / 3;
    return s.clicks - w * s.examinations + a + std::sqrt(a * a + 2 * variance * level);
  };
  if (room(1) >= 0) return 1;
  double low = 0;
  double high = 1;
  if (room(0) < 0) {
    constexpr int kPoints = 32;
    int k = kPoints - 1;
    while (k > 0 && room(static_cast<double>(k) / kPoints) < 0) --k;
    if (k == 0) return 0;
    low = static_cast<double>(k) / kPoints;
    high = low + 1.0 / kPoints;
  }
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (room(middle) >= 0 ? low : high) = middle;
  }
  return low;
}

}  // namespace tacit::indices
