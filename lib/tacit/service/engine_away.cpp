// An engine whose store is away is only read from: it goes back to what the store has, and lasts until that is read again. What an
// operator orders meanwhile holds at once, in memory, and is done once more by the engine that is read.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "tacit/service/engine.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service {
namespace {

constexpr const char* kNotKept = "not yet on the disk: a restart forgets it";

const char* done_by(ExperimentState to) {
  if (to == ExperimentState::kStopped) return "stopped";
  return to == ExperimentState::kPaused ? "paused" : "goes on";
}

}  // namespace

std::string Engine::Order::in_words() const {
  return fmt::format("experiment {} {}, as {} ordered while the store was away", experiment,
                     done_by(to), by);
}

Engine::Standing Engine::standing() const {
  Standing standing{.experiments = {}, .populations = populations(), .keys = api_keys_};
  for (const auto& [id, experiment] : experiments_) {
    standing.experiments.emplace_back(experiment->row(), experiment->spec());
  }
  return standing;
}

void Engine::take_back(const Standing& standing) {
  std::set<Id> there;
  for (const auto& [row, spec] : standing.experiments) {
    Experiment& experiment = *experiments_.at(row.id);
    experiment.set_spec(spec);
    experiment.set_state(row.state, row.why);
    there.insert(row.id);
  }
  std::erase_if(experiments_, [&](const auto& each) { return !there.contains(each.first); });
  std::erase_if(by_name_, [&](const auto& each) { return !there.contains(each.second); });
  populations_.clear();
  for (const PopulationView& each : standing.populations) {
    Budget budget(each.row.epsilon);
    budget.try_spend(each.spent);
    populations_.emplace(each.row.id, Population{each.row, budget});
  }
  api_keys_ = standing.keys;
  directory_.reset();
}

void Engine::count_what_is_kept() {
  Snapshot kept;
  try {
    kept = parts_.store.load();
  } catch (const std::exception&) {
    return;
  }
  unwritten_traffic_.clear();
  // Of those that were never asked for a decision the store has no row.
  for (const auto& [id, experiment] : experiments_) experiment->set_counts(0, 0);
  decisions_.clear();
  for (const TrafficRow& row : kept.traffic) decisions_[{row.experiment, row.arm}] += row.decisions;
  for (const ProgressRow& row : kept.progress) {
    const auto found = experiments_.find(row.experiment);
    if (found != experiments_.end()) found->second->set_counts(row.decisions, row.recorded);
  }
}

bool Engine::order(Id id, ExperimentState to, const std::string& why, const std::string& by) {
  Experiment& experiment = mutable_at(id);
  const std::string& name = experiment.row().name;
  if (experiment.stopped()) {
    if (to != ExperimentState::kStopped) check_not_over(experiment);
    return std::any_of(orders_.begin(), orders_.end(), [&](const Order& order) {
      return order.experiment == name && order.to == ExperimentState::kStopped;
    });
  }
  // Also of what seems to be so already: a write that failed may have reached the disk.
  orders_.push_back({.experiment = name, .to = to, .why = why, .by = by});
  experiment.set_state(to, why.empty() ? kNotKept : fmt::format("{}; {}", why, kNotKept));
  directory_.reset();
  return true;
}

void Engine::carry_out(const std::vector<Order>& orders, Time now) {
  for (const Order& order : orders) {
    try {
      const Experiment* const experiment = find(order.experiment);
      if (experiment == nullptr) throw Problem(404, "name", "the store has no such experiment");
      const Id id = experiment->row().id;
      if (order.to == ExperimentState::kStopped) {
        stop(id, order.why, order.by, now);
      } else {
        pause(id, order.to == ExperimentState::kPaused, order.by, now);
      }
      notes_.push_back(order.in_words() + ": it is on the disk now");
    } catch (const Problem& problem) {
      notes_.push_back(fmt::format("{}: cannot be kept: {}", order.in_words(), problem.what()));
    }
  }
}

}  // namespace tacit::service
