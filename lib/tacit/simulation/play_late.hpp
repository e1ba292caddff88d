// A run whose answers come late.
#pragma once

#include <cstdint>
#include <functional>
#include <variant>

#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/simulation/any_channel.hpp"
#include "tacit/simulation/delay.hpp"
#include "tacit/simulation/recorder.hpp"
#include "tacit/simulation/stage.hpp"

namespace tacit::simulation {

/// Asked after every delivery; null: never.
using Over = std::function<bool()>;

/// Plays rounds 1..horizon, or until it is over, and returns how many decisions that took. Single arms have the first
/// recorder, sets the second. With no delay it is the loop of answers that come at once, over virtual doors.
std::int64_t play_late(policies::Learner& learner, AnyChannel& channel, feedback::Kind kind,
                       const Stage& stage, const Delay& delay, random::SimulationStream& delays,
                       AnyRecorder recorder, const Over& over = nullptr);

}  // namespace tacit::simulation
