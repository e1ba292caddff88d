// What may be told of experiments, as JSON: all of it is a function of requests, the clock, coins and releases. There is no
// count, mean or time of outcomes here, and nothing of the lane that reports come by.
#pragma once

#include <string>

#include "tacit/service/engine.hpp"
#include "tacit/service/spec.hpp"

namespace tacit::service::api {

/// Every interval misses with 5 % at most, at any time.
inline constexpr double kCoverage = 0.95;

std::string_view name_of(ExperimentState state) noexcept;
/// Of a slot: an arm's, "@all" or "@holdout", which no arm can be called.
std::string name_of(const Experiment& experiment, Arm arm);

/// A line of the list of experiments.
Json summary_of(const Experiment& experiment);
/// All that an operator's page shows of it.
Json view_of(Engine& engine, const Experiment& experiment);
Json guarantee_of(Engine& engine, const Experiment& experiment);
Json json_of(const Experiment& experiment, const ReleaseRow& release);
Json json_of(const Engine::PopulationView& population);

}  // namespace tacit::service::api
