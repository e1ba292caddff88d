#include "tacit/indices/ucb.hpp"

#include <algorithm>

namespace tacit::indices {

Round leads_until(const UcbCurve& leader, const UcbCurve& challenger, const Clock& clock) {
  const double x = clock.sqrt_log_t;
  // The challenger's deficit at sqrt(ln t) = y is  gap - da y - db y^2.
  const double gap = leader.mean - challenger.mean;
  const double da = challenger.a - leader.a;
  const double db = challenger.b - leader.b;
  const double scale =
      std::abs(leader.mean) + std::abs(challenger.mean) + challenger.a * x + challenger.b * x * x;
  // Everything below is exact arithmetic up to this much; closer than that counts as tied.
  const double doubt = 1e-14 * scale;
  const auto deficit = [&](double y) { return gap - da * y - db * y * y; };
  if (!(deficit(x) > doubt)) return clock.t;
  if (da <= 0 && db <= 0) return kLastRound;
  // gap > doubt here, since the deficit is and da, db are not both negative. The positive root of
  // db y^2 + da y - (gap - doubt), in the form that does not cancel:
  const double room = gap - doubt;
  const double y = 2 * room / (da + std::sqrt(da * da + 4 * db * room));
  const double log_round = y * y - clock.log_scale;
  if (!(log_round < 37)) return kLastRound;  // e^37 > 2^53, and still fits a Round
  const auto safe = static_cast<Round>(std::exp(log_round)) - 2;
  return std::clamp<Round>(safe, clock.t, kLastRound);
}

}  // namespace tacit::indices
