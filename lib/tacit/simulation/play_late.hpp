// A run whose answers come late.
#pragma once

#include <cstdint>
#include <variant>

#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/simulation/any_channel.hpp"
#include "tacit/simulation/delay.hpp"
#include "tacit/simulation/recorder.hpp"
#include "tacit/simulation/stage.hpp"

namespace tacit::simulation {

/// Plays rounds 1..horizon and returns how many decisions that took. Single arms have the first recorder, sets the
/// second.
std::int64_t play_late(policies::Learner& learner, AnyChannel& channel, feedback::Kind kind,
                       const Stage& stage, const Delay& delay, random::SimulationStream& delays,
                       AnyRecorder recorder);

}  // namespace tacit::simulation
