// The true epsilon of a policy over a few rounds, computed instead of sampled: its own learner is played, and told in turn
// everything that its mechanisms could say.
//
// What an observer sees are the released values z and the actions. Given the learner's public dice, which guard nothing and
// are those of the seed, actions follow from z, and P(z) is the product of the chances of every value given those before it.
// So the largest log-ratio of any path z between any two neighbouring tables of bits is found round by round: of all paths
// that lead to the same public state, with the same left to be told of the changed user, only the one with the largest loss
// so far is followed.
//
// Noise is on whole numbers (exact_law.hpp). What is left out are noises beyond a bound: a probability of `beyond` in all, as
// a delta.
#pragma once

#include <cstdint>
#include <string>

#include "tacit/audit/watched.hpp"
#include "tacit/core/round.hpp"

namespace tacit::audit {

struct ExactResult {
  double epsilon =
      0;  // the largest log-ratio of anything that can be seen, between any two neighbours
  double beyond = 0;       // probability of the noises that were left out
  Round rounds = 0;        // that were played
  std::int64_t paths = 0;  // that were followed, from round to round, each for one changed user
  std::string where;       // what attains it
};

/// Half a minute and a gigabyte, about.
inline constexpr std::int64_t kMostPaths = 8'000'000;

/// As few as bring a release of every arm; at least 8, or 4 of sets.
Round enough_rounds(const Play& play);

/// For policies that claim privacy. So many rounds, played plainly, whatever the horizon of the play; 0: as few as bring a
/// release of every arm, at least 8, or 4 of sets, or as many of these as have no more paths than are allowed.
ExactResult exact_audit(Play play, Round rounds = 0, std::int64_t most_paths = kMostPaths);

}  // namespace tacit::audit
