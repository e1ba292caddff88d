// The rounds at which a run's regret is read. Reading never changes a run: see Recorder.
#pragma once

#include <string_view>
#include <vector>

#include "tacit/core/round.hpp"

namespace tacit::simulation {

/// Increasing rounds in 1..horizon that always end with the horizon; at most `count` of them.
std::vector<Round> linear_checkpoints(Round horizon, int count);
/// The same, evenly spaced in ln t from round 1 on.
std::vector<Round> log_checkpoints(Round horizon, int count);
/// "linear:N" or "log:N", N in 1..100000.
std::vector<Round> parse_checkpoints(std::string_view text, Round horizon);

}  // namespace tacit::simulation
