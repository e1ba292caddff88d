#include "tacit/estimators/phase_schedule.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/core/check.hpp"

namespace tacit::estimators {

PhaseSchedule PhaseSchedule::cumulative(double first, double growth) {
  check::positive("PhaseSchedule", "first", first);
  check::strictly_within("PhaseSchedule", "growth", growth, 1, 1e6);
  // Capped where it outlasts every horizon anyway.
  const double rounds = std::min(std::ceil(first), static_cast<double>(kLastRound));
  return PhaseSchedule(Kind::kCumulative, static_cast<Round>(rounds), growth);
}

Round PhaseSchedule::length(Round phase, Round so_far) const noexcept {
  if (kind_ == Kind::kConstant) return first_;
  // No phase outlasts the largest horizon, so lengths are capped there instead of overflowing.
  if (kind_ == Kind::kDoubling) return Round{1} << std::min<Round>(phase, 53);
  if (phase == 0) return first_;
  const double target = std::ceil(growth_ * static_cast<double>(so_far));
  if (target >= static_cast<double>(2 * kLastRound)) return kLastRound;
  return std::max<Round>(1, static_cast<Round>(target) - so_far);
}

}  // namespace tacit::estimators
