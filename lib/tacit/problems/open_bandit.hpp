// Click rates of a fashion shop's recommendations, small and close together as real ones are: the items of
// the Open Bandit Dataset (Saito, Aihara, Matsutani & Narita 2021, arXiv:2008.07146; ZOZO, Inc., Apache-2.0).
//
// An item's rate is the mean alpha/(alpha + beta) of the Beta prior with which the shop's Thompson sampling
// went into production, in the data set's order of items.
#pragma once

#include <string_view>
#include <vector>

namespace tacit::problems {

/// The campaigns are "all" (80 items), "men" (34) and "women" (46).
std::vector<double> open_bandit_means(std::string_view campaign);

}  // namespace tacit::problems
