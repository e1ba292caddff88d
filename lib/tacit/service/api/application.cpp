// What applications do: ask for decisions, say when they are shown, and what came of them.
//
// Privacy: a report is answered by what stands in it alone, in the same words whether it was the first, in time, or of anything
// that there is; and it is answered when its batch is durable, so that the answer's time does not tell either.
#include <sodium.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacit/core/version.hpp"
#include "tacit/service/api/bodies.hpp"
#include "tacit/service/api/routes.hpp"
#include "tacit/service/api/writing.hpp"
#include "tacit/service/log.hpp"

namespace tacit::service::api {
namespace {

// ---- decisions

/// Under what an answer is kept, for who asks again with the same Idempotency-Key: hashes alone.
struct Repeatable {
  Tag tag{};
  Tag request{};
  std::string key = {};   // of the API: its id
  std::size_t bytes = 0;  // of the answer, at most, with what is kept beside it
};

/// Under a key of the service, so that whoever reads the store cannot try out what was asked.
class TagHash {
 public:
  explicit TagHash(const Directory& directory) {
    crypto_generichash_init(&state_, directory.ingress.data(), directory.ingress.size(),
                            std::tuple_size_v<Tag>);
  }
  /// With its length, so that no two lists of texts are one.
  TagHash& add(std::string_view text) {
    const std::uint64_t size = text.size();
    add_bytes(&size, sizeof size);
    add_bytes(text.data(), text.size());
    return *this;
  }
  Tag tag() {
    Tag tag{};
    crypto_generichash_final(&state_, tag.data(), tag.size());
    return tag;
  }

 private:
  void add_bytes(const void* bytes, std::size_t size) {
    crypto_generichash_update(&state_, static_cast<const unsigned char*>(bytes), size);
  }
  crypto_generichash_state state_;
};

/// Before the body is read: that unescapes it.
std::optional<Repeatable> repeatable(const Call& call) {
  const std::string_view key = call.request.header("Idempotency-Key");
  if (!call.request.has("Idempotency-Key")) return std::nullopt;
  if (key.empty()) {
    throw Problem(
        400, "Idempotency-Key",
        "Idempotency-Key: is empty; give a text that no other request has, or leave it out");
  }
  constexpr std::size_t kLongest = 255;
  if (key.size() > kLongest) {
    throw Problem(422, "Idempotency-Key",
                  fmt::format("Idempotency-Key: must be at most {} bytes", kLongest));
  }
  const std::span<const char> body = call.request.body();
  return Repeatable{.tag = TagHash(*call.directory).add("reply").add(call.key).add(key).tag(),
                    .request = TagHash(*call.directory)
                                   .add("request")
                                   .add(call.request.path())
                                   .add({body.data(), body.size()})
                                   .tag(),
                    .key = std::string(call.key)};
}

/// Names of arms need no escapes (spec.hpp), and values are JSON.
void add_name(std::string& out, const std::string& name) {
  out += '"';
  out += name;
  out += '"';
}

template <class Add>
void add_list(std::string& out, std::size_t size, Add add) {
  out += '[';
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) out += ',';
    add(i);
  }
  out += ']';
}

std::size_t longest_of(const std::vector<std::string>& texts) {
  std::size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  return longest;
}

/// Of a decision in an answer, at most.
std::size_t bytes_of_a_decision(const ExperimentCard& experiment) {
  constexpr std::size_t kRest = 256;  // an event and the names of fields
  constexpr std::size_t kMarks = 3;   // of a name in a list
  const auto shown = static_cast<std::size_t>(experiment.shown);
  const std::size_t name = longest_of(experiment.arms) + kMarks;
  const std::size_t observed = experiment.all_arms ? experiment.arms.size() : shown;
  return kRest + shown * (name + longest_of(experiment.values) + 1) + observed * name;
}

/// What is asked for in a few bytes must not be answered in many: it is made for one after another, while others wait.
void check_size(int count, const ExperimentCard& experiment) {
  if (count == 1) return;
  constexpr std::size_t kMostBytes = std::size_t{1} << 20U;
  const std::size_t bytes = bytes_of_a_decision(experiment);
  const std::size_t most = std::max(kMostBytes / bytes, std::size_t{1});
  if (static_cast<std::size_t>(count) <= most) return;
  throw Problem(422, "count",
                fmt::format("count: {} decisions of this experiment could be {} bytes; must be at "
                            "most {}, which stay below 1 MiB",
                            count, static_cast<std::size_t>(count) * bytes, most));
}

void add_decision(std::string& out, const ExperimentCard& experiment, const Decision& decision) {
  const auto add_arm = [&](Arm arm) {
    add_name(out, experiment.arms[static_cast<std::size_t>(arm)]);
  };
  const auto add_value = [&](Arm arm) { out += experiment.values[static_cast<std::size_t>(arm)]; };
  const std::vector<Arm>& arms = decision.arms;
  out += "{\"event\":\"";
  out += decision.event;
  out += "\",\"action\":";
  if (experiment.sets) {
    add_list(out, arms.size(), [&](std::size_t i) { add_arm(arms[i]); });
    out += ",\"value\":";
    add_list(out, arms.size(), [&](std::size_t i) { add_value(arms[i]); });
  } else {
    add_arm(arms[0]);
    out += ",\"value\":";
    add_value(arms[0]);
  }
  out += ",\"observe\":";
  if (!decision.observe.empty() && decision.observe[0] == kAllArms) {
    add_list(out, experiment.arms.size(), [&](std::size_t i) { add_arm(static_cast<Arm>(i)); });
  } else {
    add_list(out, decision.observe.size(), [&](std::size_t i) { add_arm(decision.observe[i]); });
  }
  out += ",\"deadline\":\"";
  out += text_of_time(decision.deadline);
  out += "\",\"version\":";
  add_number(out, decision.version);
  out += '}';
}

/// With the store, or while it is away.
using Decide = Decision (Engine::*)(const DecideRequest&, Time);

std::string decisions_text(Engine& engine, const DecisionsBody& body, Decide decide, Time now) {
  // As it is now: arms may have been added since the request came in.
  const std::shared_ptr<const Directory> directory = engine.directory();
  const auto found = directory->by_id.find(body.request.experiment);
  if (found == directory->by_id.end()) {
    throw Problem(404, "experiment", "experiment: there is no such experiment");
  }
  std::string out;
  out.reserve(256 * static_cast<std::size_t>(body.count));
  const auto add = [&] { add_decision(out, *found->second, (engine.*decide)(body.request, now)); };
  if (body.count == 1) {
    add();
    return out;
  }
  out += "{\"decisions\":";
  add_list(out, static_cast<std::size_t>(body.count), [&](std::size_t) { add(); });
  out += '}';
  return out;
}

Answer decide_once(Engine& engine, const DecisionsBody& body, const Repeatable& repeatable,
                   Quotas& quotas, Time now) {
  if (const auto earlier = engine.reply(repeatable.tag, now)) {
    if (earlier->request != repeatable.request) {
      throw Problem(422, "Idempotency-Key",
                    "Idempotency-Key: was given with another request before; take a new one");
    }
    return {.body = earlier->answer};
  }
  // Before anything is decided, which cannot be taken back.
  quotas.take_answer(repeatable.key, repeatable.bytes, now);
  Answer answer{.body = decisions_text(engine, body, &Engine::decide, now)};
  engine.keep({.tag = repeatable.tag,
               .request = repeatable.request,
               .answer = answer.body,
               .expires = now + quotas.idempotency_for()});
  return answer;
}

void decide(Service& service, const std::shared_ptr<Quotas>& quotas, const Call& call,
            http::Respond respond) {
  const ExperimentCard& experiment = call.experiment();
  std::optional<Repeatable> once = repeatable(call);
  const auto body = std::make_shared<const DecisionsBody>(
      decisions_of(call.request.body(), experiment, *call.directory));
  check_size(body->count, experiment);
  constexpr std::size_t kRow = 64;
  if (once) {
    once->bytes = kRow + static_cast<std::size_t>(body->count) * bytes_of_a_decision(experiment);
  }
  service.submit_decision(
      [body, once = std::move(once), quotas](Engine& engine, Time now) -> Answer {
        if (once) return decide_once(engine, *body, *once, *quotas, now);
        return {.body = decisions_text(engine, *body, &Engine::decide, now)};
      },
      // Nothing can be kept now, also not that this was asked before.
      [body](Engine& engine, Time now) -> Answer {
        return {.body = decisions_text(engine, *body, &Engine::decide_without_store, now)};
      },
      std::move(respond));
}

void activate(Service& service, const Call& call, http::Respond respond) {
  const auto event =
      std::make_shared<const Event>(activation_of(call.request.body(), *call.directory));
  service.submit(
      Lane::kDecide,
      [event](Engine& engine, Time now) -> Answer {
        return {.body = "{\"event\":\"" + engine.activate(*event, now) + "\"}"};
      },
      std::move(respond));
}

/// The unit is not repeated in it: nothing of a name leaves the place where it was read.
void sign_unit(Service&, const Call& call, const http::Respond& respond) {
  const UnitHash unit = unit_of_body(call.request.body(), *call.directory);
  respond({.body = fmt::format(R"({{"signature":"{}"}})", call.directory->signature(unit))});
}

// ---- what came of them

Answer accepted() { return {.status = 202, .body = "{}"}; }

void take_outcomes(Service& service, const Call& call, http::Respond respond) {
  const auto body =
      std::make_shared<const OutcomesBody>(outcomes_of(call.request.body(), *call.directory));
  service.submit(
      Lane::kReport,
      [body](Engine& engine, Time now) {
        for (const OutcomesBody::One& one : body->each)
          engine.report(one.event, body->of(one), now);
        return accepted();
      },
      std::move(respond));
}

void take_reports(Service& service, const Call& call, http::Respond respond) {
  const auto body =
      std::make_shared<const ReportsBody>(reports_of(call.request.body(), *call.directory));
  service.submit(
      Lane::kReport,
      [body](Engine& engine, Time now) {
        const std::shared_ptr<const Directory> directory = engine.directory();
        // All or none is taken.
        for (const ReportsBody::One& one : body->each) {
          if (!directory->by_id.contains(one.event.experiment)) continue;
          engine.at(one.event.experiment).check_report(one.event, one.report);
        }
        for (const ReportsBody::One& one : body->each) engine.take(one.event, one.report, now);
        return accepted();
      },
      std::move(respond));
}

Answer health(int status, const char* word) {
  return {.status = status, .body = fmt::format("{{\"status\":\"{}\"}}", word)};
}

}  // namespace

std::vector<RouteRow> application_routes(Service& service, std::shared_ptr<Quotas> quotas) {
  const auto route = [&service](auto what) -> Route {
    return [&service, what](const Call& call, http::Respond respond) {
      what(service, call, std::move(respond));
    };
  };
  const Role answers = Role::kApp | Role::kClient;
  return {
      {"POST", "/v1/outcomes", answers, Lane::kReport, route(take_outcomes)},
      {"POST", "/v1/experiments/{name}/decisions", Role::kApp, Lane::kDecide,
       [&service, quotas](const Call& call, http::Respond respond) {
         decide(service, quotas, call, std::move(respond));
       }},
      {"POST", "/v1/reports", answers, Lane::kReport, route(take_reports)},
      {"POST", "/v1/activations", answers, Lane::kDecide, route(activate)},
      {"POST", "/v1/units", Role::kApp, Lane::kDecide, route(sign_unit)},
  };
}

std::vector<RouteRow> health_routes(Service& service) {
  return {
      {"GET", "/", Role::kAnybody, Lane::kRead,
       [](const Call&, const http::Respond& respond) {
         respond(
             {.body = fmt::format(
                  R"({{"name":"tacit","version":"{}","description":"/openapi.json"}})", kVersion)});
       }},
      {"GET", "/healthz", Role::kAnybody, Lane::kRead,
       [](const Call&, const http::Respond& respond) { respond(health(200, "alive")); }},
      {"GET", "/readyz", Role::kAnybody, Lane::kRead,
       [&service](const Call&, const http::Respond& respond) {
         if (service.draining()) {
           respond(health(503, "stopping"));
         } else if (!service.store_is_up()) {
           respond(health(503, "the store is away"));
         } else {
           respond(health(200, "ready"));
         }
       }},
  };
}

}  // namespace tacit::service::api
