#include "tacit/service/api/metrics.hpp"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacit/core/version.hpp"
#include "tacit/service/api/routes.hpp"
#include "tacit/service/api/views.hpp"

namespace tacit::service::api {
namespace {

constexpr std::string_view kType = "text/plain; version=0.0.4; charset=utf-8";
constexpr int kUnavailable = 503;

void begin(std::string& out, std::string_view name, std::string_view type, std::string_view help) {
  fmt::format_to(std::back_inserter(out), "# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

// Names in labels need no escapes: those of experiments, arms and populations are letters, digits, dots, dashes and underscores
// (spec.hpp), and @.

template <class Value>
void of_experiment(std::string& out, std::string_view name, const Experiment& experiment,
                   Value value) {
  fmt::format_to(std::back_inserter(out), "{}{{experiment=\"{}\"}} {}\n", name,
                 experiment.row().name, value);
}

void add_experiments(std::string& out, const Engine& engine, Time now) {
  const std::vector<const Experiment*> all = engine.experiments();
  begin(out, "tacit_decisions_total", "counter", "Decisions that were made.");
  for (const Experiment* each : all) {
    const Id id = each->row().id;
    for (auto at = engine.decisions().lower_bound({id, kHoldout});
         at != engine.decisions().end() && at->first.first == id; ++at) {
      fmt::format_to(std::back_inserter(out),
                     "tacit_decisions_total{{experiment=\"{}\",arm=\"{}\"}} {}\n", each->row().name,
                     each->name_of(at->first.second), at->second);
    }
  }
  begin(out, "tacit_recorded_total", "counter",
        "Decisions that are recorded: in a sum, or will be.");
  for (const Experiment* each : all) {
    of_experiment(out, "tacit_recorded_total", *each, each->progress().recorded);
  }
  begin(out, "tacit_releases_total", "counter", "Sums that were released, with noise.");
  for (const Experiment* each : all) {
    of_experiment(out, "tacit_releases_total", *each, each->version());
  }
  begin(out, "tacit_policy_version", "gauge", "The last release that decisions are made from.");
  for (const Experiment* each : all) {
    of_experiment(out, "tacit_policy_version", *each, each->version());
  }
  begin(out, "tacit_phases_under_way", "gauge", "Phases that are full and not released yet.");
  for (const Experiment* each : all) {
    of_experiment(out, "tacit_phases_under_way", *each, each->under_way());
  }
  begin(out, "tacit_experiment_running", "gauge",
        "1 while it records; 0: paused, stopped, or its population cannot pay for this period.");
  for (const Experiment* each : all) {
    const bool records = each->running() && engine.why_not_recorded(*each, now).empty();
    of_experiment(out, "tacit_experiment_running", *each, records ? 1 : 0);
  }
  begin(out, "tacit_guarantee_epsilon", "gauge", "What is promised about one decision's record.");
  for (const Experiment* each : all) {
    of_experiment(out, "tacit_guarantee_epsilon", *each, each->guarantee().epsilon);
  }
}

void add_populations(std::string& out, const Engine& engine) {
  const auto populations = engine.populations();
  const auto add = [&](std::string_view name, std::string_view type, std::string_view help,
                       auto value) {
    begin(out, name, type, help);
    for (const auto& each : populations) {
      fmt::format_to(std::back_inserter(out), "{}{{population=\"{}\"}} {}\n", name, each.row.name,
                     value(each));
    }
  };
  add("tacit_population_epsilon_spent", "gauge", "Of a population's budget.",
      [](const auto& each) { return each.spent; });
  add("tacit_population_epsilon_budget", "gauge", "A population's budget.",
      [](const auto& each) { return each.row.epsilon; });
}

void add_requests(std::string& out, const RequestCounts& counts) {
  begin(out, "tacit_requests_total", "counter", "Requests that were answered; reports are none.");
  for (const RequestCounts::Row& row : counts.rows()) {
    fmt::format_to(std::back_inserter(out),
                   "tacit_requests_total{{method=\"{}\",path=\"{}\",status=\"{}\"}} {}\n",
                   row.method, row.path, row.status, row.requests);
  }
}

void add_kept(std::string& out, const Quotas& quotas) {
  const auto add = [&](std::string_view name, std::string_view help, std::uint64_t value) {
    begin(out, name, "counter", help);
    fmt::format_to(std::back_inserter(out), "{} {}\n", name, value);
  };
  add("tacit_kept_answers_total", "Answers that were kept for their Idempotency-Key.",
      quotas.answers());
  add("tacit_kept_answer_bytes_total", "Bytes of them, at most.", quotas.answer_bytes());
  add("tacit_client_units_total", "Units that are kept and that client keys named first.",
      quotas.units());
}

Answer as_answer(std::string text) {
  Answer answer;
  answer.body = std::move(text);
  answer.type = kType;
  return answer;
}

}  // namespace

std::string metrics_of(const Engine* engine, const RequestCounts& counts, const Quotas& quotas,
                       Time now) {
  std::string out;
  begin(out, "tacit_build_info", "gauge", "Which tacit this is.");
  fmt::format_to(std::back_inserter(out), "tacit_build_info{{version=\"{}\"}} 1\n", kVersion);
  begin(out, "tacit_store_up", "gauge", "1 while the store can be written.");
  fmt::format_to(std::back_inserter(out), "tacit_store_up {}\n", engine != nullptr ? 1 : 0);
  if (engine != nullptr) {
    add_experiments(out, *engine, now);
    add_populations(out, *engine);
  }
  add_requests(out, counts);
  add_kept(out, quotas);
  return out;
}

std::vector<RouteRow> metrics_routes(Service& service, const RequestCounts& counts,
                                     std::shared_ptr<const Quotas> quotas) {
  const auto route = [&service, &counts, quotas = std::move(quotas)](const Call&,
                                                                     http::Respond respond) {
    service.submit(
        Lane::kRead,
        [&service, &counts, quotas](Engine& engine, Time now) {
          return as_answer(
              metrics_of(service.store_is_up() ? &engine : nullptr, counts, *quotas, now));
        },
        [&counts, quotas, respond = std::move(respond)](Answer&& answer) {
          // Whoever watches must hear of a store that is away.
          const bool is_away = answer.status == kUnavailable;
          respond(is_away ? as_answer(metrics_of(nullptr, counts, *quotas, 0)) : std::move(answer));
        });
  };
  return {{"GET", "/metrics", kViewers, Lane::kRead, route}};
}

}  // namespace tacit::service::api
