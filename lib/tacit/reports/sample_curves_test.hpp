// Curves for tests, each in a line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacit/reports/curves.hpp"

namespace tacit::reports {

struct SampleCurve {
  std::string policy = "some";
  std::optional<double> epsilon = 1.0;
  std::string problem = "p";
  std::vector<lab::Variable> variables = {};
  std::vector<std::vector<double>> runs;  // regrets at rounds 10 and 100
  std::vector<lab::BoundCurve> bounds = {};
  double guarantee_of_epsilon = 1;  // 0: none
  std::string family = "family";
  std::optional<double> delta = {};
  std::optional<simulation::Goal> goal =
      {};  // its runs are then whether they are wrong, and samples
};

inline Curve curve(const SampleCurve& sample) {
  Curve c;
  simulation::Measurement measurement;
  c.regrets.resize(2);
  for (const auto& run : sample.runs) measurement.add_run(run);
  c.measured = std::move(measurement).finish();
  c.runs = c.wanted = static_cast<std::int64_t>(sample.runs.size());
  c.benchmark = {0.5, true};
  c.document.problem_label = sample.problem;
  c.document.problem_family = sample.family;
  c.document.policy_label = sample.policy;
  c.document.variables = sample.variables;
  c.document.setting.epsilon = sample.epsilon;
  c.document.setting.delta = sample.delta;
  c.document.setting.goal = sample.goal;
  c.document.setting.horizon = 100;
  c.document.checkpoints = {10, 100};
  c.document.bounds = sample.bounds;
  lab::Promises& promises = c.document.promises;
  const double epsilon = sample.guarantee_of_epsilon * sample.epsilon.value_or(0);
  if (epsilon > 0) {
    promises.guarantee.notion = privacy::Notion::kCentral;
    promises.guarantee.epsilon = epsilon;
  }
  promises.guarantee.because = "it is said";
  promises.published = {.notion = privacy::Notion::kCentral, .epsilon = sample.epsilon.value_or(0)};
  return c;
}

/// Two runs whose mean at the end is `last`, one above and one below by `spread`.
inline std::vector<std::vector<double>> around(double last, double spread = 0.001) {
  return {{last / 2, last - spread}, {last / 2, last + spread}};
}

inline simulation::Goal with_error(double error) { return {.error = error}; }

/// Runs that identify: so many, of which some are wrong, around this many samples.
inline std::vector<std::vector<double>> found_after(double samples, int runs = 2, int wrong = 0) {
  std::vector<std::vector<double>> all;
  for (int i = 0; i < runs; ++i) {
    all.push_back({i < wrong ? 1.0 : 0.0, samples + (i % 2 == 0 ? 0.001 : -0.001)});
  }
  return all;
}

/// It speaks of the last checkpoint alone.
inline lab::BoundCurve bound(theory::Kind kind, theory::Side side, double last) {
  return {.name = "hu-theorem-3", .kind = kind, .side = side, .values = {std::nullopt, last}};
}

}  // namespace tacit::reports
