// What came of simulations, as `tacit simulate --json` and `tacit identify --json` print it and Python shows it.
#pragma once

#include <vector>

#include "tacit/lab/json.hpp"
#include "tacit/simulation/simulate.hpp"
#include "tacit/specs/requests.hpp"

namespace tacit::reports {

/// What is known before the first run: what is played, under which guarantee, and what is not as usual.
lab::Json played_json(const specs::ReadRequest& job, const privacy::Guarantee& guarantee);
/// The same of runs that stop when the best arms are known.
lab::Json sought_json(const specs::ReadRequest& job, const privacy::Guarantee& guarantee);

/// What was measured: means over the runs, and how often they miss.
lab::Json intervals_json(const simulation::IntervalSummary& intervals,
                         const std::vector<Round>& checkpoints);
/// How many samples it took, and how often it was wrong.
lab::Json found_json(const simulation::Measured& measured, const simulation::GoalSummary& goal);

/// All of it.
lab::Json simulation_json(const specs::ReadRequest& job, const simulation::Summary& summary);
lab::Json identification_json(const specs::ReadRequest& job, const simulation::Summary& summary);

}  // namespace tacit::reports
