// What can be said of a figure: which claims hold, what is really promised, and whether theory is kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/reports/judgement.hpp"

namespace tacit::reports {

/// A finite bound next to the measurement that comes closest to it, or breaks it.
struct BoundCheck {
  std::string bound;
  std::string policy;
  std::string problem;
  std::optional<double> epsilon;
  bool upper = true;
  bool kept = true;
  double share = 0;  // measured/bound, the largest (upper) or smallest (lower) over the checkpoints
};

/// Asserts every finite bound of every curve at every checkpoint: broken when the whole 95% interval is on the
/// wrong side.
std::vector<BoundCheck> check_bounds(const std::vector<Curve>& curves);

struct Verdict {
  int holds = 0, fails = 0, open = 0;  // claims
  int broken_bounds = 0;
  std::string text;  // for a file

  /// "3 of 4 claims hold" and the like.
  std::string summary() const;
};

/// `curves` are those that the figure shows.
Verdict give_verdict(const FigureRequest& request, const Figure& figure,
                     const std::vector<Claim>& claims, const std::vector<Curve>& curves);

}  // namespace tacit::reports
