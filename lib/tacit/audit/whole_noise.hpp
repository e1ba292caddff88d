// Noise on whole numbers, as exact audits have it: P(x) proportional to exp(-|x|/scale), or to exp(-x/scale) from 0 on.
#pragma once

#include <cmath>
#include <cstdlib>

namespace tacit::audit {

/// Noise on whole numbers, its values from -reach to reach.
struct WholeNoise {
  double scale;
  bool one_sided = false;

  double chance(int x) const {
    const double a = 1 / scale;
    if (one_sided) return x < 0 ? 0 : -std::expm1(-a) * std::exp(-a * x);
    return std::tanh(a / 2) * std::exp(-a * std::abs(x));
  }
  /// P(noise >= x).
  double at_least(int x) const {
    const double a = 1 / scale;
    if (one_sided) return x <= 0 ? 1 : std::exp(-a * x);
    return x > 0 ? std::exp(-a * x) / (1 + std::exp(-a))
                 : 1 - std::exp(-a * (1 - x)) / (1 + std::exp(-a));
  }
  double values_one_side() const { return std::ceil(24 * scale); }
  int reach() const { return static_cast<int>(values_one_side()); }
};

}  // namespace tacit::audit
