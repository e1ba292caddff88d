// Arms in the order of a score.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "tacit/core/round.hpp"

namespace tacit {

/// The `top` of so many arms with the largest scores, largest first; equal ones in the order of arms.
template <class Score>
std::vector<Arm> arms_by(int arms, int top, Score score) {
  std::vector<Arm> order(static_cast<std::size_t>(arms));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Arm a, Arm b) { return score(a) > score(b); });
  order.resize(static_cast<std::size_t>(top));
  return order;
}

}  // namespace tacit
