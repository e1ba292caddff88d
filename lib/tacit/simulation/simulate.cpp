#include "tacit/simulation/simulate.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "tacit/actions/top_k.hpp"
#include "tacit/core/check.hpp"
#include "tacit/simulation/best_list.hpp"
#include "tacit/simulation/cpu_time.hpp"
#include "tacit/simulation/engine.hpp"
#include "tacit/simulation/recorder.hpp"

namespace tacit::simulation {
namespace {

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
        request_.actions = policies::action_set(setting(0));
      }
    } else {
      for (const double mean : request.problem->means()) {
        gaps_.push_back(request.problem->best_mean() - mean);
      }
    }
    Recipe::make(setting(0), parameters_);  // throws now rather than in a thread
  }

  Run run(std::uint64_t index, privacy::Ledger* ledger) const override {
    const policies::Setting s = setting(index, ledger);
    auto policy = Recipe::make(s, parameters_);
    auto outcomes = s.key.stream(random::Purpose::kOutcomes);
    if constexpr (kPlaysSets) {
      ValuesOfActions values([this](std::span<const Arm> action) { return value(action); });
      SetRecorder recorder(
          [&](std::span<const Arm> action) { return kRanks ? values(action) : value(action); },
          best().value, request_.problem->arms(), request_.checkpoints);
      const std::int64_t decisions = play_sets(policy, *request_.problem, request_.actions->size(),
                                               request_.horizon, outcomes, recorder, ledger);
      return {recorder.regrets(), recorder.pulls(), decisions};
    } else {
      Recorder recorder(gaps_, request_.checkpoints);
      const std::int64_t decisions =
          play(policy, *request_.problem, request_.horizon, outcomes, recorder, ledger);
      return {recorder.regrets(), recorder.pulls(), decisions};
    }
  }

  privacy::Guarantee guarantee() const override {
    return Recipe::make(setting(0), parameters_).guarantee();
  }

  double benchmark() const override {
    return kPlaysSets ? actions::ActionSet::from_units(best().value)
                      : request_.problem->best_mean();
  }
  bool benchmark_is_proven() const override { return !kRanks || best().proven; }

 private:
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

  policies::Setting setting(std::uint64_t index, privacy::Ledger* ledger = nullptr) const {
    return {.arms = request_.problem->arms(),
            .epsilon = request_.epsilon,
            .delta = request_.delta,
            .horizon = request_.horizon,
            .pace = request_.pace,
            .key = random::SimulationKey(request_.seed, Recipe::kCard.name, problem_name_, index),
            .actions = request_.actions,
            .arithmetic = request_.arithmetic,
            .ledger = ledger};
  }

  Request request_;
  std::string problem_name_;
  typename Recipe::Parameters parameters_;
  std::vector<double> gaps_;  // single arms
  mutable std::once_flag best_sought_;
  mutable Best best_;  // sets
};

template <class... Recipe>
std::unique_ptr<Simulator> simulator_of(const Request& request, policies::RecipeList<Recipe...>) {
  std::unique_ptr<Simulator> found;
  const auto try_one = [&]<class R>(R*) {
    if (!found && request.policy == R::kCard.name)
      found = std::make_unique<SimulatorOf<R>>(request);
  };
  (try_one(static_cast<Recipe*>(nullptr)), ...);
  return found;
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

 private:
  void append(const Run& run) {
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
};

}  // namespace

std::unique_ptr<Simulator> prepare(const Request& request) {
  const policies::Card& card = policies::find_policy(request.policy).card;
  check::horizon("simulate", request.horizon);
  if (request.actions) {
    const bool ranks = card.feedback == feedback::Kind::kCascade;
    if (ranks && dynamic_cast<const actions::TopK*>(request.actions.get()) == nullptr) {
      throw InvalidParameter("", "actions", request.actions->name(),
                             fmt::format("{} ranks any K items: top:K", card.name));
    }
    if (!ranks && card.feedback != feedback::Kind::kSemi) {
      throw InvalidParameter("", "actions", request.actions->name(),
                             fmt::format("{} plays a single arm a round; sets need a policy with "
                                         "feedback semi or cascade",
                                         card.name));
    }
    if (request.actions->arms() != request.problem->arms()) {
      throw InvalidParameter("", "actions", request.actions->name(),
                             fmt::format("is made of {} arms, the problem has {}",
                                         request.actions->arms(), request.problem->arms()));
    }
  }
  if (request.horizon > request.problem->last_round()) {
    throw InvalidParameter(
        "", "horizon", fmt::format("{}", request.horizon),
        fmt::format("the problem has only {} rounds", request.problem->last_round()));
  }
  check::at_least("simulate", "runs", request.runs, 1);
  check::at_least("simulate", "threads", request.threads, 1);
  return simulator_of(request, policies::Recipes{});
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
  static_cast<Measured&>(summary) = std::move(ordered).finish();
  summary.guarantee = simulator->guarantee();
  summary.benchmark = simulator->benchmark();
  summary.benchmark_is_proven = simulator->benchmark_is_proven();
  summary.parameters = policies::find_policy(request.policy).parameters(request.parameters);
  summary.rounds = static_cast<double>(request.horizon) * static_cast<double>(request.runs);
  return summary;
}

}  // namespace tacit::simulation
