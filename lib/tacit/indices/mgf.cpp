#include "tacit/indices/mgf.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/indices/kl.hpp"

namespace tacit::indices {
namespace {

// e^-l is 0 beyond this, so a larger l gains nothing; without it a tiny noise scale would let l
// overflow.
constexpr double kLargestTilt = 745;

struct Rate {
  double value;
  double slope;
  double curvature;
};

/// The function whose maximum over l is the rate, with its first two derivatives. Concave in l.
Rate rate_at(double l, std::span<const NoisyTerm> terms, double s, double mean, double scale) {
  Rate rate{-l * s, -s, 0};
  for (const NoisyTerm& term : terms) {
    const double x = l * term.weight;
    const double tilted = mean * std::exp(-x);
    const double total = 1 - mean + tilted;
    rate.value -= term.n * std::log1p(mean * std::expm1(-x));
    rate.slope += term.n * term.weight * tilted / total;
    rate.curvature -= term.n * term.weight * term.weight * tilted * (1 - mean) / (total * total);
    const double noise = x * scale;
    const double left = 1 - noise * noise;
    const double per_l = term.weight * scale;
    rate.value += term.noises * std::log1p(-noise * noise);
    rate.slope -= term.noises * 2 * noise * per_l / left;
    rate.curvature -= term.noises * 2 * per_l * per_l * (1 + noise * noise) / (left * left);
  }
  return rate;
}

/// The rate and the l at which it is reached; 0 where the rate is.
struct LargestRate {
  double value;
  double l;
};

LargestRate largest_rate(std::span<const NoisyTerm> terms, double s, double mean, double scale) {
  double largest_weight = 0;
  for (const NoisyTerm& term : terms) largest_weight = std::max(largest_weight, term.weight);
  double low = 0;
  double high = std::min((1 - 1e-12) / (largest_weight * scale), kLargestTilt);
  if (rate_at(0, terms, s, mean, scale).slope <= 0) return {0, 0};  // s is not below its mean
  double l = 0.5 * high;
  Rate rate = rate_at(l, terms, s, mean, scale);
  // Newton on the slope, which decreases, kept within a shrinking bracket.
  for (int i = 0; i < 60; ++i) {
    (rate.slope > 0 ? low : high) = l;
    double next = l - rate.slope / rate.curvature;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool settled = std::abs(next - l) <= 1e-10 * l;
    l = next;
    rate = rate_at(l, terms, s, mean, scale);
    if (settled) break;
  }
  return {std::max(0.0, rate.value), l};
}

struct Bound {
  double value;  // the largest mean
  double slope;  // its derivative in the level
};

/// The largest mean in [0, 1] whose rate at s is at most `level`, for one unweighted term.
Bound upper_bound(double s, double n, int noises, double scale, double level) {
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
  if (n <= s) return {1, 0};
  const double tightest = lowest_at(n - s);
  if (charged(tightest) >= tightest * n) return {1, 0};
  if (s < 0 && charged(lowest_at(-s)) <= 0) return {0, 0};
  // Where the bound is below 1 it is quasi-convex, because the rate of a mean is concave in l; that is
  // an interval around `tightest`. The minimum is where  c'(l) (e^l - 1) = n (e^(c(l)/n) - 1), and the
  // difference of the sides is negative left of it: Newton within a bracket that shrinks.
  double low = 0;
  double high = largest;
  const double mean = std::clamp(s / n, 0.05, 0.95);
  double l = std::min(0.5 * high, std::sqrt(level / (n * mean * (1 - mean) + 2 * noises * b2)));
  for (int i = 0; i < 100; ++i) {
    const double left = 1 - l * l * b2;
    const double c = charged(l);
    double next = 0;
    if (c >= l * n) {
      (l < tightest ? low : high) = l;
    } else {
      const double slope = s + 2 * noises * l * b2 / left;
      const double curvature = 2 * noises * b2 * (1 + l * l * b2) / (left * left);
      const double tilt = std::expm1(l);
      const double lift = std::expm1(c / n);
      const double difference = slope * tilt - n * lift;
      (difference < 0 ? low : high) = l;
      next = l - difference / (curvature * tilt + slope * (tilt - lift));
      // Done, since the bound is flat there; but next to the pole at 1/b steps are small because the
      // slope is steep, not because the sides are near each other.
      if (std::abs(next - l) <= 1e-7 * l &&
          std::abs(difference) <= 1e-3 * (n * lift + std::abs(slope) * tilt)) {
        break;
      }
    }
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    l = std::min(next, l + 0.9 * (largest - l));
  }
  const double share = -std::expm1(-l);
  const double value = std::min(1.0, -std::expm1(-charged(l) / n) / share);
  // The rate's derivative in the mean at the best l is n share/(1 - mean share).
  return {value, (1 - value * share) / (n * share)};
}

}  // namespace

double mgf_rate(std::span<const NoisyTerm> terms, double s, double mean, double scale) {
  return largest_rate(terms, s, mean, scale).value;
}

double mgf_upper(double s, double n, int noises, double scale, double level) {
  return upper_bound(s, n, noises, scale, level).value;
}

MgfUcb::MgfUcb(double scale, Level level, double growth)
    : scale_(scale), level_(level), log_growth_(std::log(growth)) {}

double MgfUcb::level_at(double log_t) const {
  return level_ == Level::kSharp ? log_t : log_t + std::log1p(log_t / log_growth_);
}

double MgfUcb::value(const State& s, const Clock& clock) const {
  if (s.n == 0) return std::numeric_limits<double>::infinity();
  return mgf_upper(s.sum, s.n, s.noises, scale_, level_at(clock.log_t));
}

ConcaveIndex MgfUcb::concave(const State& s, const Clock& clock) const {
  if (s.n == 0) return {std::numeric_limits<double>::infinity(), 0};
  const Bound bound = upper_bound(s.sum, s.n, s.noises, scale_, level_at(clock.log_t));
  const double level_slope = level_ == Level::kSharp ? 1 : 1 + 1 / (log_growth_ + clock.log_t);
  return {bound.value, bound.slope * level_slope};
}

Enclosure MgfUcb::near(const State& s, const Clock& clock, double /*guess*/) const {
  const ConcaveIndex index = concave(s, clock);
  if (std::isinf(index.value)) return Enclosure::of_always(index.value);
  // Every mean is plausible, and will be at higher levels.
  if (index.value == 1 && index.slope == 0) return Enclosure::of_always(1);
  // No mean is plausible yet: from when on one is, only then is it concave.
  if (index.value <= 0) return Enclosure::of_now(index.value);
  return {.value = index.value, .doubt = index.doubt, .slope = index.slope, .exact = true};
}

MgfImed::State MgfImed::prepare(const estimators::KeepPhases& phases) const {
  State state;
  if (phases.n == 0) return state;
  double largest = 0;
  for (const auto& phase : phases.phases) {
    const double weight = phase.n / (phase.n + 4 * scale_ * scale_);
    largest = std::max(largest, weight);
    state.terms.push_back({weight, phase.n, 1});
  }
  double weighted_n = 0;
  for (std::size_t i = 0; i < state.terms.size(); ++i) {
    NoisyTerm& term = state.terms[i];
    term.weight /= largest;
    state.sum += term.weight * phases.phases[i].sum;
    weighted_n += term.weight * term.n;
  }
  state.mean = clip01(state.sum / weighted_n);
  state.log_n = std::log(phases.n);
  state.trust = phases.n / (phases.n + doubt_);
  return state;
}

double MgfImed::value(const State& s, const Clock& clock) const {
  if (s.terms.empty()) return std::numeric_limits<double>::infinity();
  return -(s.trust * mgf_rate(s.terms, s.sum, clock.best_mean, scale_) + s.log_n);
}

Enclosure MgfImed::near(const State& s, const Clock& clock, double /*guess*/) const {
  if (s.terms.empty()) return Enclosure::of_always(std::numeric_limits<double>::infinity());
  const LargestRate rate = largest_rate(s.terms, s.sum, clock.best_mean, scale_);
  double slope = 0;  // of the rate with the mean: that at the best l, which is flat in l
  double magnitude = std::abs(rate.l * s.sum);
  for (const NoisyTerm& term : s.terms) {
    const double share = -std::expm1(-rate.l * term.weight);
    slope += term.n * share / (1 - clock.best_mean * share);
    magnitude += term.n * share;
  }
  const double value = -(s.trust * rate.value + s.log_n);
  if (!std::isfinite(slope)) return Enclosure::of_now(value);  // at a mean of 1
  return {.value = value,
          .doubt = 1e-9 + 1e-12 * magnitude,  // what cancels in the rate
          .slope = -s.trust * slope,
          .exact = true};
}

}  // namespace tacit::indices
