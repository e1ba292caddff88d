#include "tacit/audit/against.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/audit/logarithms.hpp"
#include "tacit/core/check.hpp"

namespace tacit::audit {

double log_gain(double epsilon, bool one, double log_odds) {
  if (std::abs(log_odds) <= epsilon) return 0;
  const double sign = one ? 1 : -1;
  return log_chance(sign * log_odds) - log_chance(std::copysign(epsilon, sign * log_odds));
}

double promise(double epsilon, double log_odds) {
  if (std::abs(log_odds) <= epsilon) return 0;
  return std::exp(log_chance(log_odds)) * log_gain(epsilon, true, log_odds) +
         std::exp(log_chance(-log_odds)) * log_gain(epsilon, false, log_odds);
}

AgainstClaim::AgainstClaim(double epsilon, double delta)
    : epsilon_(check::positive("AgainstClaim", "epsilon", epsilon)),
      delta_(check::within("AgainstClaim", "delta", delta, 0, 1)) {
  if (delta == 0) return;
  const double most = 0.99 / (std::exp(epsilon) + delta);
  for (const double above : {0.05, 0.25, 0.5, 1.0, 2.0}) {
    for (double stake = most; stake > most / 100; stake /= 2) {
      bets_.push_back({epsilon + above, std::log1p(stake * (1 - delta)),
                       std::log1p(-stake * (std::exp(epsilon) + delta)),
                       std::log1p(-stake * delta)});
    }
  }
}

void AgainstClaim::add(bool one, double log_odds) {
  if (delta_ == 0) log_pure_ += log_gain(epsilon_, one, log_odds);
  for (Bet& bet : bets_) {
    // On the one table where the odds are high, on the other where they are low: never on both.
    const bool made = std::abs(log_odds) >= bet.threshold;
    const double result = one == (log_odds > 0) ? bet.when_right : bet.when_wrong;
    bet.log_value += made ? result : bet.when_not_made;
  }
}

double AgainstClaim::log_value() const {
  if (delta_ == 0) return log_pure_;
  if (bets_.empty()) return 0;  // e^epsilon is too large to bet on
  std::vector<double> values;
  for (const Bet& bet : bets_) values.push_back(bet.log_value);
  return log_mean(values);
}

}  // namespace tacit::audit
