// A recipe, ready to run: what every file of loops/ instantiates for its own.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacit/policies/make_entry.hpp"
#include "tacit/simulation/best_list.hpp"
#include "tacit/simulation/channel.hpp"
#include "tacit/simulation/engine.hpp"
#include "tacit/simulation/recorder.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {

/// Remembers the values of ranked lists: with recorded users one costs a look at all of them.
class ValuesOfActions {
 public:
  explicit ValuesOfActions(ValueOfAction value) : value_(std::move(value)) {}

  std::int64_t operator()(std::span<const Arm> action) {
    constexpr std::size_t kMost = 100000;
    sorted_.assign(action.begin(), action.end());
    std::sort(sorted_.begin(), sorted_.end());
    const auto found = known_.find(sorted_);
    if (found != known_.end()) return found->second;
    if (known_.size() >= kMost) known_.clear();
    return known_[sorted_] = value_(action);
  }

 private:
  ValueOfAction value_;
  std::vector<Arm> sorted_;
  std::map<std::vector<Arm>, std::int64_t> known_;
};

template <class Recipe>
class SimulatorOf final : public Simulator {
  static constexpr bool kRanks = Recipe::kCard.feedback == feedback::Kind::kCascade;
  static constexpr bool kPlaysSets = Recipe::kCard.plays_sets();

 public:
  explicit SimulatorOf(const Request& request)
      : request_(request),
        problem_name_(request.problem->name()),
        parameters_(policies::read_parameters<typename Recipe::Parameters>(Recipe::kCard.name,
                                                                           request.parameters)) {
    if constexpr (kPlaysSets) {
      if (request_.actions) {
        problem_name_ = fmt::format("{}/{}", problem_name_, request_.actions->name());
      } else {
        request_.actions = policies::action_set(setting());
      }
    } else {
      for (const double mean : request.problem->means()) {
        gaps_.push_back(request.problem->best_mean() - mean);
      }
    }
    // Throws now rather than in a thread.
    channel(Recipe::plan(setting(), parameters_), request_.problem->arms(), backstage(0, nullptr));
    guarantee_ =
        Recipe::plan(setting(), parameters_)
            .guarantee(policies::movement_of<Recipe>(setting(), parameters_), request_.arithmetic);
  }

  Run run(std::uint64_t index, privacy::Ledger* ledger) const override {
    const Backstage behind = backstage(index, ledger);
    if constexpr (kPlaysSets) {
      ValuesOfActions values([this](std::span<const Arm> action) { return value(action); });
      Recorder recorder(
          ValueOfSets(
              [&](std::span<const Arm> action) { return kRanks ? values(action) : value(action); },
              best().value, request_.problem->arms()),
          request_.checkpoints);
      return run(behind, recorder);
    } else {
      Recorder recorder(PullsTimesGap(gaps_), request_.checkpoints);
      return run(behind, recorder);
    }
  }

  privacy::Guarantee guarantee() const override { return guarantee_; }

  double benchmark() const override {
    return kPlaysSets ? actions::ActionSet::from_units(best().value)
                      : request_.problem->best_mean();
  }
  bool benchmark_is_proven() const override { return !kRanks || best().proven; }

 private:
  template <class Recorder>
  Run run(const Backstage& behind, Recorder& recorder) const {
    auto outcomes = behind.key.stream(random::Purpose::kOutcomes);
    auto delays = behind.key.stream(random::Purpose::kDelays);
    auto between = channel(Recipe::plan(setting(), parameters_), request_.problem->arms(), behind);
    const Stage stage{*request_.problem,
                      request_.actions ? request_.actions->size() : 1,
                      request_.horizon,
                      outcomes,
                      delays,
                      request_.delay,
                      behind.ledger};
    const std::int64_t decisions = policies::with_learner<Recipe>(
        setting(), parameters_, random::Dice(behind.key),
        [&](auto learner) { return Engine(learner, between, stage).play(recorder); });
    return {recorder.regrets(), recorder.pulls(), decisions};
  }

  struct Best {
    std::int64_t value = 0;  // in units of ActionSet
    bool proven = true;
  };
  /// What sets are measured against, sought when it is first asked for: it may take a while.
  const Best& best() const {
    std::call_once(best_sought_, [this] {
      if constexpr (kRanks) {
        const BestList list = best_list(*request_.problem, request_.actions->size());
        best_ = {actions::ActionSet::units(list.chance), list.proven};
      } else if constexpr (kPlaysSets) {
        best_.value = request_.actions->benchmark(request_.problem->means());
      }
    });
    return best_;
  }

  /// A ranked list is worth the probability of a click, whatever makes items attract together.
  std::int64_t value(std::span<const Arm> action) const {
    if constexpr (kRanks) {
      return actions::ActionSet::units(request_.problem->click_chance(action));
    } else {
      return request_.actions->value(action, request_.problem->means());
    }
  }

  policies::Setting setting() const {
    return {.arms = request_.problem->arms(),
            .epsilon = request_.epsilon,
            .delta = request_.delta,
            .horizon = request_.horizon,
            .pace = request_.pace,
            .actions = request_.actions};
  }
  Backstage backstage(std::uint64_t index, privacy::Ledger* ledger) const {
    return {random::SimulationKey(request_.seed, Recipe::kCard.name, problem_name_, index),
            request_.arithmetic, ledger};
  }

  Request request_;
  std::string problem_name_;
  typename Recipe::Parameters parameters_;
  privacy::Guarantee guarantee_;
  std::vector<double> gaps_;  // single arms
  mutable std::once_flag best_sought_;
  mutable Best best_;  // sets
};

}  // namespace tacit::simulation
