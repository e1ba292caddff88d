#include "tacit/simulation/simulate.hpp"

#include <map>
#include <mutex>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/policies/recipes.hpp"
#include "tacit/simulation/held_simulator.hpp"
#include "tacit/simulation/in_parallel.hpp"

namespace tacit::simulation {
namespace {

template <class... Recipe>
std::vector<std::unique_ptr<Simulator> (*)(const Request&)> simulators_of(
    policies::RecipeList<Recipe...>) {
  return {&simulator_of<Recipe>...};  // each defined in a file of its own
}

/// Adds runs in the order of their index, whatever order they finish in.
class OrderedMeasurement {
 public:
  void add(std::int64_t index, Run run) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(index, std::move(run));
    for (auto next = waiting_.begin(); next != waiting_.end() && next->first == next_index_;
         next = waiting_.erase(next), ++next_index_) {
      append(next->second);
    }
  }
  void add_cpu(double seconds) { measurement_.add_cpu(seconds); }
  Measured finish() && { return std::move(measurement_).finish(); }
  const std::optional<IntervalSummary>& intervals() const noexcept { return intervals_; }
  const GoalSummary& goal() const noexcept { return goal_; }

 private:
  void append(const Run& run) {
    if (run.intervals) {
      if (!intervals_) intervals_.emplace();
      intervals_->add(*run.intervals);
    }
    if (run.identified) {
      goal_.stopped += run.identified->stopped ? 1 : 0;
      goal_.wrong += run.regrets.front() > 0 ? 1 : 0;
      goal_.silent += run.identified->recommended.empty() ? 1 : 0;
    }
    measurement_.add_run(run.regrets);
    pulls_.assign(run.pulls.begin(), run.pulls.end());
    measurement_.add_pulls(pulls_);
    measurement_.add_decisions(run.decisions);
  }

  std::mutex mutex_;
  std::map<std::int64_t, Run> waiting_;
  std::int64_t next_index_ = 0;
  std::vector<double> pulls_;
  Measurement measurement_;
  std::optional<IntervalSummary> intervals_;
  GoalSummary goal_;
};

}  // namespace

const policies::Entry& entry_of(const Request& request) {
  return request.own_entry ? *request.own_entry : policies::find_policy(request.policy);
}

std::vector<policies::ParameterValue> told_parameters(const Request& request) {
  if (!request.goal) return request.parameters;
  return parameters_for(*request.goal, entry_of(request), request.parameters,
                        *request.problem, request.horizon);
}

std::unique_ptr<Simulator> prepare(const Request& request) {
  const policies::Card& card = entry_of(request).card;
  check::horizon("simulate", request.horizon);
  const std::vector<policies::ParameterValue> parameters = told_parameters(request);
  if (request.actions) {
    const bool ranks = card.feedback == feedback::Kind::kCascade;
    if (ranks && request.actions->structure() != actions::Structure::kAnyK) {
      throw actions::UnfitActions(request.actions->name(),
                                  fmt::format("{} ranks any K items: top:K", card.name));
    }
    if (!ranks && card.feedback != feedback::Kind::kSemi) {
      throw actions::UnfitActions(
          request.actions->name(),
          fmt::format("{} plays a single arm a round; sets need a policy with "
                      "feedback semi or cascade",
                      card.name));
    }
    if (request.actions->arms() != request.problem->arms()) {
      throw actions::UnfitActions(request.actions->name(),
                                  fmt::format("is made of {} arms, the problem has {}",
                                              request.actions->arms(), request.problem->arms()));
    }
  }
  if (request.horizon > request.problem->last_round()) {
    throw InvalidParameter(
        Option{"horizon"}, fmt::format("{}", request.horizon),
        fmt::format("the problem has only {} rounds", request.problem->last_round()));
  }
  check::at_least("simulate", "runs", request.runs, 1);
  check::at_least("simulate", "threads", request.threads, 1);
  Request told = request;
  told.parameters = parameters;
  if (request.own_entry) return std::make_unique<HeldSimulator>(told, *request.own_entry);
  // In the order of the catalogue, as the recipes are.
  static const auto simulators = simulators_of(policies::Recipes{});
  const auto& entries = policies::catalogue();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (request.policy == entries[i].card.name) return simulators[i](told);
  }
  return nullptr;  // find_policy() has thrown
}

Summary simulate(const Request& request) {
  const auto simulator = prepare(request);
  OrderedMeasurement ordered;
  ordered.add_cpu(in_parallel(request.runs, request.threads, [&](std::int64_t index) {
    ordered.add(index, simulator->run(static_cast<std::uint64_t>(index),
                                      index == 0 ? request.ledger : nullptr));
  }));
  Summary summary;
  summary.guarantee = simulator->guarantee();
  summary.benchmark = simulator->benchmark();
  summary.benchmark_is_proven = simulator->benchmark_is_proven();
  summary.parameters = entry_of(request).parameters(told_parameters(request));
  summary.intervals = ordered.intervals();
  if (summary.intervals) summary.intervals->alpha = *request.intervals;
  if (request.goal) summary.goal = ordered.goal();
  static_cast<Measured&>(summary) = std::move(ordered).finish();
  summary.rounds = static_cast<double>(request.horizon) * static_cast<double>(request.runs);
  return summary;
}

}  // namespace tacit::simulation
