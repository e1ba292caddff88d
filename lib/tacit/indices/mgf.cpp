#include "tacit/indices/mgf.hpp"

#include <cmath>
#include <limits>

#include "tacit/evidence/rate.hpp"
#include "tacit/indices/saturation.hpp"

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

double MgfUcb::log_rest(const State& s, const Clock& clock) const {
  return evidence::upper_mean_log_rest(s.sum, s.n, s.noises, scale_, level_at(clock.log_t));
}

ConcaveIndex MgfUcb::concave(const State& s, const Clock& clock) const {
  if (s.n == 0) return {std::numeric_limits<double>::infinity(), 0, 0};
  const evidence::UpperMean bound =
      evidence::upper_mean(s.sum, s.n, s.noises, scale_, level_at(clock.log_t));
  const double level_slope = level_ == Level::kSharp ? 1 : 1 + 1 / (log_growth_ + clock.log_t);
  ConcaveIndex index{bound.value, bound.slope * level_slope, bound.doubt};
  if (is_nearly_one(bound.value)) {
    index.rest = bound.rest;
    index.rest_doubt = bound.rest_doubt;
  }
  return index;
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

}  // namespace tacit::indices
