#include "tacit/simulation/simulate.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/policies/recipes.hpp"
#include "tacit/simulation/cpu_time.hpp"

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
  void add_cpu(double seconds) {
    const std::lock_guard lock(mutex_);
    measurement_.add_cpu(seconds);
  }
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

std::vector<policies::ParameterValue> told_parameters(const Request& request) {
  if (!request.goal) return request.parameters;
  return parameters_for(*request.goal, policies::find_policy(request.policy), request.parameters,
                        *request.problem, request.horizon);
}

std::unique_ptr<Simulator> prepare(const Request& request) {
  const policies::Card& card = policies::find_policy(request.policy).card;
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
  // In the order of the catalogue, as the recipes are.
  static const auto simulators = simulators_of(policies::Recipes{});
  const auto& entries = policies::catalogue();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (request.policy != entries[i].card.name) continue;
    Request told = request;
    told.parameters = parameters;
    return simulators[i](told);
  }
  return nullptr;  // find_policy() has thrown
}

Summary simulate(const Request& request) {
  const auto simulator = prepare(request);
  OrderedMeasurement ordered;
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    const double start = thread_cpu_seconds();
    try {
      for (std::int64_t index = next++; index < request.runs; index = next++) {
        ordered.add(index, simulator->run(static_cast<std::uint64_t>(index),
                                          index == 0 ? request.ledger : nullptr));
      }
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      failure = std::current_exception();
      next = request.runs;
    }
    ordered.add_cpu(thread_cpu_seconds() - start);
  };
  {
    const auto extra = std::min<std::int64_t>(request.threads, request.runs) - 1;
    std::vector<std::jthread> threads;
    for (std::int64_t i = 0; i < extra; ++i) threads.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
  Summary summary;
  summary.guarantee = simulator->guarantee();
  summary.benchmark = simulator->benchmark();
  summary.benchmark_is_proven = simulator->benchmark_is_proven();
  summary.parameters = policies::find_policy(request.policy).parameters(told_parameters(request));
  summary.intervals = ordered.intervals();
  if (summary.intervals) summary.intervals->alpha = *request.intervals;
  if (request.goal) summary.goal = ordered.goal();
  static_cast<Measured&>(summary) = std::move(ordered).finish();
  summary.rounds = static_cast<double>(request.horizon) * static_cast<double>(request.runs);
  return summary;
}

}  // namespace tacit::simulation
