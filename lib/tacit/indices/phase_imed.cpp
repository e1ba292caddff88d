#include "tacit/indices/phase_imed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/indices/kl.hpp"

namespace tacit::indices {
namespace {

// Below it exp(-1/b) is 0, and nothing is finite at the ends; noise that small explains nothing.
constexpr double kLeastScale = 1.0 / 700;

/// The share of an outcome's moment generating function at the largest tilt that noise allows: 1 - q e, without cancelling.
class LargestTilt {
 public:
  explicit LargestTilt(double scale)
      : kept_(std::exp(-1 / scale)), lost_(-std::expm1(-1 / scale)) {}

  double left(double q) const noexcept { return (1 - q) + q * kept_; }
  double log_left(double q) const {
    return q * lost_ < 0.5 ? std::log1p(-q * lost_) : std::log(left(q));
  }
  double slope(double q) const noexcept { return lost_ / left(q); }
  /// x < z-: so few ones that noise took some. The other side is this of 1 - outcomes and 1 - q.
  bool is_too_low(double sum, double n, double q) const noexcept {
    return sum * left(q) < n * q * kept_;
  }

 private:
  double kept_;  // 1 - e
  double lost_;  // e
};

/// Without logarithms.
double slope_of(double sum, double n, const LargestTilt& tilt, double q) {
  if (tilt.is_too_low(sum, n, q)) return n * tilt.slope(q);
  if (tilt.is_too_low(n - sum, n, 1 - q)) return -n * tilt.slope(1 - q);
  return q > 0 && q < 1 ? (n * q - sum) / (q * (1 - q)) : 0;
}

}  // namespace

PhaseCost phase_cost(double sum, double n, double scale, double q) {
  const LargestTilt tilt(scale);
  const double slope = slope_of(sum, n, tilt, q);
  if (tilt.is_too_low(sum, n, q)) return {-sum / scale - n * tilt.log_left(q), slope};
  if (tilt.is_too_low(n - sum, n, 1 - q)) {
    return {-(n - sum) / scale - n * tilt.log_left(1 - q), slope};
  }
  return {n * kl(clip01(sum / n), q), slope};
}

PhaseImed::PhaseImed(double scale, double doubt)
    : scale_(std::max(scale, kLeastScale)), doubt_(doubt) {}

PhaseImed::State PhaseImed::prepare(const estimators::KeepPhases& released) const {
  State state;
  if (released.n == 0) return state;
  state.phases = released.phases;
  // Theta is where the slopes add up to 0; they increase. It lies between the phases' own means.
  double low = 1;
  double high = 0;
  for (const auto& phase : state.phases) {
    const double own = clip01(phase.sum / phase.n);
    low = std::min(low, own);
    high = std::max(high, own);
  }
  const LargestTilt tilt(scale_);
  for (int i = 0; i < 50 && high - low > 1e-12; ++i) {
    const double middle = 0.5 * (low + high);
    double slope = 0;
    for (const auto& phase : state.phases) slope += slope_of(phase.sum, phase.n, tilt, middle);
    (slope < 0 ? low : high) = middle;
  }
  state.mean = 0.5 * (low + high);
  for (const auto& phase : state.phases) {
    state.least += phase_cost(phase.sum, phase.n, scale_, state.mean).value;
  }
  state.log_n = std::log(released.n);
  const double failures = released.n * (1 - state.mean);
  state.trust = failures / (failures + doubt_);
  return state;
}

PhaseCost PhaseImed::rate(const State& s, double mean) const {
  if (mean <= s.mean) return {0, 0};
  PhaseCost rate{-s.least, 0};
  for (const auto& phase : s.phases) {
    const PhaseCost cost = phase_cost(phase.sum, phase.n, scale_, mean);
    rate.value += cost.value;
    rate.slope += cost.slope;
  }
  return {std::max(0.0, rate.value), std::max(0.0, rate.slope)};
}

double PhaseImed::value(const State& s, const Clock& clock) const {
  if (s.phases.empty()) return std::numeric_limits<double>::infinity();
  return -(s.trust * rate(s, clock.best_mean).value + s.log_n);
}

Enclosure PhaseImed::near(const State& s, const Clock& clock, double /*guess*/) const {
  if (s.phases.empty()) return Enclosure::of_always(std::numeric_limits<double>::infinity());
  const PhaseCost rate = this->rate(s, clock.best_mean);
  return {.value = -(s.trust * rate.value + s.log_n),
          .doubt = 1e-9 + 1e-12 * (rate.value + s.least),  // what cancels in the rate
          .slope = -s.trust * rate.slope,
          .exact = true};
}

}  // namespace tacit::indices
