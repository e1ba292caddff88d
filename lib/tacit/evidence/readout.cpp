#include "tacit/evidence/readout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/core/arms_by.hpp"
#include "tacit/core/check.hpp"

namespace tacit::evidence {

Readout::Readout(const ReleaseLaw& law, int arms, Observed observed)
    : mixture_(law), observed_(observed), records_(arms) {}

void Readout::add(Arm arm, double released, double n, double noises) {
  records_[arm].add(released, n, noises);
}

Interval Readout::interval(Arm arm, double alpha) const {
  return mixture_.interval(records_[arm], alpha);
}

Interval Readout::difference(Arm a, Arm b, double alpha) const {
  if (observed_ == Observed::kOneAtATime) {
    return mixture_.difference(records_[a], records_[b], alpha);
  }
  const Interval of_a = interval(a, alpha / 2);
  const Interval of_b = interval(b, alpha / 2);
  return {of_a.low - of_b.high, of_a.high - of_b.low};
}

bool Readout::interval_misses(Arm arm, double mean, double alpha) const {
  return !records_[arm].empty() && mixture_.against(records_[arm], mean) > std::log(2 / alpha);
}

bool Readout::difference_misses(Arm a, Arm b, double mean_a, double mean_b, double alpha) const {
  const double difference = mean_a - mean_b;
  if (observed_ == Observed::kTogether) {
    return !this->difference(a, b, alpha).holds(difference);
  }
  // At the true means the evidence is at least what the least favourable ones leave of it.
  const double level = std::log(2 / alpha);
  const Record& of_a = records_[a];
  const Record& of_b = records_[b];
  const auto missed = [&](const Record& up, const Record& down, double mean_up, double mean_down) {
    return mixture_.above(up, mean_up) + mixture_.below(down, mean_down) >= level &&
           mixture_.apart(up, down, mean_up - mean_down) >= level;
  };
  return missed(of_a, of_b, mean_a, mean_b) || missed(of_b, of_a, mean_b, mean_a);
}

bool Readout::is_better(Arm a, Arm b, double level) const {
  return mixture_.apart(records_[a], records_[b]) >= level;
}

std::vector<Arm> Readout::best(int top, double error) const {
  check::strictly_within("best", "error", error, 0, 1);
  const int others = arms() - top;
  const std::vector<Arm> found = leaders(top);
  for (const Arm a : found) {
    if (records_[a].empty()) return {};
  }
  std::vector<char> chosen(static_cast<std::size_t>(arms()), 0);
  for (const Arm a : found) chosen[static_cast<std::size_t>(a)] = 1;
  if (observed_ == Observed::kTogether) {
    // Wrong only if a bound is: the lower one of an arm that does not belong there, the upper one of an arm that does.
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -lowest;
    for (Arm arm = 0; arm < arms(); ++arm) {
      const Interval bounds = interval(arm, 2 * error / arms());
      if (chosen[static_cast<std::size_t>(arm)] != 0) {
        lowest = std::min(lowest, bounds.low);
      } else {
        highest = std::max(highest, bounds.high);
      }
    }
    return lowest >= highest ? found : std::vector<Arm>{};
  }
  const double level = std::log(static_cast<double>(top) * others / error);
  for (Arm b = 0; b < arms(); ++b) {
    if (chosen[static_cast<std::size_t>(b)] != 0) continue;
    for (const Arm a : found) {
      if (!is_better(a, b, level)) return {};
    }
  }
  return found;
}

std::vector<Arm> Readout::leaders(int top) const {
  return arms_by(arms(), top, [this](Arm arm) {
    return records_[arm].empty() ? -std::numeric_limits<double>::infinity()
                                 : mixture_.mean(records_[arm]);
  });
}

}  // namespace tacit::evidence
