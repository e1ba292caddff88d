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

StopIndex::Room StopIndex::room(const State& s, double w, double level) const noexcept {
  const double c = w + q_ / gap_ * (1 + w * s.furthest);
  const double variance = std::max(0.0, s.v0 + w * (s.v1 + w * s.v2));
  const double a = c * level / 3;
  const double root = std::sqrt(a * a + 2 * variance * level);
  const double a_slope = (1 + q_ / gap_ * s.furthest) * level / 3;
  return {s.clicks - w * s.examinations + a + root,
          a_slope - s.examinations + (a * a_slope + (s.v1 + 2 * w * s.v2) * level) / root};
}

Enclosure StopIndex::near(const State& s, const Clock& clock, double guess) const noexcept {
  if (s.shown == 0) return Enclosure::of_always(std::numeric_limits<double>::infinity());
  const double level = this->level(clock);
  if (room(s, 1, level).left >= 0) return Enclosure::of_always(1);
  constexpr double kBisected = 2e-12;  // what 40 halvings leave
  constexpr double kClose = 4e-10;
  // Inside the root is a quadratic in w, whose square root is convex or concave throughout. So there is room below one
  // point of [0, 1] and none beyond, if there is some at 0 and none at 1: two signs enclose it.
  const bool crosses = room(s, 0, level).left >= 0;
  if (crosses && guess > 0 && guess < 1) {
    constexpr int kSteps = 4;
    double w = guess;
    for (int i = 0; i < kSteps && w > kClose && w < 1 - kClose; ++i) {
      const Room here = room(s, w, level);
      const double step = here.left / here.slope;
      w -= step;
      if (std::abs(step) > kClose) continue;
      if (w > kClose && w < 1 - kClose && room(s, w - kClose, level).left >= 0 &&
          room(s, w + kClose, level).left < 0) {
        return {.value = w, .doubt = kClose + kBisected};
      }
      break;
    }
  }
  const double w = upper(s, level);
  if (!crosses) return Enclosure::of_now(w);  // found by looking at some points
  return {.value = w, .doubt = kBisected, .exact = true};
}

double StopIndex::upper(const State& s, double level) const noexcept {
  if (s.shown == 0) return std::numeric_limits<double>::infinity();
  const auto room = [&](double w) { return this->room(s, w, level).left; };
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
