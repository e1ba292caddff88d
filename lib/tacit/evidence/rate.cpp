#include "tacit/evidence/rate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tacit::evidence {
namespace {

// e^-l is 0 beyond this, so a larger l gains nothing; without it a tiny noise scale would let l
// overflow.
constexpr double kLargestTilt = 745;

struct Tilted {
  double value;
  double slope;
  double curvature;
};

/// The function whose maximum over l is the rate, with its first two derivatives. Concave in l.
Tilted rate_at(double l, double s, double n, int noises, double scale, double mean) {
  const double tilted = mean * std::exp(-l);
  const double total = 1 - mean + tilted;
  const double noise = l * scale;
  const double left = 1 - noise * noise;
  return {-l * s - n * std::log1p(mean * std::expm1(-l)) + noises * std::log1p(-noise * noise),
          -s + n * tilted / total - noises * 2 * noise * scale / left,
          -n * tilted * (1 - mean) / (total * total) -
              noises * 2 * scale * scale * (1 + noise * noise) / (left * left)};
}

/// Where the closed form of upper_mean is least, and there.
struct Tightest {
  double l;        // 0: every mean is plausible
  double charged;  // c(l); 0: no mean is
  double missed;   // how much more the closed form may be there than where it is least
};

/// How close the search comes to the best l, as a share of it.
constexpr double kCloseEnough = 1e-7;
/// Steps after which most searches are over.
constexpr int kQuick = 20;
/// More than is ever missed where it does not settle.
constexpr double kUnsettled = 5e-12;

Tightest tightest(double s, double n, int noises, double scale, double level) {
  // It has the closed form  min over l of  [1 - e^(-c(l)/n)]/(1 - e^-l),
  //   c(l) = level + l s - noises ln(1 - l^2 b^2).
  // It is 1 when c(l) >= l n for every l, and no mean is left when c(l) < 0 for some: the smallest
  // c(l) - l x, for x = n and x = 0, has a closed form, which settles the case of a little-known arm
  // at once.
  const double b2 = scale * scale;
  const double reach = noises * scale;
  const double largest = std::min(1 / scale, kLargestTilt) * (1 - 1e-12);
  const auto charged = [=](double l) { return level + l * s - noises * std::log1p(-l * l * b2); };
  const auto lowest_at = [=](double missing) {
    return std::min(largest, missing / (std::hypot(reach, missing) + reach) / scale);
  };
  if (n <= s) return {0, level, 0};
  const double nearest = lowest_at(n - s);
  if (charged(nearest) >= nearest * n) return {0, level, 0};
  if (s < 0 && charged(lowest_at(-s)) <= 0) return {nearest, 0, 0};
  // Where the bound is below 1 it is quasi-convex, because the rate of a mean is concave in l; that is
  // an interval around `nearest`. The minimum is where  c'(l) (e^l - 1) = n (e^(c(l)/n) - 1), and the
  // difference of the sides is negative left of it: Newton within a bracket that shrinks.
  double low = 0;
  double high = largest;
  const double mean = std::clamp(s / n, 0.05, 0.95);
  double missed = kUnsettled;
  double l = std::min(0.5 * high, std::sqrt(level / (n * mean * (1 - mean) + 2 * noises * b2)));
  for (int i = 0; i < 100; ++i) {
    const double left = 1 - l * l * b2;
    const double c = charged(l);
    double next = 0;
    if (c >= l * n) {
      (l < nearest ? low : high) = l;
    } else {
      const double slope = s + 2 * noises * l * b2 / left;
      const double curvature = 2 * noises * b2 * (1 + l * l * b2) / (left * left);
      const double tilt = std::expm1(l);
      const double lift = std::expm1(c / n);
      const double difference = slope * tilt - n * lift;
      (difference < 0 ? low : high) = l;
      const double rise = curvature * tilt + slope * (tilt - lift);  // of the difference, with l
      next = l - difference / rise;
      // Done, since the bound is flat there; but next to the pole at 1/b steps are small because the
      // slope is steep, not because the sides are near each other.
      if (std::abs(next - l) <= kCloseEnough * l &&
          std::abs(difference) <= 1e-3 * (n * lift + std::abs(slope) * tilt)) {
        // The closed form's derivative is the difference over n (e^l - 1)^2 e^(c/n - l).
        const double away = kCloseEnough * l;
        const double bend = rise * (1 + tilt) / (n * tilt * tilt * (1 + lift));
        if (std::isfinite(bend)) missed = std::abs(bend) * away * away;
        break;
      }
    }
    // Far out both sides are exponential, and Newton goes down by 1 a step.
    const bool creeps = i >= kQuick && i % 2 == 0;
    if (creeps || !(next > low && next < high)) next = 0.5 * (low + high);
    l = std::min(next, l + 0.9 * (largest - l));
  }
  return {l, charged(l), missed};
}

}  // namespace

double rate(double s, double n, int noises, double scale, double mean) {
  if (n * mean <= s) return 0;
  double low = 0;
  double high = std::min((1 - 1e-12) / scale, kLargestTilt);
  double l = 0.5 * high;
  Tilted at = rate_at(l, s, n, noises, scale, mean);
  // Newton on the slope, which decreases, kept within a shrinking bracket.
  for (int i = 0; i < 60; ++i) {
    (at.slope > 0 ? low : high) = l;
    double next = l - at.slope / at.curvature;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool settled = std::abs(next - l) <= 1e-10 * l;
    l = next;
    at = rate_at(l, s, n, noises, scale, mean);
    if (settled) break;
  }
  return std::max(0.0, at.value);
}

UpperMean upper_mean(double s, double n, int noises, double scale, double level) {
  const Tightest at = tightest(s, n, noises, scale, level);
  if (at.l == 0) return {1, 0, 0, 0, 0};
  if (at.charged == 0) return {0, 0, 0, 1, 0};
  const double share = -std::expm1(-at.l);
  const double exponent = at.charged / n;
  const double kept = std::exp(-exponent);
  const double value = std::min(1.0, -std::expm1(-exponent) / share);
  const double rest = std::max(0.0, -kept * std::expm1(exponent - at.l) / share);
  // What rounding makes of the terms of c, which may cancel, of l, and of quotients.
  constexpr double kRounding = 1e-15;
  const double terms = level + at.l * std::abs(s) + std::abs(at.charged - level - at.l * s);
  const double slope = kept / (n * share);  // of v at this l
  const double rounded = kRounding * slope * terms;
  return {value, slope, 2 * (at.missed + rounded + kRounding * value), rest,
          2 * (at.missed + rounded + kRounding * (rest + kept * at.l / share))};
}

double upper_mean_log_rest(double s, double n, int noises, double scale, double level) {
  const Tightest at = tightest(s, n, noises, scale, level);
  if (at.l == 0) return -std::numeric_limits<double>::infinity();
  if (at.charged == 0) return 0;
  if (!(at.charged < at.l * n)) return -std::numeric_limits<double>::infinity();
  // 1 - mean = (e^(-c/n) - e^-l)/(1 - e^-l)
  const double exponent = at.charged / n;
  return -exponent + std::log(-std::expm1(exponent - at.l)) - std::log(-std::expm1(-at.l));
}

}  // namespace tacit::evidence
