#include "tacit/indices/kl.hpp"

#include <algorithm>
#include <cmath>

namespace tacit::indices {
namespace {

/// x ln(x/y) with 0 ln 0 = 0.
double x_log_ratio(double x, double y) { return x > 0 ? x * std::log(x / y) : 0.0; }

/// 1 - y + y e^-eps, without cancellation at either end.
double tilted_total(double y, double epsilon) {
  return y > 0.5 ? (1 - y) + y * std::exp(-epsilon) : 1 + y * std::expm1(-epsilon);
}

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
  const double entropy = -(mean * std::log(mean) + (1 - mean) * std::log1p(-mean));
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

double d_epsilon_upper(double mean, double level, double epsilon) {
  if (mean >= 1) return 1;
  if (epsilon * (1 - mean) <= level) return 1;  // d_eps(mean, 1) = eps (1 - mean)
  const double q = kl_upper(mean, level);
  const double z = q * std::exp(-epsilon) / tilted_total(q, epsilon);
  if (mean >= z) return q;
  return std::min(1.0, std::expm1(-epsilon * mean - level) / std::expm1(-epsilon));
}

}  // namespace tacit::indices
