// Curves for tests, told in a line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacit/lab/curves.hpp"

namespace tacit::lab {

struct Told {
  std::string policy = "some";
  std::optional<double> epsilon = 1.0;
  std::string problem = "p";
  Json variables = Json::object();
  std::vector<std::vector<double>> runs;  // regrets at rounds 10 and 100
  Json bounds = Json::array();
  double guarantee_of_epsilon = 1;  // 0: none
  std::string family = "family";
  std::optional<double> delta = {};
};

inline Curve curve(const Told& told) {
  Curve c;
  c.problem = told.problem;
  c.policy = told.policy;
  c.checkpoints = {10, 100};
  simulation::Measurement measurement;
  c.regrets.resize(2);
  for (const auto& run : told.runs) measurement.add_run(run);
  c.measured = std::move(measurement).finish();
  c.runs = c.wanted = static_cast<std::int64_t>(told.runs.size());
  c.benchmark = {0.5, true};
  const double promised = told.guarantee_of_epsilon * told.epsilon.value_or(0);
  const bool is_private = promised > 0;
  c.document = {
      {"problem_label", told.problem},
      {"problem_family", told.family},
      {"policy_label", told.policy},
      {"variables", told.variables},
      {"epsilon", told.epsilon ? Json(*told.epsilon) : Json(nullptr)},
      {"delta", told.delta ? Json(*told.delta) : Json(nullptr)},
      {"guarantee",
       {{"notion", is_private ? "central" : "none"},
        {"epsilon", is_private ? Json(promised) : Json(nullptr)},
        {"delta", is_private ? Json(0) : Json(nullptr)},
        {"because", "it is said"}}},
      {"published", {{"notion", "central"}, {"epsilon", told.epsilon.value_or(0)}, {"delta", 0}}},
      {"bounds", told.bounds}};
  return c;
}

/// Two runs whose mean at the end is `last`, one above and one below by `spread`.
inline std::vector<std::vector<double>> around(double last, double spread = 0.001) {
  return {{last / 2, last - spread}, {last / 2, last + spread}};
}

inline Json bound(const char* kind, const char* side, double last) {
  return {{"name", "hu-theorem-3"}, {"kind", kind}, {"side", side}, {"values", {nullptr, last}}};
}

}  // namespace tacit::lab
