// What may be told of a policy's arms, from releases alone.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "tacit/policies/learner.hpp"
#include "tacit/policies/release_log.hpp"

namespace tacit::live {

/// What may be told of an arm: all of it was released, or follows from choices.
struct ArmView {
  /// Of everything that was released of it, whatever the learner forgets; unbiased, so that noise may carry it outside
  /// [0, 1]. NaN: nothing was released, or only who leads (full information by a noisy maximum). Where releases do not
  /// add up, and there is no interval: of what the learner knows. For lists by their stop: clicks a showing.
  double mean = 0;
  double n = 0;         // outcomes behind it
  Round under_way = 0;  // choices in slots that are full and not released
  /// Of the mean, around the one above: at any time (policy.hpp, "How sure we are").
  std::optional<std::pair<double, double>> interval;
};

/// Of an arm whose learner knows `known` and of which the log, if there is one, was told everything; each interval misses
/// with probability alpha at most.
ArmView view_of(const policies::View& known, const std::optional<policies::ReleaseLog>& log,
                Arm arm, double alpha);

}  // namespace tacit::live
