// Which outcomes of a played set are recorded, and when the next of them is released. Both depend on
// public values only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "tacit/core/round.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::policies {

/// All outcomes of the played set, or that of one arm: then one user moves one sum by 1, not K.
enum class Record { kAll, kWeakest };

/// The arm of the action whose released estimate rests on the fewest observations; among those the
/// one whose phase ends first; among those any, by the round alone.
template <class Estimator>
Arm weakest(const Estimator& estimator, std::span<const Arm> action, Round t,
            const random::SimulationKey& key) {
  const auto less = [&](Arm a, Arm b) {
    const double na = estimator.estimate(a).n;
    const double nb = estimator.estimate(b).n;
    if constexpr (requires { estimator.remaining(a); }) {
      if (na == nb) return estimator.remaining(a) < estimator.remaining(b);
    }
    return na < nb;
  };
  Arm best = action[0];
  int tied = 1;
  for (const Arm arm : action.subspan(1)) {
    if (less(arm, best)) {
      best = arm;
      tied = 1;
    } else if (!less(best, arm)) {
      ++tied;
    }
  }
  if (tied == 1) return best;
  auto draw = key.at(random::Purpose::kTies, static_cast<std::uint64_t>(t), 1);
  int skip = random::uniform_index(draw, tied);
  for (const Arm arm : action) {
    if (!less(best, arm) && skip-- == 0) return arm;
  }
  return best;
}

/// The last round of the stretch from t on in which no observed arm's estimate changes before its
/// end.
template <class Estimator>
Round first_release(const Estimator& estimator, std::span<const Arm> observed, Round t) {
  Round rounds = kLastRound;
  for (const Arm arm : observed) rounds = std::min(rounds, estimator.remaining(arm));
  return t + rounds - 1;
}

}  // namespace tacit::policies
