// Action set "single": one arm. Its oracle is the largest score, ties drawn afresh every time from
// randomness that depends on the round alone.
//
// Why not the first of the tied arms: clipped indices tie for thousands of rounds, and a fixed
// order changes the regret by a factor of two. Why keyed by the round: the skipping and the plain
// engine must break the tie of round t alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "tacit/core/round.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::actions {

struct Choice {
  Arm arm = 0;
  int tied = 1;  // how many arms share the largest score
};

/// O(arms). Scores may be infinite, never NaN. `draw` tells several choices of one round apart.
inline Choice largest(std::span<const double> scores, Round t, const random::SimulationKey& key,
                      std::uint64_t draw = 0) noexcept {
  Choice choice{0, 1};
  double best = scores[0];
  for (std::size_t i = 1; i < scores.size(); ++i) {
    if (scores[i] > best) {
      best = scores[i];
      choice = {static_cast<Arm>(i), 1};
    } else if (scores[i] == best) {
      ++choice.tied;
    }
  }
  if (choice.tied > 1) [[unlikely]] {
    auto ties = key.at(random::Purpose::kTies, static_cast<std::uint64_t>(t), draw);
    int skip = random::uniform_index(ties, choice.tied);
    for (std::size_t i = 0;; ++i) {
      if (scores[i] == best && skip-- == 0) {
        choice.arm = static_cast<Arm>(i);
        break;
      }
    }
  }
  return choice;
}

}  // namespace tacit::actions
