// Upper quantiles of noise whose law is known: found exactly, and at 1 - 1/t from a table.
//
// A law has log_tail(x) = ln P(X > x) for x >= 0 and hazard(x) = -d/dx log_tail(x); its density is symmetric and
// log-concave.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
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

  double at(double log_t) const noexcept {
    if (log_t <= kFirst) return 0;
    const double position = (log_t - kFirst) / kStep;
    const auto i = static_cast<std::size_t>(position);
    const double u = position - static_cast<double>(i);
    const Knot& left = knots_[i];
    const Knot& right = knots_[i + 1];
    const double v = 1 - u;
    return left.value * v * v * (1 + 2 * u) + right.value * u * u * (1 + 2 * v) +
           kStep * u * v * (left.slope * v - right.slope * u);
  }

 private:
  // The grid in ln t: from ln 2, below which every quantile is 0, past ln 2^53 = 36.7.
  static constexpr double kFirst = std::numbers::ln2;
  static constexpr double kStep = 0.05;
  static constexpr int kKnots = 725;

  struct Knot {
    double value;
    double slope;
  };
  std::vector<Knot> knots_;
};

}  // namespace tacit::indices
