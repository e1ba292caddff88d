#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "jobs.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/bounds_of.hpp"
#include "tacit/lab/document.hpp"
#include "tacit/reports/identification_table.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::cli {
namespace {

using lab::Json;

Json to_json(const specs::ReadRequest& job, const simulation::Summary& s) {
  const simulation::Request& r = job.request;
  const auto fewest = lab::fewest_samples(r, s.guarantee);
  Json parameters = Json::object();
  for (const policies::ParameterInfo& p : s.parameters) parameters[p.name] = p.value;
  Json document = {{"policy", r.policy},
                   {"epsilon", r.epsilon ? Json(*r.epsilon) : Json(nullptr)},
                   {"problem", r.problem->name()}};
  document.update(lab::goal_json(*r.goal, r.horizon));
  document.update({{"params", std::move(parameters)},
                   {"samples", lab::spread_json(s)},
                   {"pulls", s.mean_pulls},
                   {"wrong", static_cast<double>(s.goal->wrong) / static_cast<double>(r.runs)},
                   {"stopped", s.goal->stopped},
                   {"runs", r.runs},
                   {"seed", r.seed},
                   {"guarantee", lab::guarantee_json(s.guarantee)},
                   {"lower_bound", fewest ? Json(*fewest) : Json(nullptr)},
                   {"decisions", s.decisions},
                   {"seconds", s.cpu_seconds}});
  if (!r.delay.none()) document["delay"] = r.delay.name();
  return document;
}

}  // namespace

void identify(const IdentifyOptions& options) {
  if (!options.request.error && !options.request.budget) {
    throw InvalidParameter(Option{"error"}, "",
                           "must be given: how often a recommendation may be wrong, like 0.05; or "
                           "--budget N, for so many rounds");
  }
  const std::vector<specs::ReadRequest> jobs =
      read_jobs(options.request, options.policies, options.params, options.threads);
  std::vector<simulation::Summary> summaries;
  for (const specs::ReadRequest& job : jobs) summaries.push_back(simulation::simulate(job.request));
  if (options.json) {
    Json document = Json::array();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      document.push_back(to_json(jobs[i], summaries[i]));
    }
    fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
    return;
  }
  std::vector<reports::SimulatedPolicy> policies;
  for (std::size_t i = 0; i < jobs.size(); ++i) policies.push_back({jobs[i].request, summaries[i]});
  fmt::print("{}", reports::identification_table(policies));
}

}  // namespace tacit::cli
