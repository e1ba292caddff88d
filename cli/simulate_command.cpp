#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "ledger_file.hpp"
#include "problem_catalogue.hpp"
#include "requests.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/document.hpp"
#include "tacit/lab/output_file.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::cli {
namespace {

using lab::Json;

struct Options {
  ProblemOptions problem;
  RequestOptions request;
  std::optional<std::string> feedback, threads, ledger;
  std::string policies;
  std::vector<std::string> params;
  bool json = false;
};

struct Job {
  const policies::Entry* entry;
  std::string actions;  // as given
  std::optional<privacy::Guarantee> environment;
  simulation::Request request;
};

/// As an integer where a double holds it exactly.
Json whole_number(double x) {
  return x <= static_cast<double>(kLastRound) ? Json(static_cast<std::int64_t>(x)) : Json(x);
}

void check_feedback(const Options& o, const policies::Entry& entry) {
  if (!o.feedback) return;
  if (read_feedback(*o.feedback) != entry.card.feedback) {
    throw InvalidParameter("", "feedback", *o.feedback,
                           fmt::format("{} needs feedback {}", entry.card.name,
                                       feedback::name_of(entry.card.feedback)));
  }
}

std::vector<Job> make_jobs(const Options& o) {
  const std::vector<std::string> names = split(o.policies, ',');
  for (const std::string& name : names) policies::find_policy(name);
  const ParameterOptions params(o.params, names);
  const ChosenProblem chosen = choose_problem(o.problem);
  simulation::Request base = read_request(o.request, chosen);
  base.threads = read_threads(o.threads);

  std::vector<Job> jobs;
  for (const std::string& name : names) {
    Job job{&policies::find_policy(name), chosen.actions_text, chosen.environment, {}};
    check_feedback(o, *job.entry);
    job.request = request_of(base, name, params.of(name));
    check_request(job.request, o.problem, chosen);  // every mistake is found before the first run
    jobs.push_back(std::move(job));
  }
  return jobs;
}

Json to_json(const Job& job, const simulation::Summary& s) {
  const simulation::Request& r = job.request;
  Json document = lab::played(r, job.actions, s.guarantee);
  document.update(lab::promised(r, s.guarantee));
  document.update(lab::measured(s, r.checkpoints, {s.benchmark, s.benchmark_is_proven}));
  document["rounds"] = whole_number(s.rounds);
  document["seconds"] = s.cpu_seconds;
  if (job.environment) document["environment"] = lab::guarantee_json(*job.environment);
  return document;
}

/// A problem's name cut to fit a line: one with thousands of arms lists them all.
std::string shortened(const std::string& name) {
  constexpr std::size_t kLongest = 60;
  return name.size() <= kLongest ? name : name.substr(0, kLongest - 3) + "...";
}

std::string to_table(const std::vector<Job>& jobs, const std::vector<simulation::Summary>& all) {
  const simulation::Request& r = jobs.front().request;
  std::string text =
      fmt::format("{}{}, {} rounds, {} run{}, seed {}\n\n", shortened(r.problem->name()),
                  r.actions ? ", " + jobs.front().actions : "", r.horizon, r.runs,
                  r.runs == 1 ? "" : "s", r.seed);
  text += fmt::format("{:<30} {:>10} {:>9} {:>10} {:>10} {:>10}  {}\n", "policy", "regret",
                      "+/- 95%", "median", "95% of", "CPU ms", "guarantee");
  text += fmt::format("{:<30} {:>10} {:>9} {:>10} {:>10} {:>10}  {}\n", "", "mean", "", "", "runs",
                      "a run", "(epsilon)");
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const simulation::Summary& s = all[i];
    const double half = s.curve.back().half_width95();
    text += fmt::format(
        "{:<30} {:>10.1f} {:>9} {:>10.1f} {:>10.1f} {:>10.4g}  {}\n", jobs[i].request.policy,
        s.curve.back().mean(), std::isfinite(half) ? fmt::format("{:.1f}", half) : "-",
        simulation::sorted_quantile(s.final_regrets, 0.5),
        simulation::sorted_quantile(s.final_regrets, 0.95),
        1e3 * s.cpu_seconds / static_cast<double>(r.runs), lab::guarantee_text(s.guarantee));
  }
  for (const Job& job : jobs) {
    std::vector<std::string> given;
    for (const policies::ParameterValue& p : job.request.parameters) {
      given.push_back(fmt::format("{}={}", p.name, p.value));
    }
    if (given.empty()) continue;
    text += fmt::format("{}{}: played with {}\n", text.ends_with("\n\n") ? "" : "\n",
                        job.request.policy, fmt::join(given, ", "));
  }
  // Policies whose guarantee has the same reason share a line.
  std::vector<std::pair<std::string, std::string>> reasons;  // (reason, names)
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::string reason = fmt::format("{}, because {}", lab::guarantee_text(all[i].guarantee),
                                           all[i].guarantee.because);
    const auto same = std::find_if(reasons.begin(), reasons.end(),
                                   [&](const auto& known) { return known.first == reason; });
    if (same == reasons.end()) {
      reasons.emplace_back(reason, jobs[i].request.policy);
    } else {
      same->second += ", " + jobs[i].request.policy;
    }
  }
  text += "\n";
  if (jobs.front().environment) {
    reasons.emplace_back(
        fmt::format("{}, because {}", lab::guarantee_text(*jobs.front().environment),
                    jobs.front().environment->because),
        "the problem");
  }
  for (const auto& [reason, names] : reasons) text += fmt::format("{}: {}\n", names, reason);
  if (std::any_of(all.begin(), all.end(),
                  [](const simulation::Summary& s) { return !s.benchmark_is_proven; })) {
    text +=
        "regret: against the best list that a search found; below 0 where a policy found a better "
        "one\n";
  }
  if (r.actions) {
    const auto [alpha, beta] = r.actions->approximation();
    if (alpha * beta < 1) {
      text += fmt::format(
          "regret: against {:.4g} times the best value, which is what the search for sets "
          "promises; "
          "below 0 where it does better\n",
          alpha * beta);
    }
  }
  return text;
}

void simulate(const Options& options) {
  std::vector<Job> jobs = make_jobs(options);
  if (options.ledger) lab::check_writable("ledger", *options.ledger);
  std::vector<PolicyLedger> ledgers;
  std::vector<simulation::Summary> summaries;
  for (Job& job : jobs) {
    if (options.ledger) {
      ledgers.push_back({job.request.policy, {}});
      job.request.ledger = &ledgers.back().ledger;
    }
    summaries.push_back(simulation::simulate(job.request));
    job.request.ledger = nullptr;
  }
  if (options.ledger) write_ledgers(*options.ledger, ledgers);
  if (!options.json) {
    fmt::print("{}", to_table(jobs, summaries));
    return;
  }
  Json document = Json::array();
  for (std::size_t i = 0; i < jobs.size(); ++i) document.push_back(to_json(jobs[i], summaries[i]));
  // Names of files need not be UTF-8; what was computed is printed all the same.
  fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

Action add_simulate_command(CLI::App& app) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("simulate", "Run policies on a problem and show their regret");
  c->add_option("--policy", o->policies, "One or more names, separated by commas")->required();
  c->add_option("--epsilon", o->request.epsilon, "Privacy parameter; required by private policies");
  c->add_option("--delta", o->request.delta,
                "Second privacy parameter, for policies that have one");
  add_problem_options(*c, o->problem);
  c->add_option("--feedback", o->feedback,
                "bandit, full, semi or cascade; default: the policy's own");
  c->add_option("--rewards", o->problem.rewards, "bernoulli, beta, point or normal");
  c->add_option("--horizon", o->request.horizon, "Rounds, like 1000000 or 1e6")->required();
  c->add_option("--runs", o->request.runs, "Independent runs")->required();
  c->add_option("--seed", o->request.seed, "Seed of the simulation");
  c->add_option("--threads", o->threads, "Default: all cores. Results do not depend on it");
  c->add_option("--checkpoints", o->request.checkpoints, "log:N or linear:N points of the curve");
  c->add_option("--param", o->params, "[POLICY.]name=value; tacit list shows the names")
      ->allow_extra_args(false);
  c->add_option("--environment-epsilon", o->problem.environment_epsilon,
                "Play on means released once with secure noise: the histories may be shared");
  c->add_option("--noise", o->request.noise,
                "ideal (doubles, as in papers) or exact (integers, as in production)");
  c->add_option("--ledger", o->ledger,
                "Write the first run's releases to this CSV file: what, when, noise, cost");
  c->add_flag("--plain", o->request.plain, "Decide every round by itself, skip nothing");
  c->add_flag("--json", o->json, "Print one JSON document");
  return [o] { simulate(*o); };
}

}  // namespace tacit::cli
