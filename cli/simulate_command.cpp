#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "jobs.hpp"
#include "ledger_file.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/json.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/reports/arms_table.hpp"
#include "tacit/reports/bands_figure.hpp"
#include "tacit/reports/documents/simulation.hpp"
#include "tacit/reports/gnuplot.hpp"
#include "tacit/reports/output_file.hpp"
#include "tacit/reports/simulation_table.hpp"
#include "tacit/simulation/simulate.hpp"
#include "tacit/specs/files.hpp"
#include "tacit/specs/requests.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::cli {
namespace {

using lab::Json;

std::string to_table(const std::vector<specs::ReadRequest>& jobs,
                     const std::vector<simulation::Summary>& all, bool arms) {
  std::vector<reports::SimulatedPolicy> policies;
  for (std::size_t i = 0; i < jobs.size(); ++i) policies.push_back({jobs[i].request, all[i]});
  std::string text =
      reports::simulation_table(policies, jobs.front().actions, jobs.front().environment);
  const simulation::Delay& delay = jobs.front().request.delay;
  if (!delay.none()) text += fmt::format("answers: {}\n", delay.in_words());
  if (arms) text += "\n" + reports::arms_table(policies, jobs.front().arm_names);
  return text;
}

}  // namespace

void simulate(const SimulateOptions& options) {
  std::vector<specs::ReadRequest> jobs =
      read_jobs(options.request, options.policies, options.params, options.threads);
  if (options.ledger) reports::check_writable("ledger", *options.ledger);
  if (options.bands) {
    if (!options.request.intervals) {
      throw InvalidParameter(Option{"bands"}, *options.bands,
                             "draws intervals: give --intervals too");
    }
    if (!reports::is_picture(*options.bands)) {
      throw InvalidParameter(Option{"bands"}, *options.bands, "must end in .svg, .pdf or .png");
    }
    reports::check_writable("bands", *options.bands);
  }
  std::vector<PolicyLedger> ledgers;
  std::vector<simulation::Summary> summaries;
  for (specs::ReadRequest& job : jobs) {
    if (options.ledger) {
      ledgers.push_back({job.request.policy, {}});
      job.request.ledger = &ledgers.back().ledger;
    }
    summaries.push_back(simulation::simulate(job.request));
    job.request.ledger = nullptr;
  }
  if (options.ledger) write_ledgers(*options.ledger, ledgers);
  if (options.bands) {
    std::vector<reports::SimulatedPolicy> policies;
    for (std::size_t i = 0; i < jobs.size(); ++i)
      policies.push_back({jobs[i].request, summaries[i]});
    reports::draw(reports::bands_figure(policies, jobs.front().arm_names), *options.bands);
  }
  if (!options.json) {
    fmt::print("{}", to_table(jobs, summaries, options.arms));
    return;
  }
  Json document = Json::array();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    document.push_back(reports::simulation_json(jobs[i], summaries[i]));
  }
  // Names of files need not be UTF-8; what was computed is printed all the same.
  fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace tacit::cli
