#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacit/core/nearest_name.hpp"
#include "tacit/core/one_line.hpp"
#include "tacit/service/api/operating.hpp"
#include "tacit/service/api_keys.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service::api {
namespace {

constexpr int kBad = 400;
constexpr int kUnprocessable = 422;
constexpr int kDeepest = 8;  // levels of JSON

[[noreturn]] void refuse_missing(const std::string& field) {
  throw Problem(kUnprocessable, field, fmt::format("{}: must be given", field));
}

/// An object with these keys and no others.
void check_keys(const Json& body, const std::vector<std::string>& known) {
  if (!body.is_object()) refuse_value("body", body, "must be an object");
  for (const auto& [key, value] : body.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string shown = in_short(key);
    throw Problem(kUnprocessable, shown,
                  fmt::format("{}: there is no such key; did you mean {}? (known: {})", shown,
                              nearest_name(shown, known), fmt::join(known, ", ")));
  }
}

/// "" where it may be missing and is.
std::string text_in(const Json& body, const std::string& key, bool needed) {
  const auto found = body.find(key);
  if (found == body.end() || found->is_null()) {
    if (needed) refuse_missing(key);
    return "";
  }
  if (!found->is_string()) refuse_value(key, *found, "must be a text");
  return found->get<std::string>();
}

std::string line_in(const Json& body, const std::string& key) {
  constexpr std::size_t kLongest = 200;
  std::string text = text_in(body, key, false);
  if (text.size() > kLongest || !is_one_line(text)) {
    refuse_value(
        key, text,
        fmt::format("must be one line of at most {} bytes, without control characters", kLongest));
  }
  return text;
}

}  // namespace

Json json_of_body(std::span<const char> body) {
  if (body.empty()) return Json::object();
  // The parser takes it for the end, and would not look at what follows.
  const auto zero = std::find(body.begin(), body.end(), '\0');
  if (zero != body.end()) {
    throw Problem(kBad, "body",
                  fmt::format("body: is no JSON from byte {} on", zero - body.begin() + 1));
  }
  try {
    std::vector<std::set<std::string>> keys;  // of the objects that are open
    return Json::parse(
        body.begin(), body.end(), [&](int depth, Json::parse_event_t at, Json& what) {
          using Event = Json::parse_event_t;
          if (depth > kDeepest) {
            throw Problem(kBad, "body", fmt::format("body: is nested deeper than {}", kDeepest));
          }
          if (at == Event::object_start) keys.emplace_back();
          if (at == Event::object_end) keys.pop_back();
          if (at == Event::key && !keys.back().insert(what.get<std::string>()).second) {
            throw Problem(
                kBad, "body",
                fmt::format("body: the key {} is there twice", in_short(what.get<std::string>())));
          }
          return true;
        });
  } catch (const Json::parse_error& error) {
    throw Problem(kBad, "body", fmt::format("body: is no JSON from byte {} on", error.byte));
  } catch (const Json::out_of_range&) {
    throw Problem(kBad, "body", "body: has a number that a double cannot hold");
  }
}

PopulationRequest population_request(const Json& body) {
  check_keys(body, {"name", "epsilon", "user_level"});
  PopulationRequest request;
  request.name = text_in(body, "name", true);
  check_name("name", request.name);
  const auto epsilon = body.find("epsilon");
  if (epsilon == body.end()) refuse_missing("epsilon");
  request.epsilon = epsilon->is_number() ? epsilon->get<double>() : 0;
  if (!(request.epsilon > 0 && std::isfinite(request.epsilon))) {
    refuse_value("epsilon", *epsilon, "must be a finite number > 0");
  }
  if (const auto level = body.find("user_level"); level != body.end()) {
    if (!level->is_boolean()) refuse_value("user_level", *level, "must be true or false");
    request.user_level = level->get<bool>();
  }
  return request;
}

KeyRequest key_request(const Json& body) {
  check_keys(body, {"role", "note"});
  KeyRequest request{text_in(body, "role", true), line_in(body, "note")};
  if (std::find(kRoles.begin(), kRoles.end(), request.role) == kRoles.end()) {
    const std::vector<std::string> roles(kRoles.begin(), kRoles.end());
    refuse_value("role", request.role,
                 fmt::format("there is no such role; did you mean {}? (known: {})",
                             nearest_name(in_short(request.role), roles), fmt::join(roles, ", ")));
  }
  return request;
}

ChangeRequest change_request(Json body) {
  if (!body.is_object() || body.empty()) {
    refuse_value("body", body, "must be an object that says what is to change");
  }
  ChangeRequest request;
  if (const auto paused = body.find("paused"); paused != body.end()) {
    if (!paused->is_boolean()) refuse_value("paused", *paused, "must be true or false");
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

}  // namespace tacit::service::api
