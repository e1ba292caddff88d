// The instantaneous epsilon of a policy over a few rounds, computed (Basu, Dimitrakakis & Tossou, arXiv:1905.12298, Def. 3):
// the largest log-ratio, over rounds s, actions h = a_1 ... a_{s-1} before, actions a, and tables of bits that differ in one
// user, of
//
//     P(a_s = a | h, table)  and  P(a_s = a | h, table').
//
// Conditioned is on the actions alone: what was released before is averaged over, by its law given h, which depends on the
// table too. So all released values are followed at once: for every h, every table and every public state that h may have led
// to, its probability; the learner itself says what it plays there. A table is no more than the sums of what was released
// together, since nothing else of it is looked at.
//
// Noise is on whole numbers. What is released is cut to within kReach scales of what it could be without noise: cutting comes
// after the release, so that every claim holds of the policy that is computed, and nothing is left out. Public dice are
// those of the seed, and known, as in exact.hpp.
#pragma once

#include <cstdint>

#include "tacit/audit/exact.hpp"
#include "tacit/audit/watched.hpp"
#include "tacit/core/round.hpp"

namespace tacit::audit {

/// In scales of the noise.
inline constexpr double kReach = 6;

/// As in exact.hpp, where paths are the probabilities that were added up, a second for some millions of them.
inline constexpr std::int64_t kMostChances = 40'000'000;

/// For policies that play one arm a round and add noise to sums or outcomes, or respond at random; throws InvalidParameter
/// for others. So many rounds; 0: as few as let a choice follow the first release of every arm, or as many of these as can
/// be followed.
ExactResult exact_instantaneous_audit(Play play, Round rounds = 0,
                                      std::int64_t most_chances = kMostChances);

}  // namespace tacit::audit
