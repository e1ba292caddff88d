// The bounds of each group of papers, as bounds() joins them.
#pragma once

#include <utility>
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

/// The same, of policies that have these parameters alone.
inline Bound restricted_to(std::vector<policies::ParameterValue> parameters, Bound bound) {
  bound.only_with = std::move(parameters);
  return bound;
}

}  // namespace tacit::theory
