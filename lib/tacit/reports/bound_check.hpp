// Whether what was measured keeps the bounds that hold at every horizon.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacit/reports/curves.hpp"

namespace tacit::reports {

/// A finite bound next to the measurement that comes closest to it, or breaks it.
struct BoundCheck {
  std::string bound;
  std::string policy;
  std::string problem;
  std::optional<double> epsilon;
  std::optional<double> error;  // that was asked for, where arms are identified
  bool upper = true;
  bool kept = true;
  double share = 0;  // measured/bound, the largest (upper) or smallest (lower) over the checkpoints
};

/// Asserts every finite bound of every curve at every checkpoint: broken when the whole 95% interval is on the
/// wrong side.
std::vector<BoundCheck> check_bounds(const std::vector<Curve>& curves);

/// What several checks say together: those of one bound, policy and problem that are kept, or those that are not.
struct BoundFinding {
  BoundCheck check;  // the first of them, with the share of the one that comes closest
  bool over_errors =
      false;  // they differ in the error, at one epsilon; else in epsilon, at one error
  std::vector<double> values;  // of what they differ in, in their order; empty where there is none
  std::size_t count = 1;       // of the checks that say this,
  std::size_t of = 1;          // among those that speak of this bound, policy and problem

  /// "epsilon 0.5", "at all 50 epsilon, 0.5 to 50" or "at 3 of 50 epsilon, 0.5 to 2"; empty without any. With the error,
  /// where there is one.
  std::string where() const;
};

/// Not one for each epsilon, nor for each error.
std::vector<BoundFinding> find_bounds(const std::vector<BoundCheck>& checks);

}  // namespace tacit::reports
