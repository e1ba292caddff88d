#include "tacit/reports/documents/simulation.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include <nlohmann/json.hpp>

#include "tacit/lab/bounds_of.hpp"
#include "tacit/lab/document.hpp"

namespace tacit::reports {
namespace {

using lab::Json;

/// As an integer where a double holds it exactly.
Json whole_number(double x) {
  return x <= static_cast<double>(kLastRound) ? Json(static_cast<std::int64_t>(x)) : Json(x);
}

Json bands_json(const simulation::IntervalSummary::Bands& bands) {
  Json arms = Json::array();
  for (std::size_t i = 0; i < bands.low.size(); ++i) {
    arms.push_back({{"low", bands.low[i]}, {"high", bands.high[i]}});
  }
  return arms;
}

}  // namespace

Json played_json(const specs::ReadRequest& job, const privacy::Guarantee& guarantee) {
  const simulation::Request& r = job.request;
  Json document = lab::setting_json(lab::setting_of(r, job.actions, guarantee));
  document.update(lab::promises_json(lab::promises_of(r, guarantee)));
  if (!r.delay.none()) document["delay"] = r.delay.name();
  if (!job.arm_names.empty()) document["arm_names"] = job.arm_names;
  if (job.environment) document["environment"] = lab::guarantee_json(*job.environment);
  return document;
}

Json sought_json(const specs::ReadRequest& job, const privacy::Guarantee& guarantee) {
  const simulation::Request& r = job.request;
  const auto fewest = lab::fewest_samples(r, guarantee);
  Json parameters = Json::object();
  for (const policies::ParameterInfo& p :
       simulation::entry_of(r).parameters(simulation::told_parameters(r))) {
    parameters[p.name] = p.value;
  }
  Json document = {{"policy", r.policy},
                   {"epsilon", r.epsilon ? Json(*r.epsilon) : Json(nullptr)},
                   {"problem", r.problem->name()}};
  document.update(lab::goal_json(*r.goal, r.horizon));
  document.update({{"params", std::move(parameters)},
                   {"seed", r.seed},
                   {"guarantee", lab::guarantee_json(guarantee)},
                   {"lower_bound", fewest ? Json(*fewest) : Json(nullptr)}});
  if (!r.delay.none()) document["delay"] = r.delay.name();
  return document;
}

Json intervals_json(const simulation::IntervalSummary& intervals,
                    const std::vector<Round>& checkpoints) {
  Json arms = bands_json(intervals.at_the_end());
  for (std::size_t i = 0; i < arms.size(); ++i) arms[i]["missed"] = intervals.missed[i];
  Json curve = Json::array();
  for (std::size_t c = 0; c < checkpoints.size(); ++c) {
    curve.push_back({{"t", checkpoints[c]}, {"arms", bands_json(intervals.at[c])}});
  }
  const bool has_differences = !intervals.difference_missed.empty();
  return {{"alpha", intervals.alpha},
          {"width", intervals.mean_width()},
          {"missed", intervals.most_missed()},
          {"differences_missed",
           has_differences ? Json(intervals.most_differences_missed()) : Json(nullptr)},
          {"arms", std::move(arms)},
          {"curve", std::move(curve)}};
}

Json found_json(const simulation::Measured& measured, const simulation::GoalSummary& goal) {
  const std::int64_t runs = measured.curve.back().count();
  return {{"samples", lab::spread_json(measured)},
          {"pulls", measured.mean_pulls},
          {"wrong", static_cast<double>(goal.wrong) / static_cast<double>(runs)},
          {"stopped", goal.stopped},
          {"runs", runs},
          {"decisions", measured.decisions}};
}

Json simulation_json(const specs::ReadRequest& job, const simulation::Summary& s) {
  const simulation::Request& r = job.request;
  Json document = played_json(job, s.guarantee);
  document.update(lab::measurement_json(s, r.checkpoints, {s.benchmark, s.benchmark_is_proven}));
  document["rounds"] = whole_number(s.rounds);
  document["seconds"] = s.cpu_seconds;
  if (s.intervals) document["intervals"] = intervals_json(*s.intervals, r.checkpoints);
  return document;
}

Json identification_json(const specs::ReadRequest& job, const simulation::Summary& s) {
  Json document = sought_json(job, s.guarantee);
  document.update(found_json(s, *s.goal));
  document["seconds"] = s.cpu_seconds;
  return document;
}

}  // namespace tacit::reports
