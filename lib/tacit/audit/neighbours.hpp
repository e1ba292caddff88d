// Pairs of outcome tables that differ in one round: the inputs between which an audit tries to tell.
#pragma once

#include <string>
#include <vector>

#include "tacit/core/round.hpp"

namespace tacit::audit {

using Rows = std::vector<std::vector<double>>;  // one row a round, one column an arm

/// A table of one value.
Rows constant_rows(Round rounds, int arms, double value);

struct Pair {
  std::string name;
  Rows one;
  Rows other;
};

/// Tables of `rounds` rounds and at least two arms: the changed round early, in the middle and late; raised,
/// lowered, in one arm, in all, and crosswise (one arm up, another down); among zeros, ones, halves of
/// each, and a leading first arm.
std::vector<Pair> neighbouring_tables(int arms, Round rounds);

/// For leaders of epochs, of 1, 2, 4, ... rounds: the last round of an epoch crosswise, where the first arm leads by so
/// much before it.
std::vector<Pair> tables_of_leads(int arms, Round rounds);

}  // namespace tacit::audit
