#include "tacit/audit/against.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/audit/logarithms.hpp"
#include "tacit/core/check.hpp"

namespace tacit::audit {
AgainstClaim::AgainstClaim(double epsilon, double delta)
    : epsilon_(check::positive("AgainstClaim", "epsilon", epsilon)),
      delta_(check::within("AgainstClaim", "delta", delta, 0, 1)) {
  const double most = 0.99 / (std::exp(epsilon) + delta);
  for (const double above : {0.05, 0.25, 0.5, 1.0, 2.0}) {
    for (double stake = most; stake > most / 100; stake /= 2)
      bets_.push_back({epsilon + above, stake});
  }
}

void AgainstClaim::add(bool one, double log_odds) {
  const double sign = one ? 1 : -1;
  const double moved = std::clamp(log_odds, -epsilon_, epsilon_);
  log_pure_ += log_chance(sign * log_odds) - log_chance(sign * moved);
  for (Bet& bet : bets_) {
    // On the one table where the odds are high, on the other where they are low: never on both.
    double gain = 0;
    if (std::abs(log_odds) >= bet.threshold) gain = sign * log_odds > 0 ? 1 : -std::exp(epsilon_);
    bet.log_value += std::log1p(bet.stake * (gain - delta_));
  }
}

double AgainstClaim::log_value() const {
  if (delta_ == 0) return log_pure_;
  std::vector<double> values;
  for (const Bet& bet : bets_) values.push_back(bet.log_value);
  return log_mean(values);
}

double AgainstClaim::promise(double log_odds) const {
  const double moved = std::clamp(log_odds, -epsilon_, epsilon_);
  const auto gain = [&](double sign) {
    return std::exp(log_chance(sign * log_odds)) *
           (log_chance(sign * log_odds) - log_chance(sign * moved));
  };
  return gain(1) + gain(-1);
}

}  // namespace tacit::audit
