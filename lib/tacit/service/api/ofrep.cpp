#include "tacit/service/api/ofrep.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sodium.h>

#include "tacit/service/api/entity_tag.hpp"
#include "tacit/service/api/json_in_place.hpp"
#include "tacit/service/api/routes.hpp"
#include "tacit/service/api/writing.hpp"
#include "tacit/service/log.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service::api {
namespace {

constexpr int kBad = 400;
constexpr int kNotFound = 404;
constexpr int kNotModified = 304;
constexpr int kTooMany = 429;
constexpr int kServersFault = 500;

OfrepError invalid_context(const std::string& details) {
  return {kBad, "INVALID_CONTEXT", details};
}

/// Null: there is none.
bool is_there(JsonInPlace& json) {
  if (json.kind() != JsonInPlace::Kind::kNull) return true;
  json.null();
  return false;
}

std::optional<NamedUnit> unit_in(JsonInPlace& json, const Directory& directory) {
  if (!is_there(json)) return {};
  if (json.kind() != JsonInPlace::Kind::kObject) {
    throw invalid_context("context: must be an object");
  }
  std::optional<NamedUnit> unit;
  json.begin_object();
  while (const auto key = json.key()) {
    if (*key != "targetingKey") {
      json.skip();
    } else if (is_there(json)) {
      if (json.kind() != JsonInPlace::Kind::kText) {
        throw invalid_context("context.targetingKey: must be a text");
      }
      const std::string_view text = json.text();
      if (text.size() > kLongestUnit) {
        throw invalid_context(
            fmt::format("context.targetingKey: must have at most {} bytes", kLongestUnit));
      }
      if (!text.empty()) unit = named_unit(text, directory);
    }
  }
  return unit;
}

std::optional<NamedUnit> unit_of_request(std::span<char> body, const Directory& directory) {
  JsonInPlace json(body);
  if (json.kind() != JsonInPlace::Kind::kObject) {
    throw OfrepError(kBad, "PARSE_ERROR", "body: must be an object with context");
  }
  std::optional<NamedUnit> unit;
  json.begin_object();
  while (const auto key = json.key()) {
    if (*key == "context") {
      unit = unit_in(json, directory);
    } else {
      json.skip();
    }
  }
  json.end();
  return unit;
}

void add_error(std::string& out, const OfrepError& error, std::string_view flag) {
  out += '{';
  if (!flag.empty()) {
    out += "\"key\":";
    add_text(out, flag);
    out += ',';
  }
  out += "\"errorCode\":";
  add_text(out, error.code());
  out += ",\"errorDetails\":";
  add_text(out, error.what());
  out += '}';
}

/// Names need no escapes (spec.hpp), and values are JSON.
void add_evaluation(std::string& out, const Experiment& experiment, const Decision& decision) {
  const Spec& spec = experiment.spec();
  const auto at = [&](Arm arm) -> const ArmSpec& {
    return spec.arms[static_cast<std::size_t>(arm)];
  };
  out += "{\"key\":\"";
  out += spec.name;
  out += decision.fallback ? "\",\"reason\":\"DISABLED\"" : "\",\"reason\":\"SPLIT\"";
  const bool single = spec.actions == "single";
  if (!single || !decision.arms.empty()) {
    out += ",\"variant\":\"";
    for (std::size_t i = 0; i < decision.arms.size(); ++i) {
      if (i > 0) out += ',';
      out += at(decision.arms[i]).name;
    }
    out += single ? "\",\"value\":" : "\",\"value\":[";
    for (std::size_t i = 0; i < decision.arms.size(); ++i) {
      if (i > 0) out += ',';
      out += at(decision.arms[i]).value;
    }
    if (!single) out += ']';
  }
  fmt::format_to(std::back_inserter(out),
                 ",\"metadata\":{{\"tacit.event\":\"{}\",\"tacit.deadline\":\"{}\","
                 "\"tacit.version\":{},\"tacit.epsilon\":{}}}}}",
                 decision.event, text_of_time(decision.deadline), decision.version,
                 experiment.guarantee().epsilon);
}

/// How decisions are made: with the store, or while it is away.
using Decide = Decision (Engine::*)(const DecideRequest&, Time);

/// Who asks, and for whom.
struct Asked {
  std::optional<NamedUnit> unit;
  bool is_public = false;  // with a key that everybody has
  std::string key;         // its id
  std::shared_ptr<Quotas> quotas;

  DecideRequest request(Id experiment, bool defer) const {
    DecideRequest request{.experiment = experiment, .unit = {}, .eligible = {}, .defer = defer};
    if (unit) request.unit = unit->unit;
    return request;
  }
};

/// Who has no unit would get another variant each time, and none of its outcomes would count, without a word of it.
void check_unit(const Experiment& experiment, const Asked& asked) {
  const Spec& spec = experiment.spec();
  if (!spec.keeps_units()) return;
  if (!asked.unit) {
    throw OfrepError(kBad, "TARGETING_KEY_MISSING",
                     "context.targetingKey: must be given, since this flag is decided by user");
  }
  if (asked.is_public && !asked.unit->is_signed && spec.client_units == ClientUnits::kSigned) {
    throw OfrepError(
        kBad, "INVALID_CONTEXT",
        "context.targetingKey: with a client key this flag takes USER.SIGNATURE alone, "
        "with the signature that POST /v1/units gives the application for USER; or "
        "units_from_clients of the experiment must be any");
  }
}

void add_flag(std::string& out, Engine& engine, const Experiment& experiment, const Asked& asked,
              bool defer, Decide decide, Time now) {
  if (experiment.row().state == ExperimentState::kArchived) {
    throw OfrepError(kNotFound, "FLAG_NOT_FOUND", "key: this experiment is archived");
  }
  check_unit(experiment, asked);
  const DecideRequest request = asked.request(experiment.row().id, defer);
  try {
    if (asked.is_public && decide == &Engine::decide && engine.is_new_unit(request, now)) {
      asked.quotas->take_unit(asked.key, now);
    }
    const Decision decision = (engine.*decide)(request, now);
    add_evaluation(out, experiment, decision);
  } catch (const Problem& problem) {
    if (problem.status() >= kServersFault) throw;
    throw OfrepError(problem.status() == kTooMany ? kTooMany : kBad, "GENERAL", problem.what(),
                     problem.retry_after());
  }
}

/// Changes when what would be decided can have changed: the flags, how they learn, or who asks; and when an event that was given
/// with it may be too old to be activated.
std::string tag_of(Engine& engine, const Asked& asked, Time now) {
  std::string content;
  Round versions = 0;
  if (asked.unit) {
    const UnitHash& unit = asked.unit->unit;
    content.append(reinterpret_cast<const char*>(unit.data()), unit.size());  // NOLINT: its bytes
    content += asked.is_public && !asked.unit->is_signed ? 'n' : 'y';
  }
  for (const Experiment* each : engine.experiments()) {
    const ExperimentRow& row = each->row();
    versions += each->version();
    fmt::format_to(std::back_inserter(content), "\n{} {} {} {} {}", row.name,
                   static_cast<int>(row.state), row.generation, each->version(),
                   now / std::max(each->spec().wait, kSecond));
    content += row.spec;
  }
  return entity_tag(fmt::to_string(versions), content);
}

Answer all_flags(Engine& engine, const Asked& asked, std::string_view seen, Decide decide,
                 Time now) {
  Answer answer;
  // While the store is away nothing is recorded of what is decided: it is not to be kept for longer than that.
  if (decide == &Engine::decide) answer.etag = tag_of(engine, asked, now);
  if (!answer.etag.empty() && names_tag(seen, answer.etag)) {
    answer.status = kNotModified;
    return answer;
  }
  answer.body = "{\"flags\":[";
  for (const Experiment* each : engine.experiments()) {
    if (each->row().state == ExperimentState::kArchived) continue;
    if (answer.body.back() != '[') answer.body += ',';
    try {
      add_flag(answer.body, engine, *each, asked, true, decide, now);
    } catch (const OfrepError& error) {
      add_error(answer.body, error, each->row().name);
    }
  }
  answer.body += "],\"metadata\":{}}";
  return answer;
}

/// The body is overwritten.
Asked asked_by(const Call& call, const std::shared_ptr<Quotas>& quotas) {
  return {.unit = unit_of_context(call.request.body(), *call.directory),
          .is_public = call.role == Role::kClient,
          .key = std::string(call.key),
          .quotas = quotas};
}

void evaluate_one(Service& service, const std::shared_ptr<Quotas>& quotas, const Call& call,
                  http::Respond respond) {
  const std::string& flag = call.parameters.at(0);
  try {
    const Asked asked = asked_by(call, quotas);
    const auto found = call.directory->by_name.find(flag);
    if (found == call.directory->by_name.end()) {
      const std::string nearest = call.nearest_experiment();
      throw OfrepError(kNotFound, "FLAG_NOT_FOUND",
                       nearest.empty()
                           ? "key: there is no experiment yet"
                           : fmt::format("key: there is no experiment of this name; did you mean "
                                         "{}?",
                                         nearest));
    }
    const auto work = [&](Decide decide) {
      return [decide, asked, id = found->second->id](Engine& engine, Time now) {
        const Experiment& experiment = engine.at(id);
        try {
          Answer answer;
          add_flag(answer.body, engine, experiment, asked, false, decide, now);
          return answer;
        } catch (const OfrepError& error) {
          return answer_of(error, experiment.row().name);
        }
      };
    };
    service.submit_decision(work(&Engine::decide), work(&Engine::decide_without_store),
                            std::move(respond));
  } catch (const OfrepError& error) {
    respond(answer_of(error, flag));
  }
}

void evaluate_all(Service& service, const std::shared_ptr<Quotas>& quotas, const Call& call,
                  http::Respond respond) {
  try {
    const Asked asked = asked_by(call, quotas);
    const auto work = [&](Decide decide) {
      return [decide, asked, seen = std::string(call.request.header("If-None-Match"))](
                 Engine& engine, Time now) { return all_flags(engine, asked, seen, decide, now); };
    };
    service.submit_decision(work(&Engine::decide), work(&Engine::decide_without_store),
                            std::move(respond));
  } catch (const OfrepError& error) {
    respond(answer_of(error, ""));
  }
}

}  // namespace

NamedUnit named_unit(std::string_view targeting_key, const Directory& directory) {
  const std::size_t dot = targeting_key.rfind('.');
  if (dot != std::string_view::npos && dot > 0) {
    const UnitHash unit = directory.unit(targeting_key.substr(0, dot));
    const std::string right = directory.signature(unit);
    const std::string_view given = targeting_key.substr(dot + 1);
    if (given.size() == right.size() &&
        sodium_memcmp(given.data(), right.data(), right.size()) == 0) {
      return {.unit = unit, .is_signed = true};
    }
  }
  return {.unit = directory.unit(targeting_key), .is_signed = false};
}

std::optional<NamedUnit> unit_of_context(std::span<char> body, const Directory& directory) {
  // Who is asked for is gone from here on, whatever becomes of the request.
  struct Wiped {
    std::span<char> body;
    ~Wiped() { sodium_memzero(body.data(), body.size()); }
  } const wiped{body};
  try {
    return unit_of_request(body, directory);
  } catch (const BadJson& bad) {
    throw OfrepError(kBad, "PARSE_ERROR", bad.what());
  }
}

Answer answer_of(const OfrepError& error, std::string_view flag) {
  Answer answer;
  answer.status = error.status();
  answer.retry_after = error.retry_after();
  add_error(answer.body, error, flag);
  return answer;
}

std::vector<RouteRow> ofrep_routes(Service& service, std::shared_ptr<Quotas> quotas) {
  const auto row = [&](std::string_view path, auto route) {
    return RouteRow{"POST", path, Role::kApp | Role::kClient, Lane::kDecide,
                    [&service, quotas, route](const Call& call, http::Respond respond) {
                      route(service, quotas, call, std::move(respond));
                    }};
  };
  return {
      row("/ofrep/v1/evaluate/flags", evaluate_all),
      row("/ofrep/v1/evaluate/flags/{key}", evaluate_one),
  };
}

}  // namespace tacit::service::api
