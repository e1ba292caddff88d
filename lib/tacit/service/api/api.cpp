#include "tacit/service/api/api.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/service/api/router.hpp"
#include "tacit/service/api/routes.hpp"
#include "tacit/service/api/stream.hpp"
#include "tacit/service/api_keys.hpp"

namespace tacit::service::api {
namespace {

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

Time milliseconds_of_machine() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

Role role_named(std::string_view name) {
  if (name == "app") return Role::kApp;
  if (name == "client") return Role::kClient;
  if (name == "viewer") return Role::kViewer;
  if (name == "operator") return Role::kOperator;
  return Role::kAnybody;
}

std::string names_of(Role roles) {
  std::string names;
  for (const std::string_view name : kRoles) {
    const auto bit = static_cast<unsigned>(role_named(name));
    if ((static_cast<unsigned>(roles) & bit) == 0) continue;
    if (!names.empty()) names += " or ";
    names += name;
  }
  return names;
}

bool may(Role role, Role who) {
  return (static_cast<unsigned>(role) & static_cast<unsigned>(who)) != 0;
}

std::string_view key_text_of(const http::Request& request) {
  constexpr std::string_view kBearer = "Bearer ";
  std::string_view text = request.header("Authorization");
  if (same_letters(text.substr(0, kBearer.size()), kBearer)) {
    text.remove_prefix(kBearer.size());
    while (text.starts_with(' ')) text.remove_prefix(1);
    return text;
  }
  return request.header("X-API-Key");
}

/// Null: nobody's.
const ApiKeyRow* find_key(const Directory& directory, std::string_view text) {
  const std::optional<PresentedKey> presented = parse_api_key(text);
  if (!presented) return nullptr;
  const auto found = directory.keys.find(presented->id);
  if (found == directory.keys.end() || !opens(*presented, found->second)) return nullptr;
  return &found->second;
}

void check_type(const http::Request& request) {
  if (request.body().empty()) return;
  std::string_view type = request.header("Content-Type");
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  if (same_letters(type, "application/json")) return;
  if (request.method() == "PATCH" && same_letters(type, "application/merge-patch+json")) return;
  throw Problem(415, "Content-Type", "Content-Type: must be application/json");
}

Answer unauthorized(bool shown) {
  Answer answer = answer_of(Problem(
      401, "Authorization",
      shown ? "Authorization: this is no key of this service, or it was revoked"
            : "Authorization: must be Bearer and a key (tacit_<role>_<id>_<secret>), or give the "
              "key as X-API-Key"));
  answer.headers.emplace_back(
      "WWW-Authenticate",
      shown ? R"(Bearer realm="tacit", error="invalid_token")" : R"(Bearer realm="tacit")");
  return answer;
}

std::size_t kind_of(Lane lane) {
  if (lane == Lane::kDecide) return 0;
  return lane == Lane::kReport ? 1 : 2;
}

bool is_logged(int status) {
  return status == 401 || status == 403 || status == 404 || status == 422 || status == 429 ||
         status == 500;
}

}  // namespace

struct Api::Parts {
  Parts(Service& of, Settings given)
      : service(of),
        settings(std::move(given)),
        buckets({settings.decide, settings.report, settings.read}) {
    if (!settings.now) settings.now = milliseconds_of_machine;
    add(application_routes(service));
    add(ofrep_routes(service));
    add(health_routes(service));
    add(metrics_routes(service, counts));
    add(reading_routes(service));
    if (settings.stream) add(stream_routes(service, settings.stream));
    add(operating_routes(service));
    for (const RouteRow& row : rows) {
      router.add(row.method, row.path);
      counts.add(row.method, row.path);
    }
  }

  bool is_for_pages(std::size_t route) const {
    return route != Router::kNone && may(Role::kClient, rows[route].role);
  }

  void add(std::vector<RouteRow> more) {
    for (RouteRow& row : more) rows.push_back(std::move(row));
  }

  void log_refusal(int status, std::string_view method, std::string_view path,
                   std::string_view key) const {
    Json line{{"event", "refused"}, {"status", status}, {"method", method}, {"path", path}};
    if (!key.empty()) line["key"] = key;
    settings.log(line);
  }

  void note(std::size_t route, std::string_view key, int status) {
    const RouteRow& row = rows[route];
    counts.count(route, status);
    if (is_logged(status)) log_refusal(status, row.method, row.path, key);
  }

  Service& service;
  Settings settings;
  Buckets buckets;
  RequestCounts counts;
  std::vector<RouteRow> rows;
  Router router;
};

namespace {

Answer not_found(const Router& router, const Router::Found& found, std::string_view path) {
  if (found.allow.empty()) {
    return answer_of(Problem(
        404, "",
        fmt::format("nothing is served at this path; did you mean {}?", router.nearest(path))));
  }
  Answer answer =
      answer_of(Problem(405, "", fmt::format("this path is served by {} alone", found.allow)));
  answer.headers.emplace_back("Allow", found.allow);
  return answer;
}

Answer failed() { return answer_of(Problem(500, "", "something went wrong here")); }

}  // namespace

const ExperimentCard& Call::experiment(std::size_t parameter) const {
  const auto found = directory->by_name.find(parameters.at(parameter));
  if (found != directory->by_name.end()) return *found->second;
  const std::string nearest = nearest_experiment(parameter);
  if (nearest.empty()) throw Problem(404, "name", "name: there is no experiment yet");
  throw Problem(404, "name",
                fmt::format("name: there is no such experiment; did you mean {}?", nearest));
}

std::string Call::nearest_experiment(std::size_t parameter) const {
  std::vector<std::string> names;
  for (const auto& [name, card] : directory->by_name) names.push_back(name);
  std::sort(names.begin(), names.end());
  constexpr std::size_t kLongest = 64;
  return nearest_name(std::string_view(parameters.at(parameter)).substr(0, kLongest), names);
}

Api::Api(Service& service, Settings settings)
    : parts_(std::make_shared<Parts>(service, std::move(settings))) {}
Api::Api(Service& service) : Api(service, Settings{}) {}
Api::~Api() = default;

const RequestCounts& Api::counts() const { return parts_->counts; }

http::Handler Api::handler() const {
  return [this](const http::Request& request, http::Respond respond) {
    handle(request, std::move(respond));
  };
}

void Api::handle(const http::Request& request, http::Respond respond) const {
  Parts& parts = *parts_;
  const std::string_view method = request.method();
  const Origins& origins = parts.settings.origins;
  const std::string_view asked = method_asked_for(request, origins);
  Router::Found found;
  try {
    if (!asked.empty() && parts.is_for_pages(parts.router.find(asked, request.path()).route)) {
      respond(preflight(request.header("Origin"), asked));
      return;
    }
    found = parts.router.find(method, request.path());
  } catch (const Problem& problem) {
    respond(answer_of(problem));
    return;
  }
  if (found.route == Router::kNone) {
    Answer answer = not_found(parts.router, found, request.path());
    // A report that was sent to a wrong path is still one: only what reads is noted.
    if (method == "GET" && is_logged(answer.status)) {
      parts.log_refusal(answer.status, method, "", "");
    }
    respond(std::move(answer));
    return;
  }
  const RouteRow& row = parts.rows[found.route];
  if (parts.is_for_pages(found.route)) respond = readable(request, origins, std::move(respond));
  std::string key;
  const auto answer = [&](Answer&& refusal) {
    if (row.bucket != Lane::kReport) parts.note(found.route, key, refusal.status);
    respond(std::move(refusal));
  };
  try {
    Call call{.request = request,
              .parameters = std::move(found.parameters),
              .key = {},
              .directory = parts.service.directory()};
    if (row.role != Role::kAnybody) {
      const std::string_view text = key_text_of(request);
      const ApiKeyRow* const of = find_key(*call.directory, text);
      if (of == nullptr) return answer(unauthorized(!text.empty()));
      key = of->id;
      call.key = key;
      if (!may(role_named(of->role), row.role)) {
        throw Problem(403, "Authorization",
                      fmt::format("Authorization: needs a key of the role {}", names_of(row.role)));
      }
      if (const int after = parts.buckets.take(key, kind_of(row.bucket), parts.settings.now())) {
        throw Problem(429, "", fmt::format("too many requests of this key; again in {} s", after),
                      after);
      }
    }
    check_type(request);
    if (row.bucket == Lane::kReport) {
      row.route(call, respond);
      return;
    }
    row.route(call, [kept = parts_, route = found.route, key, respond](Answer&& given) {
      kept->note(route, key, given.status);
      respond(std::move(given));
    });
  } catch (const Problem& problem) {
    answer(answer_of(problem));
  } catch (const InvalidParameter& refused) {
    answer(answer_of(Problem(422, refused.parameter(), refused.what())));
  } catch (const std::exception&) {
    answer(failed());
  }
}

}  // namespace tacit::service::api
