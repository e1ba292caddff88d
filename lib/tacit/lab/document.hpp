// What is said of a configuration: what was played, under which guarantee, which bounds speak of it, and what
// came out. `tacit simulate --json`, the results file and `tacit export` say it in JSON; that is read and written
// here, and everybody else sees the structs.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tacit/lab/json.hpp"
#include "tacit/simulation/simulate.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::lab {

/// What is played.
struct PlayedSetting {
  std::string policy;
  std::optional<double> epsilon;
  std::optional<double> delta;  // none where the policy's parameters leave it no use
  std::string feedback;
  std::string actions;  // as given
  std::string problem;
  /// Of means that are released anew in every run, while regret is against the true ones.
  std::optional<double> environment_epsilon = std::nullopt;
  std::vector<policies::ParameterValue> parameters;  // all of them, whether given or not
  Round horizon = 0;
  std::uint64_t seed = 0;
  simulation::Against against = simulation::Against::kOracle;
  /// Where the best arms are identified; the horizon is then the budget, or the most samples.
  std::optional<simulation::Goal> goal = std::nullopt;

  std::optional<double> error() const;  // none with a budget, too
};
PlayedSetting setting_of(const simulation::Request& request, const std::string& actions,
                         const privacy::Guarantee& guarantee);
Json setting_json(const PlayedSetting& setting);
/// Error, budget, most and top; null where there is none.
Json goal_json(const simulation::Goal& goal, Round horizon);

/// What a paper promises at the epsilon and delta that are played.
struct PublishedGuarantee {
  privacy::Notion notion = privacy::Notion::kNone;
  double epsilon = std::numeric_limits<double>::infinity();
  double delta = 0;
};

/// What is true, and what was published.
struct Promises {
  privacy::Guarantee guarantee;
  PublishedGuarantee published;
};
Promises promises_of(const simulation::Request& request, const privacy::Guarantee& guarantee);
Json promises_json(const Promises& promises);

Json guarantee_json(const privacy::Guarantee& guarantee);
/// "central 0.5", "local 1, delta 1e-06" or "none".
std::string guarantee_text(const privacy::Guarantee& guarantee);
std::string guarantee_text(const PublishedGuarantee& guarantee);

/// What a {name} in a problem stands for; figures may have a number on their axis.
struct Variable {
  std::string name;
  std::variant<double, std::string> value;

  bool operator==(const Variable&) const = default;
  std::optional<double> number() const;
  /// The value as JSON has it: 4.0, "cut".
  std::string text() const;
};

/// A bound at the checkpoints; no value outside its conditions.
struct BoundCurve {
  std::string name;
  theory::Kind kind = theory::Kind::kFinite;
  theory::Side side = theory::Side::kUpper;
  std::vector<std::optional<double>> values;
};

/// All that results keep of a configuration beside its runs.
struct Document {
  std::string problem_label;
  std::string problem_family;  // the label before its {variables} are filled in
  std::string policy_label;
  std::vector<Variable> variables;
  PlayedSetting setting;
  std::string noise;
  int set_size = 1;
  std::vector<double> means;
  std::optional<std::vector<Arm>> best_set;  // none where one arm is played a round
  Promises promises;
  std::vector<Round> checkpoints;
  std::vector<BoundCurve> bounds;

  /// Null: there is none of this name.
  const Variable* variable(const std::string& name) const;
  const BoundCurve* bound(const std::string& name) const;
};
Json to_json(const Document& document);
/// The same as text, on one line.
std::string to_text(const Document& document);
/// Throws std::exception that says what is missing or unknown.
Document read_document(const std::string& text);

/// What regret is measured against.
struct Benchmark {
  double value = 0;
  bool proven = true;
};

/// Of what was measured last in every run (regret, or samples): mean, error, interval, quantiles.
Json spread_json(const simulation::Measured& measured);

/// Samples, how often the recommendation was wrong, pulls, decisions: of runs with a goal. No times.
Json identification_json(const simulation::Measured& measured, Round horizon);

/// Regret, return, pulls, curve, decisions. No times: the same runs give the same bytes.
Json measurement_json(const simulation::Measured& measured, const std::vector<Round>& checkpoints,
                      const Benchmark& benchmark);

}  // namespace tacit::lab
