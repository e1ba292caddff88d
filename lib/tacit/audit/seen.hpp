// All that somebody sees of a run from outside, as two lists of numbers.
#pragma once

#include <span>
#include <vector>

#include "tacit/audit/watched.hpp"

namespace tacit::audit {

/// Numbers in their places; what is absent is not a number.
using Observation = std::vector<double>;

struct Seen {
  Observation
      actions;  // arm by arm; of a long run the first and the last, and one number for all between
  Observation shown;  // what was released, or reported
};

/// Reports as they came: one user after the other. Releases by the arm that they are about, the arms in the order in
/// which they were first played, so that a round's user is found in the same place of every run.
Seen seen_of(const Watched& run, int arms);
/// Of a policy that is its own curator.
Seen actions_of(const Watched& run);

/// A number that two different lists share only by accident.
double code_of(std::span<const double> list);

}  // namespace tacit::audit
