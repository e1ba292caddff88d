#include "tacit/service/api/reading.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tacit/core/nearest_name.hpp"
#include "tacit/core/one_line.hpp"
#include "tacit/service/api/entity_tag.hpp"
#include "tacit/service/api/openapi.hpp"
#include "tacit/service/api/router.hpp"
#include "tacit/service/api/views.hpp"
#include "tacit/service/log.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service::api {
namespace {

constexpr int kUnprocessable = 422;
constexpr int kNotModified = 304;

/// What is told, and its ETag.
struct Text {
  std::string body;
  std::string etag;
};

Text text_of(const Json& json) {
  Text text;
  text.body = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto version = json.find("version");
  text.etag = entity_tag(version == json.end() ? "all" : version->dump(), text.body);
  return text;
}

/// Whoever has it already is told so.
Answer answer_of(Text text, std::string_view seen) {
  Answer answer;
  answer.etag = std::move(text.etag);
  if (names_tag(seen, answer.etag)) {
    answer.status = kNotModified;
  } else {
    answer.body = std::move(text.body);
  }
  return answer;
}

template <class Take>
void tell_text(Service& service, const Call& call, Take take, http::Respond respond) {
  service.submit_look(
      [take = std::move(take), seen = std::string(call.request.header("If-None-Match"))](
          Engine& engine, Time now) -> std::function<Answer()> {
        return [make = take(engine, now), seen] { return answer_of(make(), seen); };
      },
      std::move(respond));
}

/// Texts of experiments' views, which are made once for all who read them before anything of them changes. Beside the engine's
/// thread, in one other.
class ViewTexts {
 public:
  Text of(Id experiment, const ViewParts& parts) {
    Made& made = made_[experiment];
    if (!made.parts || *made.parts != parts) made = {parts, text_of(view_of(parts))};
    return made.text;
  }

 private:
  struct Made {
    std::optional<ViewParts> parts;
    Text text;
  };
  std::map<Id, Made> made_;
};

/// Keys and values, decoded.
std::vector<std::pair<std::string, std::string>> pairs_of(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    pairs.emplace_back(percent_decoded(pair.substr(0, equals), "query"),
                       percent_decoded(pair.substr(std::min(equals + 1, pair.size())), "query"));
  }
  return pairs;
}

void list(Service& service, const Call& call, http::Respond respond) {
  tell(
      service, call,
      [](Engine& engine, Time now) {
        Json all = Json::array();
        for (const Experiment* each : engine.experiments()) {
          all.push_back(summary_of(engine, *each, now));
        }
        return Json{{"experiments", std::move(all)}};
      },
      std::move(respond));
}

void show(Service& service, const Call& call, const std::shared_ptr<ViewTexts>& texts,
          http::Respond respond) {
  tell_text(
      service, call,
      [id = call.experiment().id, texts](Engine& engine, Time now) -> std::function<Text()> {
        return [id, texts, parts = parts_of(engine, engine.at(id), now)] {
          return texts->of(id, parts);
        };
      },
      std::move(respond));
}

void show_guarantee(Service& service, const Call& call, http::Respond respond) {
  tell(
      service, call,
      [id = call.experiment().id](Engine& engine, Time) {
        const Experiment& experiment = engine.at(id);
        Json json{{"experiment", experiment.row().name}, {"version", experiment.version()}};
        json.update(guarantee_of(engine, experiment));
        return json;
      },
      std::move(respond));
}

void list_releases(Service& service, const Call& call, http::Respond respond) {
  constexpr std::int64_t kMost = 1000;
  constexpr std::int64_t kUsual = 100;
  const std::string_view query = call.request.query();
  const Round after =
      number_in_query(query, "after", 0, std::numeric_limits<std::int64_t>::max(), 0);
  const auto limit = static_cast<int>(number_in_query(query, "limit", 1, kMost, kUsual));
  tell(
      service, call,
      [id = call.experiment().id, after, limit](Engine& engine, Time) {
        const Experiment& experiment = engine.at(id);
        const Round version = experiment.version();
        Json json{{"experiment", experiment.row().name}, {"version", version}};
        json["releases"] = Json::array();
        Round last = after;
        for (const ReleaseRow& release : engine.store().releases(id, after, limit)) {
          if (release.version > version) break;  // drawn, and not published yet
          json["releases"].push_back(json_of(experiment, release));
          last = release.version;
        }
        json["next"] = last < version && last > after
                           ? Json(fmt::format("/v1/experiments/{}/releases?after={}&limit={}",
                                              experiment.row().name, last, limit))
                           : Json(nullptr);
        return json;
      },
      std::move(respond));
}

void list_traffic(Service& service, const Call& call, http::Respond respond) {
  constexpr std::int64_t kMostHours = 24 * 366;
  constexpr std::int64_t kUsualHours = 48;
  const std::int64_t hours =
      number_in_query(call.request.query(), "hours", 1, kMostHours, kUsualHours);
  // A line an arm and hour: what is asked for in a few bytes must not be answered in many.
  constexpr std::int64_t kMostLines = 20'000;
  const auto of_an_hour = static_cast<std::int64_t>(call.experiment().arms.size());
  const std::int64_t most = std::max(kMostLines / of_an_hour, std::int64_t{1});
  if (hours > std::max(most, kUsualHours)) {
    throw Problem(kUnprocessable, "hours",
                  fmt::format("hours = {}: must be at most {} for {} arms", hours,
                              std::max(most, kUsualHours), of_an_hour));
  }
  tell(
      service, call,
      [id = call.experiment().id, hours](Engine& engine, Time now) {
        const Experiment& experiment = engine.at(id);
        const Time from = now - now % kHour - (hours - 1) * kHour;
        std::map<Time, Json> by_hour;
        for (const TrafficRow& row : engine.traffic(id, from)) {
          Json& arms = by_hour.try_emplace(row.hour, Json::object()).first->second;
          // Each arm once; looking for its name among the others would take longer with each.
          arms.get_ref<Json::object_t&>().emplace_back(experiment.name_of(row.arm), row.decisions);
        }
        Json json{{"experiment", experiment.row().name}, {"version", experiment.version()}};
        json["hours"] = Json::array();
        for (auto& [hour, arms] : by_hour) {
          json["hours"].push_back({{"hour", text_of_time(hour)}, {"decisions", std::move(arms)}});
        }
        return json;
      },
      std::move(respond));
}

}  // namespace

void tell(Service& service, const Call& call, Told told, http::Respond respond) {
  tell_text(
      service, call,
      [told = std::move(told)](Engine& engine, Time now) -> std::function<Text()> {
        return [json = told(engine, now)] { return text_of(json); };
      },
      std::move(respond));
}

void check_query(std::string_view query, const QueryKeys& known) {
  QueryKeys seen;
  for (const auto& [key, text] : pairs_of(query)) {
    const auto found = std::find(known.begin(), known.end(), key);
    if (found == known.end()) {
      const std::string shown = in_short(key);
      const std::vector<std::string> names(known.begin(), known.end());
      throw Problem(kUnprocessable, shown,
                    names.empty()
                        ? fmt::format("{}: nothing is asked for in this address", shown)
                        : fmt::format("{}: there is no such key; did you mean {}? (known: {})",
                                      shown, nearest_name(shown, names), fmt::join(names, ", ")));
    }
    if (std::find(seen.begin(), seen.end(), *found) != seen.end()) {
      throw Problem(kUnprocessable, key, fmt::format("{}: is there twice", key));
    }
    seen.push_back(*found);
  }
}

std::int64_t number_in_query(std::string_view query, std::string_view name, std::int64_t low,
                             std::int64_t high, std::int64_t otherwise) {
  for (const auto& [key, text] : pairs_of(query)) {
    if (key != name) continue;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < low || number > high) {
      throw Problem(kUnprocessable, std::string(name),
                    fmt::format("{}{}{}: must be a whole number from {} to {}", name,
                                text.empty() ? "" : " = ", in_short(text), low, high));
    }
    return number;
  }
  return otherwise;
}

std::vector<RouteRow> reading_routes(Service& service) {
  const auto row = [&service](std::string_view path, Role role, auto route,
                              const QueryKeys& keys = {}) {
    return RouteRow{"GET", path, role, Lane::kRead,
                    [&service, route, keys](const Call& call, http::Respond respond) {
                      check_query(call.request.query(), keys);
                      route(service, call, std::move(respond));
                    }};
  };
  return {
      row("/v1/experiments", kViewers, list),
      row("/v1/experiments/{name}", kViewers,
          [texts = std::make_shared<ViewTexts>()](Service& from, const Call& call,
                                                  http::Respond respond) {
            show(from, call, texts, std::move(respond));
          }),
      row("/v1/experiments/{name}/releases", kViewers, list_releases, {"after", "limit"}),
      row("/v1/experiments/{name}/traffic", kViewers, list_traffic, {"hours"}),
      // For everybody with a key: what is promised is no secret to those whom it is promised to.
      row("/v1/experiments/{name}/guarantee", kViewers | Role::kApp | Role::kClient,
          show_guarantee),
      {"GET", "/openapi.json", Role::kAnybody, Lane::kRead,
       [](const Call&, http::Respond respond) {
         Answer answer;
         answer.body = openapi_document();
         respond(std::move(answer));
       }},
  };
}

}  // namespace tacit::service::api
