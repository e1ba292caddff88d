#include "tacit/service/api/operating.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/service/api/reading.hpp"
#include "tacit/service/api/routes.hpp"
#include "tacit/service/api/views.hpp"
#include "tacit/service/api_keys.hpp"
#include "tacit/service/log.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service::api {
namespace {

constexpr int kOk = 200;
constexpr int kCreated = 201;
constexpr int kTaken = 202;
constexpr int kNotFound = 404;
constexpr int kConflict = 409;
constexpr int kUnavailable = 503;

Answer answer(const Json& json, int status = kOk) {
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

/// What is paused or stopped, also while the store is away: then in memory, which is all that there is.
void order(Service& service, const Call& call, Deed deed, Deed without_store,
           http::Respond respond) {
  const auto work = [by = std::string(call.key)](Deed what) -> Work {
    return [what = std::move(what), by](Engine& engine, Time now) { return what(engine, by, now); };
  };
  service.submit(Lane::kOperate, work(std::move(deed)), work(std::move(without_store)),
                 std::move(respond));
}

void create(Service& service, const Call& call, http::Respond respond) {
  operate(
      service, call,
      [spec = spec_of(json_of_body(call.request.body()))](Engine& engine, const std::string& by,
                                                          Time now) {
        const Id id = engine.create(spec, by, now);
        return created(view_of(engine, engine.at(id), now), path_of(spec.name));
      },
      std::move(respond));
}

void change(Service& service, const Call& call, http::Respond respond) {
  const Id id = call.experiment().id;
  const ChangeRequest request = change_request(json_of_body(call.request.body()));
  order(
      service, call,
      [id, request](Engine& engine, const std::string& by, Time now) {
        // All or nothing: what could be refused comes first.
        if (request.paused && engine.at(id).stopped()) {
          throw Problem(kConflict, "paused",
                        "paused: a stopped experiment stays stopped; it can be archived");
        }
        if (!request.rest.empty()) engine.change(id, request.rest, by, now);
        if (request.paused) engine.pause(id, *request.paused, by, now);
        return answer(view_of(engine, engine.at(id), now));
      },
      [id, request](Engine& engine, const std::string& by, Time now) {
        if (!request.paused || !request.rest.empty()) {
          throw Problem(kUnavailable, "",
                        "the store cannot be written now: nothing was changed; send it again in a "
                        "second, or paused by itself, which holds at once",
                        1);
        }
        const auto to = *request.paused ? ExperimentState::kPaused : ExperimentState::kRunning;
        engine.order(id, to, "", by);
        return answer(view_of(engine, engine.at(id), now), kTaken);
      },
      std::move(respond));
}

void stop(Service& service, const Call& call, http::Respond respond) {
  const Id id = call.experiment().id;
  const std::string why = stop_request(json_of_body(call.request.body()));
  order(
      service, call,
      [id, why](Engine& engine, const std::string& by, Time now) {
        engine.stop(id, why, by, now);
        return answer(view_of(engine, engine.at(id), now));
      },
      [id, why](Engine& engine, const std::string& by, Time now) {
        const bool is_to_be_kept = engine.order(id, ExperimentState::kStopped, why, by);
        return answer(view_of(engine, engine.at(id), now), is_to_be_kept ? kTaken : kOk);
      },
      std::move(respond));
}

void archive(Service& service, const Call& call, http::Respond respond) {
  operate(
      service, call,
      [id = call.experiment().id](Engine& engine, const std::string& by, Time now) {
        engine.archive(id, by, now);
        return answer(summary_of(engine, engine.at(id), now));
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
    refuse_unknown_arm(arm, card.arms);
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
        const auto all = engine.populations();
        const auto made = std::find_if(all.begin(), all.end(),
                                       [&](const auto& each) { return each.row.id == id; });
        return created(api::json_of(*made), "/v1/populations");
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

void rotate(Service& service, const Call& call, http::Respond respond) {
  service.rotate(std::string(call.key), std::move(respond));
}

void list_operations(Service& service, const Call& call, http::Respond respond) {
  constexpr std::int64_t kMost = 1000;
  constexpr std::int64_t kUsual = 100;
  constexpr std::int64_t kNewest = std::numeric_limits<std::int64_t>::max();
  const std::string_view query = call.request.query();
  const auto limit = static_cast<int>(number_in_query(query, "limit", 1, kMost, kUsual));
  const std::int64_t before = number_in_query(query, "before", 1, kNewest, kNewest);
  tell(
      service, call,
      [limit, before](Engine& engine, Time) {
        Json all = Json::array();
        std::int64_t last = 0;
        for (const OperationRow& row : engine.store().operations(limit, before)) {
          all.push_back({{"number", row.number},
                         {"at", text_of_time(row.at)},
                         {"key", row.key},
                         {"what", row.what}});
          last = row.number;
        }
        const bool is_full = all.size() == static_cast<std::size_t>(limit) && last > 1;
        Json next = is_full ? Json(fmt::format("/v1/operations?before={}&limit={}", last, limit))
                            : Json(nullptr);
        return Json{{"operations", std::move(all)}, {"next", std::move(next)}};
      },
      std::move(respond));
}

}  // namespace

std::vector<RouteRow> operating_routes(Service& service) {
  const auto row = [&service](std::string_view method, std::string_view path, auto route,
                              const QueryKeys& keys = {}) {
    return RouteRow{method, path, Role::kOperator, Lane::kOperate,
                    [&service, route, keys](const Call& call, http::Respond respond) {
                      check_query(call.request.query(), keys);
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
      row("GET", "/v1/operations", list_operations, {"before", "limit"}),
      row("POST", "/v1/rotate", rotate),
  };
}

}  // namespace tacit::service::api
