// Results as curves: what figures draw and exports print. Everything here follows from the blocks of
// the file, taken in the order of their runs, so the same runs give the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacit/lab/results.hpp"

namespace tacit::reports {

/// What stands in the place of regrets at checkpoints where the best arms are identified.
enum Reading : std::size_t {
  kWrong,   // 1 where the recommendation is wrong, else 0
  kSamples  // how many it took
};

struct Curve {
  lab::Document document;
  std::vector<std::vector<double>> regrets;  // at each checkpoint, of every run, sorted
  simulation::Measured measured;
  lab::Benchmark benchmark;
  std::int64_t runs = 0;    // that are there
  std::int64_t wanted = 0;  // by the experiment

  const std::string& problem() const { return document.problem_label; }
  const std::string& policy() const { return document.policy_label; }
  std::optional<double> epsilon() const { return document.setting.epsilon; }
  std::optional<double> error() const { return document.setting.error(); }
  bool identifies() const { return document.setting.goal.has_value(); }
  bool has_budget() const { return identifies() && !error(); }
  const std::vector<Round>& checkpoints() const { return document.checkpoints; }
  /// Of a problem's sweep; none when it has no such variable.
  std::optional<double> variable(const std::string& name) const;
  /// The 95% interval of the mean at a checkpoint; NaN: none.
  simulation::Interval interval(std::size_t checkpoint) const;
  bool is_private() const { return document.promises.guarantee.is_private(); }
  /// "central 0.5", "local 1, delta 1e-06" or "not private".
  std::string guarantee() const;
};

/// One a configuration, in the order of the experiment; those without a run are left out. Of a run
/// counts what stands in an unbroken line from the first.
std::vector<Curve> curves_of(const lab::Results& results);

/// A heading, then a row for every configuration and checkpoint, or reading.
std::string to_csv(const std::vector<Curve>& curves);
/// An array of what `tacit simulate --json` prints, or `tacit identify --json`, without times.
lab::Json to_json(const std::vector<Curve>& curves);

}  // namespace tacit::reports
