#include "tacit/service/api/operating.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tacit/core/nearest_name.hpp"
#include "tacit/service/api/reading.hpp"
#include "tacit/service/api/routes.hpp"
#include "tacit/service/api/views.hpp"
#include "tacit/service/api_keys.hpp"
#include "tacit/service/log.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service::api {
namespace {

constexpr int kBad = 400;
constexpr int kNotFound = 404;
constexpr int kConflict = 409;
constexpr int kUnprocessable = 422;
constexpr int kCreated = 201;
constexpr int kDeepest = 8;  // levels of JSON

[[noreturn]] void refuse(const std::string& field, const std::string& must) {
  throw Problem(kUnprocessable, field, fmt::format("{}: {}", field, must));
}

/// An object with these keys and no others.
void check_keys(const Json& body, const std::vector<std::string>& known) {
  if (!body.is_object()) refuse("body", "must be an object");
  for (const auto& [key, value] : body.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    refuse(key, fmt::format("there is no such key; did you mean {}? (known: {})",
                            nearest_name(key, known), fmt::join(known, ", ")));
  }
}

/// "" where it may be missing and is.
std::string text_in(const Json& body, const std::string& key, bool needed) {
  const auto found = body.find(key);
  if (found == body.end() || found->is_null()) {
    if (needed) refuse(key, "must be given");
    return "";
  }
  if (!found->is_string()) refuse(key, "must be a text");
  return found->get<std::string>();
}

std::string line_in(const Json& body, const std::string& key) {
  constexpr std::size_t kLongest = 200;
  std::string text = text_in(body, key, false);
  const bool is_line = std::none_of(text.begin(), text.end(),
                                    [](char c) { return static_cast<unsigned char>(c) < ' '; });
  if (!is_line || text.size() > kLongest) {
    refuse(key, fmt::format("must be one line of at most {} bytes", kLongest));
  }
  return text;
}

Answer answer(const Json& json, int status = 200) {
  Answer answer;
  answer.status = status;
  answer.body = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return answer;
}

Answer created(const Json& json, const std::string& where) {
  Answer created = answer(json, kCreated);
  created.headers.emplace_back("Location", where);
  return created;
}

std::string path_of(const std::string& experiment) { return "/v1/experiments/" + experiment; }

/// What is done by whom, in the engine's thread.
using Deed = std::function<Answer(Engine&, const std::string& by, Time)>;

void operate(Service& service, const Call& call, Deed deed, http::Respond respond) {
  service.submit(
      Lane::kOperate,
      [deed = std::move(deed), by = std::string(call.key)](Engine& engine, Time now) {
        return deed(engine, by, now);
      },
      std::move(respond));
}

void create(Service& service, const Call& call, http::Respond respond) {
  operate(
      service, call,
      [spec = spec_of(json_of_body(call.request.body()))](Engine& engine, const std::string& by,
                                                          Time now) {
        const Id id = engine.create(spec, by, now);
        return created(view_of(engine, engine.at(id)), path_of(spec.name));
      },
      std::move(respond));
}

void change(Service& service, const Call& call, http::Respond respond) {
  operate(
      service, call,
      [id = call.experiment().id, request = change_request(json_of_body(call.request.body()))](
          Engine& engine, const std::string& by, Time now) {
        // All or nothing: what could be refused comes first.
        if (request.paused && engine.at(id).stopped()) {
          throw Problem(kConflict, "paused",
                        "paused: a stopped experiment stays stopped; it can be archived");
        }
        if (!request.rest.empty()) engine.change(id, request.rest, by, now);
        if (request.paused) engine.pause(id, *request.paused, by, now);
        return answer(view_of(engine, engine.at(id)));
      },
      std::move(respond));
}

void stop(Service& service, const Call& call, http::Respond respond) {
  operate(
      service, call,
      [id = call.experiment().id, why = stop_request(json_of_body(call.request.body()))](
          Engine& engine, const std::string& by, Time now) {
        engine.stop(id, why, by, now);
        return answer(view_of(engine, engine.at(id)));
      },
      std::move(respond));
}

void archive(Service& service, const Call& call, http::Respond respond) {
  operate(
      service, call,
      [id = call.experiment().id](Engine& engine, const std::string& by, Time now) {
        engine.archive(id, by, now);
        return answer(summary_of(engine.at(id)));
      },
      std::move(respond));
}

// An engine with other arms is read from the store again once this is durable, so that there is nothing to show of it yet.

void add_arm(Service& service, const Call& call, http::Respond respond) {
  const ExperimentCard& card = call.experiment();
  operate(
      service, call,
      [id = card.id, name = card.name, arm = arm_request(json_of_body(call.request.body()))](
          Engine& engine, const std::string& by, Time now) {
        engine.add_arm(id, arm, by, now);
        return created({{"experiment", name}, {"arm", arm.name}}, path_of(name));
      },
      std::move(respond));
}

void retire_arm(Service& service, const Call& call, http::Respond respond) {
  const ExperimentCard& card = call.experiment();
  const std::string& arm = call.parameters.at(1);
  if (card.arm_named.find(arm) == card.arm_named.end()) {
    throw Problem(kNotFound, "arm",
                  fmt::format("arm: {} has no such arm; did you mean {}?", card.name,
                              nearest_name(arm, card.arms)));
  }
  operate(
      service, call,
      [id = card.id, name = card.name, arm](Engine& engine, const std::string& by, Time now) {
        engine.retire_arm(id, arm, by, now);
        return answer({{"experiment", name}, {"arm", arm}, {"retired", true}});
      },
      std::move(respond));
}

void list_populations(Service& service, const Call& call, http::Respond respond) {
  tell(
      service, call,
      [](Engine& engine, Time) {
        Json all = Json::array();
        for (const auto& each : engine.populations()) all.push_back(api::json_of(each));
        return Json{{"populations", std::move(all)}};
      },
      std::move(respond));
}

void create_population(Service& service, const Call& call, http::Respond respond) {
  operate(
      service, call,
      [request = population_request(json_of_body(call.request.body()))](
          Engine& engine, const std::string& by, Time now) {
        const Id id =
            engine.create_population(request.name, request.epsilon, request.user_level, by, now);
        return created(api::json_of(Engine::PopulationView{
                           {id, request.name, request.epsilon, request.user_level}, 0}),
                       "/v1/populations");
      },
      std::move(respond));
}

Json json_of_key(const ApiKeyRow& key) {
  Json json{{"id", key.id}, {"role", key.role}, {"note", key.note}};
  json["created"] = text_of_time(key.created);
  json["revoked"] = key.revoked > 0 ? Json(text_of_time(key.revoked)) : Json(nullptr);
  return json;
}

void list_keys(Service& service, const Call& call, http::Respond respond) {
  tell(
      service, call,
      [](Engine& engine, Time) {
        Json all = Json::array();
        for (const ApiKeyRow& key : engine.api_keys()) all.push_back(json_of_key(key));
        return Json{{"keys", std::move(all)}};
      },
      std::move(respond));
}

void create_key(Service& service, const Call& call, http::Respond respond) {
  operate(
      service, call,
      [request = key_request(json_of_body(call.request.body()))](Engine& engine,
                                                                 const std::string& by, Time now) {
        NewApiKey key = new_api_key(request.role, request.note, now);
        engine.put_key(key.row, by, now);
        Json json = json_of_key(key.row);
        json["key"] = key.text;
        return created(json, "/v1/keys/" + key.row.id);
      },
      std::move(respond));
}

void revoke_key(Service& service, const Call& call, http::Respond respond) {
  operate(
      service, call,
      [id = call.parameters.at(0)](Engine& engine, const std::string& by, Time now) {
        const auto& keys = engine.api_keys();
        const auto found =
            std::find_if(keys.begin(), keys.end(), [&](const auto& key) { return key.id == id; });
        if (found == keys.end()) {
          throw Problem(kNotFound, "id", "id: there is no key with it; GET /v1/keys lists them");
        }
        ApiKeyRow key = *found;
        if (key.revoked == 0) {
          key.revoked = now;
          engine.put_key(key, by, now);
        }
        return answer(json_of_key(key));
      },
      std::move(respond));
}

void rotate(Service& service, const Call&, http::Respond respond) {
  service.rotate(std::move(respond));
}

void list_operations(Service& service, const Call& call, http::Respond respond) {
  constexpr std::int64_t kMost = 1000;
  constexpr std::int64_t kUsual = 100;
  const auto limit =
      static_cast<int>(number_in_query(call.request.query(), "limit", 1, kMost, kUsual));
  tell(
      service, call,
      [limit](Engine& engine, Time) {
        Json all = Json::array();
        for (const OperationRow& row : engine.store().operations(limit)) {
          all.push_back({{"at", text_of_time(row.at)}, {"key", row.key}, {"what", row.what}});
        }
        return Json{{"operations", std::move(all)}};
      },
      std::move(respond));
}

}  // namespace

Json json_of_body(std::span<const char> body) {
  if (body.empty()) return Json::object();
  try {
    return Json::parse(body.begin(), body.end(), [](int depth, Json::parse_event_t, Json&) {
      if (depth > kDeepest) {
        throw Problem(kBad, "body", fmt::format("body: is nested deeper than {}", kDeepest));
      }
      return true;
    });
  } catch (const Json::parse_error& error) {
    throw Problem(kBad, "body", fmt::format("body: is no JSON from byte {} on", error.byte));
  }
}

PopulationRequest population_request(const Json& body) {
  check_keys(body, {"name", "epsilon", "user_level"});
  PopulationRequest request;
  request.name = text_in(body, "name", true);
  check_name("name", request.name);
  const auto epsilon = body.find("epsilon");
  if (epsilon == body.end()) refuse("epsilon", "must be given");
  request.epsilon = epsilon->is_number() ? epsilon->get<double>() : 0;
  if (!(request.epsilon > 0 && std::isfinite(request.epsilon))) {
    refuse("epsilon", "must be a finite number > 0");
  }
  if (const auto level = body.find("user_level"); level != body.end()) {
    if (!level->is_boolean()) refuse("user_level", "must be true or false");
    request.user_level = level->get<bool>();
  }
  return request;
}

KeyRequest key_request(const Json& body) {
  check_keys(body, {"role", "note"});
  KeyRequest request{text_in(body, "role", true), line_in(body, "note")};
  if (std::find(kRoles.begin(), kRoles.end(), request.role) == kRoles.end()) {
    const std::vector<std::string> roles(kRoles.begin(), kRoles.end());
    refuse("role", fmt::format("there is no such role; did you mean {}? (known: {})",
                               nearest_name(request.role, roles), fmt::join(roles, ", ")));
  }
  return request;
}

ChangeRequest change_request(Json body) {
  if (!body.is_object() || body.empty()) {
    refuse("body", "must be an object that says what is to change");
  }
  ChangeRequest request;
  if (const auto paused = body.find("paused"); paused != body.end()) {
    if (!paused->is_boolean()) refuse("paused", "must be true or false");
    request.paused = paused->get<bool>();
    body.erase("paused");
  }
  request.rest = std::move(body);
  return request;
}

ArmSpec arm_request(const Json& body) {
  check_keys(body, {"name", "value"});
  ArmSpec arm;
  arm.name = text_in(body, "name", true);
  check_name("name", arm.name);
  const auto value = body.find("value");
  arm.value = value == body.end() ? Json(arm.name).dump() : value->dump();
  return arm;
}

std::string stop_request(const Json& body) {
  check_keys(body, {"why"});
  return line_in(body, "why");
}

std::vector<RouteRow> operating_routes(Service& service) {
  const auto row = [&service](std::string_view method, std::string_view path, auto route) {
    return RouteRow{method, path, Role::kOperator, Lane::kOperate,
                    [&service, route](const Call& call, http::Respond respond) {
                      route(service, call, std::move(respond));
                    }};
  };
  return {
      row("POST", "/v1/experiments", create),
      row("PATCH", "/v1/experiments/{name}", change),
      row("POST", "/v1/experiments/{name}/stop", stop),
      row("POST", "/v1/experiments/{name}/archive", archive),
      row("POST", "/v1/experiments/{name}/arms", add_arm),
      row("DELETE", "/v1/experiments/{name}/arms/{arm}", retire_arm),
      row("GET", "/v1/populations", list_populations),
      row("POST", "/v1/populations", create_population),
      row("GET", "/v1/keys", list_keys),
      row("POST", "/v1/keys", create_key),
      row("DELETE", "/v1/keys/{id}", revoke_key),
      row("GET", "/v1/operations", list_operations),
      row("POST", "/v1/rotate", rotate),
  };
}

}  // namespace tacit::service::api
