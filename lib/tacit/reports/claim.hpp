// What somebody says of a figure, in a form that can be judged from the measured curves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/storage/source_line.hpp"

namespace tacit::reports {

/// An experiment's [[claim]]. Which of the forms it has is told by what is set:
///   less, than, factor        F y(less) <= y(than) at the end, in every panel and at every x (or at one epsilon, on one problem)
///   like, than, factor        y(like) <= F y(than) and y(than) <= F y(like), there too
///   policy, value, within     the final y, up to a relative error
///   policy, slope, within     of ln y against ln x; with `above`, of what y has above that of another policy
///   steeper, than, by         the difference of two slopes is at least that
///   policy, settles           y moves by at most this share from a tenth of the rounds (or of x) to the last
///   policy, linear            y lies on a straight line over x, up to this share of its rise
struct Claim {
  std::string figure;  // its name
  std::string says;
  std::string policy;  // the label that the claim is about: `policy`, `less`, `like` or `steeper`
  bool alike = false;  // `like`
  std::vector<std::string> than;
  std::optional<std::string> above;  // of a slope
  std::optional<std::string> problem;
  std::optional<double> epsilon;
  std::optional<double> factor, value, slope, steeper_by, settles, linear;
  double within = 0;
  storage::SourceLine place;
};

}  // namespace tacit::reports
