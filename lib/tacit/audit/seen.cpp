#include "tacit/audit/seen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tacit::audit {
namespace {

constexpr std::size_t kActions = 40;
constexpr std::size_t kReleases = 12;

Observation abridged(const std::vector<Arm>& actions) {
  const Observation all(actions.begin(), actions.end());
  if (all.size() <= kActions) return all;
  Observation kept(all.begin(), all.begin() + kActions / 2 - 1);
  kept.push_back(code_of(all));
  kept.insert(kept.end(), all.end() - kActions / 2, all.end());
  return kept;
}

Observation by_arm(const Watched& run, int arms) {
  std::vector<Arm> order{kAllArms};
  for (const Arm arm : run.actions) {
    if (std::find(order.begin(), order.end(), arm) == order.end()) order.push_back(arm);
  }
  std::map<Arm, Observation> of_arms;
  for (const Told& told : run.told) {
    Observation& values = of_arms[told.slot.arm];
    values.insert(values.end(), told.values.begin(), told.values.end());
  }
  Observation shown;
  for (const Arm arm : order) {
    // Nothing is ever about all arms and about single ones.
    if (arm == kAllArms && !of_arms.contains(arm)) continue;
    Observation values = of_arms[arm];
    values.resize(arm == kAllArms ? kReleases : kReleases / static_cast<std::size_t>(arms),
                  std::numeric_limits<double>::quiet_NaN());
    shown.insert(shown.end(), values.begin(), values.end());
  }
  return shown;
}

}  // namespace

double code_of(std::span<const double> list) {
  double code = 1;
  for (const double value : list) {
    const double number = std::isnan(value) ? -1 : value;
    code = std::fmod(code * 1.6180339887 + number * 0.7548776662, 1e6);
  }
  return code;
}

Seen actions_of(const Watched& run) { return {abridged(run.actions), {}}; }

Seen seen_of(const Watched& run, int arms) {
  Seen seen{abridged(run.actions), run.opened};
  const bool reports =
      std::any_of(run.told.begin(), run.told.end(), [](const Told& told) { return told.n == 0; });
  if (!reports) {
    const Observation releases = by_arm(run, arms);
    seen.shown.insert(seen.shown.end(), releases.begin(), releases.end());
    return seen;
  }
  for (const Told& told : run.told)
    seen.shown.insert(seen.shown.end(), told.values.begin(), told.values.end());
  return seen;
}

}  // namespace tacit::audit
