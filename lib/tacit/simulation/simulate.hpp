// Many runs of one policy on one problem, over threads, with statistics instead of traces.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/accounting/ledger.hpp"
#include "tacit/actions/action_set.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/problems/problem.hpp"
#include "tacit/simulation/coverage.hpp"
#include "tacit/simulation/delay.hpp"
#include "tacit/simulation/identify.hpp"
#include "tacit/simulation/measured.hpp"

namespace tacit::simulation {

/// What regret on sets is measured against.
enum class Against {
  kOracle,  // alpha beta times the best value, which is what the oracle promises
  kBest,    // the best value, where it is known
};
constexpr const char* name_of(Against against) {
  return against == Against::kBest ? "best" : "oracle";
}

struct Request {
  std::string policy;
  std::optional<double> epsilon;
  std::optional<double> delta;
  std::vector<policies::ParameterValue> parameters;
  std::shared_ptr<const problems::Problem> problem;
  std::shared_ptr<const actions::ActionSet> actions;  // null: one arm a round
  Round horizon = 0;
  std::int64_t runs = 0;
  std::uint64_t seed = 1;
  int threads = 1;
  std::vector<Round> checkpoints;  // increasing; the last is the horizon
  policies::Pace pace = policies::Pace::kSkipping;
  privacy::Arithmetic arithmetic = privacy::Arithmetic::kIdealised;
  Against against = Against::kOracle;
  /// The means are released anew in every run, with this much environment privacy, and the run is played on what was
  /// released; regret is against the true means (problems/environment_private.hpp).
  std::optional<double> environment_epsilon = std::nullopt;
  Delay delay;  // of answers
  /// Intervals of means and differences, at every release and at the end, that may miss with this probability each.
  std::optional<double> intervals = std::nullopt;
  /// The run stops when the best arms are known, at the horizon at the latest.
  std::optional<Goal> goal = std::nullopt;
  accounting::Ledger* ledger = nullptr;  // of the first run
  /// One that is in no catalogue, in the place of what is found there by the policy's name.
  std::shared_ptr<const policies::Entry> own_entry = nullptr;
  const std::atomic<bool>* stop = nullptr;  // once true, runs are given up, and Stopped is thrown
};

/// What is known of the policy that is played.
const policies::Entry& entry_of(const Request& request);

/// One run, in full.
struct Run {
  /// At the checkpoints. With a goal two numbers instead: whether the recommendation is wrong, and the samples.
  std::vector<double> regrets;
  std::vector<Round> pulls;  // of every arm
  std::int64_t decisions = 0;
  std::optional<RunIntervals> intervals = std::nullopt;
  std::optional<Identified> identified = std::nullopt;
};

/// What came of a goal; how many samples it took is what is measured in the place of regret.
struct GoalSummary {
  std::int64_t stopped = 0;  // runs; others came to the horizon first
  std::int64_t wrong = 0;    // of those that stopped, or of all where there is a budget
  std::int64_t silent = 0;   // have no recommendation at the end
};

struct Summary : Measured {
  privacy::Guarantee guarantee;
  std::vector<policies::ParameterInfo> parameters;
  double benchmark = 0;  // the expected reward of a round that regret is measured against
  bool benchmark_is_proven = true;  // of the best there is, not of what a search found
  double rounds = 0;                // of all runs: more than 64 bits can count
  std::optional<IntervalSummary> intervals;
  std::optional<GoalSummary> goal;
};

/// A checked request, ready to run. Thread safety: run() may be called from many threads.
class Simulator {
 public:
  virtual ~Simulator() = default;
  /// Notes the releases in the ledger, if one is given.
  virtual Run run(std::uint64_t index, accounting::Ledger* ledger) const = 0;
  Run run(std::uint64_t index) const { return run(index, nullptr); }
  virtual privacy::Guarantee guarantee() const = 0;
  virtual double benchmark() const = 0;
  virtual bool benchmark_is_proven() const = 0;
};

/// Made of a recipe by the file of loops/ that is its own.
template <class Recipe>
std::unique_ptr<Simulator> simulator_of(const Request& request);

/// Those of the request, and what the policy is told of a goal.
std::vector<policies::ParameterValue> told_parameters(const Request& request);

/// Throws InvalidParameter when anything in the request is out of range.
std::unique_ptr<Simulator> prepare(const Request& request);

/// The result is the same for every number of threads.
Summary simulate(const Request& request);

}  // namespace tacit::simulation
