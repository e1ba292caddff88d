// Every way to choose `count` of `total`, for optima that are found by looking at all of them.
#pragma once

#include <numeric>
#include <span>

#include "tacit/core/indexed.hpp"

namespace tacit::actions {

/// How many ways there are, to double precision.
inline double choices(int total, int count) {
  double ways = 1;
  for (int i = 1; i <= count; ++i) ways = ways * (total - count + i) / i;
  return ways;
}

/// Calls f(span of `count` increasing numbers in 0..total-1) for each way, in lexicographic order.
template <class F>
void for_each_choice(int total, int count, F f) {
  Indexed<int> chosen(count);
  std::iota(chosen.begin(), chosen.end(), 0);
  for (;;) {
    f(std::span<const int>(chosen));
    int i = count - 1;
    while (i >= 0 && chosen[i] == total - count + i) --i;
    if (i < 0) return;
    std::iota(chosen.begin() + i, chosen.end(), chosen[i] + 1);
  }
}

}  // namespace tacit::actions
