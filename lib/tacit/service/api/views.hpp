// What may be told of experiments, as JSON: all of it is a function of requests, the clock, coins and releases. There is no
// count, mean or time of outcomes here, and nothing of the lane that reports come by.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tacit/service/engine.hpp"
#include "tacit/service/spec.hpp"

namespace tacit::service::api {

/// Every interval misses with 5 % at most, at any time.
inline constexpr double kCoverage = 0.95;

std::string_view name_of(ExperimentState state) noexcept;

/// A line of the list of experiments.
Json summary_of(const Engine& engine, const Experiment& experiment, Time now);
/// All that an operator's page shows of it, as it was when it was asked for: what takes long, of thousands of arms, is done with it
/// elsewhere than in the engine's thread.
struct ViewParts {
  Json head;  // without what is below
  std::shared_ptr<const Spec> spec;
  std::shared_ptr<const Experiment::Known> known;
  std::vector<Round> decisions;  // of every arm
  std::vector<Round> under_way;

  friend bool operator==(const ViewParts&, const ViewParts&) = default;
};
ViewParts parts_of(Engine& engine, const Experiment& experiment, Time now);
Json view_of(const ViewParts& parts);
Json view_of(Engine& engine, const Experiment& experiment, Time now);
Json guarantee_of(Engine& engine, const Experiment& experiment);
Json json_of(const Experiment& experiment, const ReleaseRow& release);
Json json_of(const Engine::PopulationView& population);

}  // namespace tacit::service::api
