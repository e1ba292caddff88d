// The list of K items that a user most probably clicks in: what regret on ranked lists is measured against.
//
// Where items attract independently it is the K with the largest means. Recorded users are not
// independent, and the best list is then a maximum-coverage problem: all lists are tried while that is
// affordable; else a greedy list and the one of largest means are improved by exchanges, which finds a
// good list and proves nothing.
#pragma once

#include <vector>

#include "tacit/problems/problem.hpp"

namespace tacit::simulation {

struct BestList {
  std::vector<Arm> items;
  double chance = 0;   // that a user clicks
  bool proven = true;  // that no list is better
};

BestList best_list(const problems::Problem& problem, int size);

}  // namespace tacit::simulation
