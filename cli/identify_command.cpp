#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "jobs.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/json.hpp"
#include "tacit/reports/documents/simulation.hpp"
#include "tacit/reports/identification_table.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::cli {
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
    lab::Json document = lab::Json::array();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      document.push_back(reports::identification_json(jobs[i], summaries[i]));
    }
    fmt::print("{}\n", document.dump(2, ' ', false, lab::Json::error_handler_t::replace));
    return;
  }
  std::vector<reports::SimulatedPolicy> policies;
  for (std::size_t i = 0; i < jobs.size(); ++i) policies.push_back({jobs[i].request, summaries[i]});
  fmt::print("{}", reports::identification_table(policies));
}

}  // namespace tacit::cli
