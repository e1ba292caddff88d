#include "tacit/indices/kl.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tacit::indices {
namespace {

/// x ln(x/y) with 0 ln 0 = 0.
double x_log_ratio(double x, double y) { return x > 0 ? x * std::log(x / y) : 0.0; }

/// 1 - y + y e^-eps, without cancellation at either end.
double tilted_total(double y, double epsilon) {
  return y > 0.5 ? (1 - y) + y * std::exp(-epsilon) : 1 + y * std::expm1(-epsilon);
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Of a coin, in nats; mean in (0, 1).
double entropy_of(double mean) { return -(mean * std::log(mean) + (1 - mean) * std::log1p(-mean)); }

/// How closely an index is enclosed: far closer than two arms' indices are but by chance, and two steps of Newton away
/// from any fair guess.
constexpr double kCloseEnough = 1e-8;

}  // namespace

double kl(double x, double y) { return x_log_ratio(x, y) + x_log_ratio(1 - x, 1 - y); }

double d_epsilon(double x, double y, double epsilon) {
  if (x >= y) return 0;
  const double kept = tilted_total(y, epsilon);
  const double z = y * std::exp(-epsilon) / kept;
  // At y = 1 what is kept is e^-eps, which may not fit a double though its logarithm does.
  const double log_kept = y >= 1 ? -epsilon : std::log(kept);
  return y < 1 && x >= z ? kl(x, y) : -epsilon * x - log_kept;
}

double kl_upper(double mean, double level) {
  if (mean >= 1 || level <= 0) return mean;
  if (mean <= 0) return -std::expm1(-level);  // kl(0, q) = -ln(1-q)
  // Newton from the right on a convex increasing function descends to the root without leaving
  // (mean, 1). Two upper bounds to start from: Pinsker's, and the one that drops -mean ln q >= 0.
  const double entropy = entropy_of(mean);
  double q = std::min(mean + std::sqrt(level / 2), -std::expm1(-(level + entropy) / (1 - mean)));
  if (q >= 1) return 1;  // closer to 1 than a double can say
  for (int i = 0; i < 100; ++i) {
    const double excess = -entropy - mean * std::log(q) - (1 - mean) * std::log1p(-q) - level;
    const double step = excess * q * (1 - q) / (q - mean);
    if (!(step > 1e-15 * q)) break;
    q -= step;
    if (q <= mean) return mean;
  }
  return q;
}

double kl_upper_log_rest(double mean, double level) {
  if (mean >= 1) return -kInfinity;
  if (level <= 0) return std::log1p(-mean);
  if (mean <= 0) return -level;
  // kl(mean, 1 - e^-rest) is convex and increasing in `rest` right of the mean; again without -mean ln q >= 0.
  const double entropy = entropy_of(mean);
  double rest = (level + entropy) / (1 - mean);
  for (int i = 0; i < 100; ++i) {
    const double excess = (1 - mean) * rest - mean * std::log(-std::expm1(-rest)) - entropy - level;
    const double step = excess / ((1 - mean) - mean / std::expm1(rest));
    if (!(step > 1e-15 * rest && step < rest)) break;
    rest -= step;
  }
  return -rest;
}

Enclosure KlUcb::near(const State& s, const Clock& clock, double guess) const {
  if (s.inverse_n == 0) return Enclosure::of_always(std::numeric_limits<double>::infinity());
  const double mean = clip01(s.mean);
  if (mean >= 1) return Enclosure::of_always(1);
  if (shape_.iterated_factor != 0 && clock.log_t <= 1) return Enclosure::of_now(value(s, clock));
  const double level = this->level(clock);
  const double iterated = shape_.iterated_factor != 0 ? shape_.iterated_factor / clock.log_t : 0;
  const double rise =
      (shape_.level_factor + iterated) * s.inverse_n;  // of the divergence, with ln t
  // One step of Newton from a good guess: by convexity it lands above the index, by no more than half the curvature
  // times the square of the step over the slope; as long as the step is short beside all that the two depend on, they
  // are what they are at the guess within a quarter.
  const double room = std::min(guess - mean, 1 - guess);
  if (mean > 0 && room > 0) {
    constexpr int kSteps = 3;
    double q = guess;
    for (int i = 0; i < kSteps; ++i) {
      const double slope = (q - mean) / (q * (1 - q));
      const double excess = mean * std::log(mean / q) +
                            (1 - mean) * std::log((1 - mean) / (1 - q)) - level * s.inverse_n;
      const double step = excess / slope;
      const double next = q - step;
      if (!(next > mean && next < 1)) break;
      if (std::abs(step) < 0.05 * std::min(q - mean, 1 - q)) {
        const double curvature = mean / (q * q) + (1 - mean) / ((1 - q) * (1 - q));
        const double above = 0.65 * curvature * step * step / slope;
        if (above < kCloseEnough) {
          const double low = next - above;
          // What rounding of the divergence, here and in value(), makes of the index.
          const double rounding = 4e-15 * (1 + 1 / slope);
          return {.value = next - 0.5 * above,
                  .doubt = 0.5 * above + rounding,
                  .slope = rise * low * (1 - low) / (low - mean)};
        }
      }
      q = next;
    }
  }
  const double q = kl_upper(mean, level * s.inverse_n);
  if (!(q > mean && q < 1)) return Enclosure::of_now(q);
  const double inverse_slope = q * (1 - q) / (q - mean);
  return {.value = q,
          .doubt = 4e-15 * (1 + inverse_slope),
          .slope = rise * inverse_slope * (1 + 1e-9),
          .exact = true};
}

double d_epsilon_upper(double mean, double level, double epsilon) {
  if (mean >= 1) return 1;
  if (epsilon * (1 - mean) <= level) return 1;  // d_eps(mean, 1) = eps (1 - mean)
  const double q = kl_upper(mean, level);
  const double z = q * std::exp(-epsilon) / tilted_total(q, epsilon);
  if (mean >= z) return q;
  return std::min(1.0, std::expm1(-epsilon * mean - level) / std::expm1(-epsilon));
}

double d_epsilon_upper_log_rest(double mean, double level, double epsilon) {
  if (mean >= 1 || epsilon * (1 - mean) <= level) return -kInfinity;
  const double log_rest = kl_upper_log_rest(mean, level);
  const double z = 1 / (1 - std::exp(epsilon + log_rest) / std::expm1(log_rest));
  if (mean >= z) return log_rest;
  // 1 - q = (e^-(eps mean + level) - e^-eps)/(1 - e^-eps)
  return -(epsilon * mean + level) + std::log(-std::expm1(level - epsilon * (1 - mean))) -
         std::log(-std::expm1(-epsilon));
}

}  // namespace tacit::indices
