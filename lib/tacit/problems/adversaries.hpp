// Rounds that are fixed before the first: no law, nothing to estimate, only an adversary who knows the policy's kind.
// Regret on them is against the best fixed arm in hindsight.
#pragma once

#include <vector>

#include "tacit/core/round.hpp"

namespace tacit::problems {

/// The second arm is best in the first two fifths, the first in the rest and in all; the others are a half for ever.
/// Two arms or more, five rounds or more.
std::vector<std::vector<double>> switching_rows(int arms, Round rounds);

/// Two arms that take turns: whoever leads fails in the next round, so that following the leader loses every round but the
/// first where any fixed arm wins every other one (Cesa-Bianchi & Lugosi 2006, section 4.3).
std::vector<std::vector<double>> alternating_rows(Round rounds);

/// Of Auer, Cesa-Bianchi, Freund & Schapire (2002), Theorem 5.1: the first arm is better than all others by a gap that so
/// many rounds do not tell, sqrt(arms/rounds)/4 or a quarter. Means of independent bits.
std::vector<double> exp3_lower_means(int arms, Round rounds);

}  // namespace tacit::problems
