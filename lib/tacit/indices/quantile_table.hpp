// Upper quantiles of noise whose law is known: found exactly, and at 1 - 1/t from a table.
//
// A law has log_tail(x) = ln P(X > x) for x >= 0 and hazard(x) = -d/dx log_tail(x); its density is symmetric and
// log-concave.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace tacit::indices {

/// The x >= 0 with P(X > x) = e^-level; 0 when level <= ln 2.
template <class Law>
double upper_quantile_of(const Law& law, double level) {
  if (level <= std::numbers::ln2) return 0;
  // -log_tail is convex and increasing (the density is log-concave), so Newton from the right
  // descends to the root; one step from any point on the left lands on the right.
  double x = level;
  for (int i = 0; i < 200; ++i) {
    const double step = (-law.log_tail(x) - level) / law.hazard(x);
    x = std::max(0.0, x - step);
    if (std::abs(step) <= 1e-13 * (1 + x)) break;
  }
  return x;
}

/// Where a round is in all such tables, so that a policy with many arms looks for it once.
struct QuantilePlace {
  int knot = -1;  // the one before it; -1: not looked for yet
  // Of this knot's value and slope and of the next one's.
  double value = 0;
  double slope = 0;
  double next_value = 0;
  double next_slope = 0;
};

/// Quantiles at 1 - 1/t in every round, tabulated in ln t: cubic Hermite interpolation with the exact
/// slopes, within 1e-6 (1 + q) of the exact quantile q.
class QuantileTable {
 public:
  template <class Law>
  explicit QuantileTable(const Law& law) {
    for (int i = 0; i <= kKnots; ++i) {
      const double x = law.upper_quantile(kFirst + i * kStep);
      knots_.push_back({x, 1 / law.hazard(x)});
    }
  }

  static QuantilePlace place(double log_t) noexcept {
    if (log_t <= kFirst) return {.knot = 0};
    const double position = (log_t - kFirst) * kStepsToOne;
    const auto knot = static_cast<int>(position);
    const double u = position - knot;
    const double v = 1 - u;
    const double both = kStep * u * v;
    return {.knot = knot,
            .value = v * v * (1 + 2 * u),
            .slope = both * v,
            .next_value = u * u * (1 + 2 * v),
            .next_slope = -both * u};
  }
  double at(const QuantilePlace& place) const noexcept {
    const auto knot = knots_.begin() + place.knot;
    return (place.value * knot[0].value + place.next_value * knot[1].value) +
           (place.slope * knot[0].slope + place.next_slope * knot[1].slope);
  }
  double at(double log_t) const noexcept { return at(place(log_t)); }

 private:
  // The grid in ln t: from ln 2, below which every quantile is 0, past ln 2^53 = 36.7.
  static constexpr double kFirst = std::numbers::ln2;
  static constexpr double kStepsToOne = 20;
  static constexpr double kStep = 1 / kStepsToOne;
  static constexpr int kKnots = 725;

  struct Knot {
    double value;
    double slope;
  };
  std::vector<Knot> knots_;
};

}  // namespace tacit::indices
