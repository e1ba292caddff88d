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
#include "tacit/service/api/callers.hpp"
#include "tacit/service/api/router.hpp"
#include "tacit/service/api/routes.hpp"
#include "tacit/service/api/stream.hpp"

namespace tacit::service::api {
namespace {

Time milliseconds_of_machine() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
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

bool is_logged(int status) {
  return status == 401 || status == 403 || status == 404 || status == 422 || status == 429 ||
         status == 500;
}

struct Admitted {
  std::size_t route = Router::kNone;
  std::vector<std::string> parameters;
  std::string key;
  Role role = Role::kAnybody;
};

/// An answer that does not depend on what is asked.
http::Entry answered(Answer&& answer) {
  return {.handler = [answer = std::move(answer)](
                         const http::Request&,
                         const http::Respond& respond) mutable { respond(std::move(answer)); },
          .bodies = nullptr};
}

}  // namespace

struct Api::Parts : std::enable_shared_from_this<Api::Parts> {
  Parts(Service& of, Settings given)
      : service(of),
        settings(std::move(given)),
        decide(settings.decide),
        report(settings.report),
        read(settings.read),
        of_addresses(settings.client),
        quotas(std::make_shared<Quotas>(settings.quotas)),
        bodies(std::make_shared<http::BodyBudget>(settings.bodies)),
        client_bodies(std::make_shared<http::BodyBudget>(settings.client_bodies)) {
    if (!settings.now) settings.now = milliseconds_of_machine;
    add(application_routes(service, quotas));
    add(ofrep_routes(service, quotas));
    add(health_routes(service));
    add(metrics_routes(service, counts, quotas));
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

  /// After how many seconds this may be asked; 0: now.
  int wait_of(const ApiKeyRow& key, Role role, Lane lane, const http::Request& header);
  /// Lets in who may ask for that, now.
  http::Entry admit(Router::Found found, const http::Request& header);
  /// Throws Problem.
  void serve(const Admitted& admitted, const http::Request& request, http::Respond respond);

  Service& service;
  Settings settings;
  Buckets decide, report, read;
  AddressBuckets of_addresses;
  std::shared_ptr<Quotas> quotas;
  std::shared_ptr<http::BodyBudget> bodies, client_bodies;
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

}  // namespace

const ExperimentCard& Call::experiment(std::size_t parameter) const {
  const auto found = directory->by_name.find(parameters.at(parameter));
  const bool is_there =
      found != directory->by_name.end() &&
      !(role == Role::kClient && found->second->state == ExperimentState::kArchived);
  if (is_there) return *found->second;
  const std::string nearest = nearest_experiment(parameter);
  if (nearest.empty()) throw Problem(404, "name", "name: there is no experiment yet");
  throw Problem(404, "name",
                fmt::format("name: there is no such experiment; did you mean {}?", nearest));
}

std::string Call::nearest_experiment(std::size_t parameter) const {
  std::vector<std::string> names;
  for (const auto& [name, card] : directory->by_name) {
    if (card->state != ExperimentState::kArchived || may(role, kViewers)) names.push_back(name);
  }
  if (names.empty()) return "";
  std::sort(names.begin(), names.end());
  constexpr std::size_t kLongest = 64;
  return nearest_name(std::string_view(parameters.at(parameter)).substr(0, kLongest), names);
}

int Api::Parts::wait_of(const ApiKeyRow& key, Role role, Lane lane, const http::Request& header) {
  const Time now = settings.now();
  if (role == Role::kClient) {
    // Everybody has this key: what is left of a bucket of reports would tell what others have reported, and one visitor could shut
    // out all others.
    if (lane == Lane::kReport) return 0;
    const std::string_view address = address_of(header, settings.behind_proxy);
    if (!address.empty()) return of_addresses.take(address, now);
  }
  Buckets& buckets = lane == Lane::kDecide ? decide : lane == Lane::kReport ? report : read;
  return buckets.take(key.id, now);
}

http::Entry Api::Parts::admit(Router::Found found, const http::Request& header) {
  const RouteRow& row = rows[found.route];
  Admitted admitted{.route = found.route,
                    .parameters = std::move(found.parameters),
                    .key = {},
                    .role = Role::kAnybody};
  const auto refused = [&](Answer&& refusal) {
    if (row.bucket != Lane::kReport) note(admitted.route, admitted.key, refusal.status);
    return answered(std::move(refusal));
  };
  std::shared_ptr<http::BodyBudget> budget;
  if (row.role != Role::kAnybody) {
    const auto directory = service.directory();
    const ApiKeyRow* const of = find_key(*directory, header);
    if (of == nullptr) return refused(unauthorized(header));
    admitted.key = of->id;
    const Role role = admitted.role = role_named(of->role);
    if (!may(role, row.role)) {
      return refused(answer_of(
          Problem(403, "Authorization",
                  fmt::format("Authorization: needs a key of the role {}", names_of(row.role)))));
    }
    if (const int after = wait_of(*of, role, row.bucket, header)) {
      return refused(answer_of(Problem(
          429, "", fmt::format("too many requests of this key; again in {} s", after), after)));
    }
    budget = role == Role::kClient ? client_bodies : bodies;
  }
  return {.handler = [kept = shared_from_this(), admitted = std::move(admitted)](
                         const http::Request& request,
                         http::Respond respond) { kept->serve(admitted, request, respond); },
          .bodies = std::move(budget)};
}

void Api::Parts::serve(const Admitted& admitted, const http::Request& request,
                       http::Respond respond) {
  const RouteRow& row = rows[admitted.route];
  const auto noted = [kept = shared_from_this(), route = admitted.route, key = admitted.key,
                      is_report = row.bucket == Lane::kReport,
                      respond = std::move(respond)](Answer&& answer) {
    if (!is_report) kept->note(route, key, answer.status);
    respond(std::move(answer));
  };
  try {
    check_type(request);
    row.route({.request = request,
               .parameters = admitted.parameters,
               .key = admitted.key,
               .directory = service.directory(),
               .role = admitted.role},
              noted);
  } catch (const Problem& problem) {
    noted(answer_of(problem));
  } catch (const InvalidParameter& refused) {
    noted(answer_of(Problem(422, refused.parameter(), refused.what())));
  } catch (const std::exception&) {
    noted(answer_of(Problem(500, "", "something went wrong here")));
  }
}

Api::Api(Service& service, Settings settings)
    : parts_(std::make_shared<Parts>(service, std::move(settings))) {}
Api::Api(Service& service) : Api(service, Settings{}) {}
Api::~Api() = default;

const RequestCounts& Api::counts() const { return parts_->counts; }

Fields Api::refusal_fields(std::optional<std::string_view> origin) const {
  return fields_for_pages(parts_->settings.origins, origin);
}

http::Handler Api::handler() const {
  return [this](const http::Request& request, http::Respond respond) {
    handle(request, std::move(respond));
  };
}

http::Door Api::door() const {
  return [this](const http::Request& header) { return enter(header); };
}

void Api::handle(const http::Request& request, http::Respond respond) const {
  enter(request).handler(request, std::move(respond));
}

http::Entry Api::enter(const http::Request& header) const {
  Parts& parts = *parts_;
  const std::string_view method = header.method();
  const std::string_view asked = method_asked_for(header, parts.settings.origins);
  Router::Found found;
  try {
    if (!asked.empty() && parts.is_for_pages(parts.router.find(asked, header.path()).route)) {
      return answered(preflight(header.header("Origin"), asked));
    }
    found = parts.router.find(method, header.path());
  } catch (const Problem& problem) {
    return answered(answer_of(problem));
  }
  if (found.route == Router::kNone) {
    Answer answer = not_found(parts.router, found, header.path());
    // A report that was sent to a wrong path is still one: only what reads is noted.
    if (method == "GET" && is_logged(answer.status)) {
      parts.log_refusal(answer.status, method, "", "");
    }
    return answered(std::move(answer));
  }
  const bool for_pages = parts.is_for_pages(found.route);
  http::Entry entry = parts.admit(std::move(found), header);
  if (!for_pages || parts.settings.origins.empty()) return entry;
  entry.handler = [kept = parts_, handler = std::move(entry.handler)](const http::Request& request,
                                                                      http::Respond respond) {
    handler(request, readable(request, kept->settings.origins, std::move(respond)));
  };
  return entry;
}

}  // namespace tacit::service::api
