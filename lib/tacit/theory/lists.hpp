// The bounds of each group of papers, as bounds() joins them.
#pragma once

#include <vector>

#include "tacit/theory/bound.hpp"

namespace tacit::theory {

std::vector<Bound> classic_bounds();
std::vector<Bound> baseline_bounds();
std::vector<Bound> basu_bounds();
std::vector<Bound> hu_bounds();
std::vector<Bound> combinatorial_bounds();
std::vector<Bound> optimistic_sets_bounds();
std::vector<Bound> cascade_bounds();
std::vector<Bound> matroid_bounds();

}  // namespace tacit::theory
