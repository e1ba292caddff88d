#include "tacit/indices/mgf.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/indices/kl.hpp"

namespace tacit::indices {

MgfUcb::MgfUcb(double scale, Level level, double growth)
    : scale_(scale), level_(level), log_growth_(std::log(growth)) {}

double MgfUcb::level_at(double log_t) const {
  return level_ == Level::kSharp ? log_t : log_t + std::log1p(log_t / log_growth_);
}

double MgfUcb::value(const State& s, const Clock& clock) const {
  if (s.n == 0) return std::numeric_limits<double>::infinity();
  return evidence::upper_mean(s.sum, s.n, s.noises, scale_, level_at(clock.log_t)).value;
}

ConcaveIndex MgfUcb::concave(const State& s, const Clock& clock) const {
  if (s.n == 0) return {std::numeric_limits<double>::infinity(), 0};
  const evidence::UpperMean bound = evidence::upper_mean(s.sum, s.n, s.noises, scale_, level_at(clock.log_t));
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
    evidence::NoisyTerm& term = state.terms[i];
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
  return -(s.trust * evidence::rate(s.terms, s.sum, clock.best_mean, scale_).value + s.log_n);
}

Enclosure MgfImed::near(const State& s, const Clock& clock, double /*guess*/) const {
  if (s.terms.empty()) return Enclosure::of_always(std::numeric_limits<double>::infinity());
  const evidence::Rate rate = evidence::rate(s.terms, s.sum, clock.best_mean, scale_);
  double slope = 0;  // of the rate with the mean: that at the best l, which is flat in l
  double magnitude = std::abs(rate.tilt * s.sum);
  for (const evidence::NoisyTerm& term : s.terms) {
    const double share = -std::expm1(-rate.tilt * term.weight);
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
