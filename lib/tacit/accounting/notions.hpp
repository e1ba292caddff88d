// The notions of privacy of a bandit as values that convert into each other (Basu, Dimitrakakis & Tossou,
// arXiv:1905.12298; D = definition, L = lemma). Each compares the laws of something public when one round's
// outcomes are replaced:
//   central        of all actions a_1, ..., a_t                                                     (D2)
//   instantaneous  of the next action a_s given a_1, ..., a_{s-1}, for every s <= t                 (D3)
//   local          of one round's report, which is all that the policy sees of it                   (D4)
//   environment    of rewards and actions together, when the means nu are replaced: epsilon per unit of
//                  distance between two nu, L1 here                                                 (D5)
// Each is tried by an audit: `tacit audit`, with --notion instantaneous for D3 and --notion environment for D5.
//
//   from           to             becomes                  because
//   local          central        epsilon, delta           actions are computed from reports
//   central        instantaneous  2 epsilon                L2; pure only
//   local          instantaneous  2 epsilon                both; pure only
//   instantaneous  central        (t-1) epsilon, delta     L2, see below
//   any            none           nothing is promised
// All else is refused: a central policy sees the rewards themselves; environment privacy says nothing of one
// round, and no policy can hide nu from who sees the rewards.
//
// L2's factor 2 cannot be improved: with a_3 = z, a randomised response to r_1, and a_2 telling z = 1 rarely,
// the ratio of a_3's probabilities tends to e^(2 epsilon).
// So at the same epsilon instantaneous privacy costs no more than central privacy does at half of it; and it may cost less than
// at the same: over three rounds on means (1, 0) or (0, 1) an instantaneous policy has less regret than any central one.
// L2's t epsilon is loose: a_1 comes before any reward, so t - 1 actions depend on one. (t-1) epsilon is
// attained by a fresh randomised response to r_1 as each of a_2, ..., a_t.
// L2 has no version with a delta: "with probability delta play a_2 = 1 and then a_3 = r_1" is (0, delta)-DP,
// but given a_2 = 1 the next action tells everything.
// L1, that the laws given outcomes and given rewards are equally private, needs delta = 0 as well: there is
// a policy of two rounds that is (0, 1/2)-DP in rewards and tells two vectors of outcomes apart for certain.
#pragma once

#include <limits>

#include "tacit/core/round.hpp"
#include "tacit/privacy/guarantee.hpp"

namespace tacit::accounting {

struct Privacy {
  privacy::Notion notion = privacy::Notion::kNone;
  double epsilon = std::numeric_limits<double>::infinity();
  double delta = 0;

  bool operator==(const Privacy&) const = default;
};

/// What `from` implies of the notion `to` over `rounds` rounds. Throws InvalidParameter where it implies
/// nothing.
Privacy convert(const Privacy& from, privacy::Notion to, Round rounds);

/// From instantaneous to central when this delta may be spent: far below (t-1) epsilon for small epsilon
/// (optimal composition, Kairouz, Oh & Viswanath 2015).
Privacy central_up_to(double delta, const Privacy& instantaneous, Round rounds);

/// L1: from the rewards that were seen to all outcomes of a round, of the central notion. Throws when
/// delta > 0. The way back always holds: give all arms the same outcome.
Privacy outcomes_from_rewards(const Privacy& of_rewards);

}  // namespace tacit::accounting
