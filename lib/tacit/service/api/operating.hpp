// What operators send, read from JSON. All of it is public, unlike what applications send (bodies.hpp): it may be copied about.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "tacit/service/spec.hpp"

namespace tacit::service::api {

/// Throws Problem: 400 for what is no JSON or nested too deeply. An empty body is an empty object.
Json json_of_body(std::span<const char> body);

struct PopulationRequest {
  std::string name;
  double epsilon = 0;
  bool user_level = false;  // its budget is that of a unit, else that of one decision's record
};
struct KeyRequest {
  std::string role;
  std::string note;
};
struct ChangeRequest {
  std::optional<bool> paused;
  Json rest = Json::object();  // as Engine::change takes it
};

// Throw Problem (422) that names the key, what was given, what is allowed, and the nearest right key.

PopulationRequest population_request(const Json& body);
KeyRequest key_request(const Json& body);
ChangeRequest change_request(Json body);
ArmSpec arm_request(const Json& body);
/// Why an experiment is stopped; "": nothing was said.
std::string stop_request(const Json& body);

}  // namespace tacit::service::api
