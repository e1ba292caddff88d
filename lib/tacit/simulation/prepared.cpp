#include "tacit/simulation/prepared.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/policies/noise_of_epsilon.hpp"
#include "tacit/policies/release_log.hpp"
#include "tacit/problems/environment_private.hpp"
#include "tacit/simulation/any_channel.hpp"
#include "tacit/simulation/best_list.hpp"
#include "tacit/simulation/play_late.hpp"
#include "tacit/simulation/watched_learner.hpp"

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

std::vector<double> gaps_in(const problems::Problem& problem) {
  std::vector<double> gaps;
  for (const double mean : problem.means()) gaps.push_back(problem.best_mean() - mean);
  return gaps;
}

}  // namespace

Prepared::Prepared(const Request& request, const policies::Entry& entry)
    : request_(request), entry_(entry), problem_name_(request.problem->name()) {
  if (entry.card.plays_sets()) {
    if (request_.actions) {
      problem_name_ = fmt::format("{}/{}", problem_name_, request_.actions->name());
    } else {
      request_.actions = policies::action_set(setting());
    }
  }
  policies::with_noise_of(request_.epsilon, [&] {
    any_channel(entry.plan(setting(), request_.parameters), request_.problem->arms(),
                backstage(0, nullptr));
    check_readings();
  });
  // What may be unknown is found out now.
  if (request_.against == Against::kBest && request_.problem->playback() == nullptr) best();
  released_in(0);
  guarantee_ = policies::with_noise_of(request_.epsilon, [&] {
    return entry.guarantee(setting(), request_.parameters, request_.arithmetic);
  });
}

Run Prepared::run(std::uint64_t index, accounting::Ledger* ledger) const {
  return policies::with_noise_of(request_.epsilon, [&] { return run_as_given(index, ledger); });
}

Run Prepared::run_as_given(std::uint64_t index, accounting::Ledger* ledger) const {
  const Backstage behind = backstage(index, ledger);
  const Hindsight* looking_back = hindsight();
  const auto truth = environment(index);  // regret is of it
  const auto released = released_in(index);
  const problems::Problem& problem = *truth;
  const problems::Problem& played = released ? *released : problem;
  if (!entry_.card.plays_sets()) {
    const std::vector<double> gaps = gaps_in(problem);
    return run(behind, played, problem.means(),
               Recorder(PullsTimesGap(gaps), request_.checkpoints, looking_back));
  }
  if (looking_back != nullptr) {
    const ValueOfAction nothing = [](std::span<const Arm>) { return 0; };
    return run(
        behind, played, problem.means(),
        Recorder(ValueOfSets(nothing, 0, problem.arms()), request_.checkpoints, looking_back));
  }
  const Best against = &problem == request_.problem.get() ? best() : best_in(problem);
  return run(behind, played, problem.means(),
             Recorder(values(problem, against.value), request_.checkpoints));
}

ValueOfSets Prepared::values(const problems::Problem& problem, std::int64_t benchmark) const {
  if (!ranks() && request_.actions->values_add_up()) {
    PerArm<std::int64_t> of_arms;
    for (Arm arm = 0; arm < problem.arms(); ++arm) of_arms.push_back(value({&arm, 1}, problem));
    return {std::move(of_arms), benchmark};
  }
  ValueOfAction value_of = [this, &problem](std::span<const Arm> action) {
    return value(action, problem);
  };
  if (ranks() && problem.looks_of_a_click_chance() > 0) {
    value_of = ValuesOfActions(std::move(value_of));
  }
  return {std::move(value_of), benchmark, problem.arms()};
}

template <class Rule>
Run Prepared::run(const Backstage& behind, const problems::Problem& played,
                  const std::vector<double>& truth, Recorder<Rule> recorder) const {
  auto outcomes = behind.key.stream(random::Purpose::kOutcomes);
  const Stage stage{played,           request_.actions ? request_.actions->size() : 1,
                    request_.horizon, outcomes,
                    behind.ledger,    request_.stop};
  if (request_.intervals || request_.goal) return run_watched(behind, stage, truth, recorder);
  std::int64_t decisions = 0;
  if (request_.delay.none()) {
    decisions = play(behind, stage, &recorder);
  } else {
    auto delays = behind.key.stream(random::Purpose::kDelays);
    const auto learner = entry_.learner(setting(), request_.parameters, random::Dice(behind.key));
    const auto between =
        any_channel(entry_.plan(setting(), request_.parameters), request_.problem->arms(), behind);
    decisions = play_late(*learner, *between, entry_.card.feedback, stage, request_.delay, delays,
                          &recorder);
  }
  return {recorder.regrets(), recorder.pulls(), decisions};
}

template <class Rule>
Run Prepared::run_watched(const Backstage& behind, const Stage& stage,
                          const std::vector<double>& truth, Recorder<Rule>& recorder) const {
  const curators::Plan plan = entry_.plan(setting(), request_.parameters);
  const auto learner = entry_.learner(setting(), request_.parameters, random::Dice(behind.key));
  const auto between = any_channel(plan, stage.problem.arms(), behind);
  auto log = policies::ReleaseLog::of(plan, entry_.card.feedback, stage.problem.arms(),
                                      learner->recorded());
  std::optional<IntervalWatch> intervals;
  if (request_.intervals) intervals.emplace(truth, *request_.intervals, request_.checkpoints);
  std::optional<StoppingStage> stopping;
  if (request_.goal) stopping.emplace(*request_.goal, entry_, *learner, log ? &*log : nullptr);
  WatchedLearner watched(*learner, log ? &*log : nullptr, [&] {
    if (intervals) intervals->look(log->readout(), log->told());
    if (stopping) stopping->told();
  });
  if (intervals) watched.when_asked([&](Round t) { intervals->reach(t, log->readout()); });
  Over over;
  if (stopping) over = [&] { return stopping->over(); };
  auto delays = behind.key.stream(random::Purpose::kDelays);
  Run run;
  run.decisions = play_late(watched, *between, entry_.card.feedback, stage, request_.delay, delays,
                            &recorder, over);
  run.pulls = recorder.pulls();
  if (stopping) {
    if (request_.goal->budget) watched.release_what_is_filling(*between);
    run.identified = stopping->finish(truth, run.pulls);
    const bool counts = run.identified->stopped || request_.goal->budget;
    run.regrets = {counts && !run.identified->right ? 1.0 : 0.0,
                   static_cast<double>(run.identified->samples)};
  } else {
    run.regrets = recorder.regrets();
  }
  if (intervals) run.intervals = std::move(*intervals).finish(log->readout());
  return run;
}

/// Whether what was asked for can be read off the releases.
void Prepared::check_readings() const {
  if (!request_.intervals && !request_.goal) return;
  const char* asked = request_.intervals ? "intervals" : "policy";
  if (request_.intervals) {
    check::strictly_within("simulate", "intervals", *request_.intervals, 0, 1);
    if (request_.problem->playback() != nullptr) {
      throw InvalidParameter(Option{asked}, fmt::format("{}", *request_.intervals),
                             "rounds that are played back have no means to cover");
    }
  }
  if (request_.environment_epsilon) {
    throw InvalidParameter(
        Option{"environment-regret"}, "true",
        "what is released of the means is played on, and says nothing of the true ones: "
        "no intervals, and no best arm");
  }
  if (request_.goal && request_.goal->budget && !request_.delay.none()) {
    throw InvalidParameter(Option{"delay"}, request_.delay.name(),
                           "a budget ends before the last answers come: leave one of them out");
  }
  if (request_.delay.wait) {
    throw InvalidParameter(
        Option{"delay"}, request_.delay.name(),
        "answers that are lost count as 0, and not towards a mean: leave the wait out");
  }
  const bool by_evidence =
      request_.goal && !request_.goal->budget && entry_.error_parameter == nullptr;
  if (!request_.intervals && !by_evidence) return;
  const auto learner = entry_.learner(setting(), request_.parameters, random::Dice::numbered(0));
  if (policies::ReleaseLog::of(entry_.plan(setting(), request_.parameters), entry_.card.feedback,
                               request_.problem->arms(), learner->recorded())) {
    return;
  }
  throw InvalidParameter(
      Option{"policy"}, entry_.card.name,
      "its releases do not add up to means of arms, so that they have no intervals; those of "
      "mgf-imed, anytime-lazy-ucb and others that release sums of phases, or bits, do");
}

/// The same in a run of every policy: who plays better is not a matter of whose release is luckier.
std::shared_ptr<const problems::Problem> Prepared::released_in(std::uint64_t index) const {
  if (!request_.environment_epsilon) return nullptr;
  const random::SimulationKey key(request_.seed, "environment", request_.problem->name(), index);
  return problems::release_environment(*request_.problem, *request_.environment_epsilon, key)
      .problem;
}

/// Sought when it is first asked for, too.
const Hindsight* Prepared::hindsight() const {
  const problems::Playback* playback = request_.problem->playback();
  if (playback == nullptr) return nullptr;
  std::call_once(hindsight_sought_, [&] {
    using Rounds = Hindsight::Rounds;
    const Rounds rounds = ranks()                    ? Rounds::kLists
                          : entry_.card.plays_sets() ? Rounds::kSets
                                                     : Rounds::kArms;
    hindsight_.emplace(*playback, request_.problem->arms(), rounds, request_.actions.get(),
                       request_.checkpoints);
  });
  return &*hindsight_;
}

bool Prepared::benchmark_is_proven() const {
  if (const Hindsight* looking_back = hindsight()) return looking_back->proven();
  if (request_.problem->prior() != nullptr) return best_over_runs().proven;
  return best().proven;
}

double Prepared::benchmark() const {
  if (const Hindsight* looking_back = hindsight()) return looking_back->best_mean(request_.horizon);
  if (request_.problem->prior() != nullptr) return best_over_runs().mean;
  return entry_.card.plays_sets() ? actions::ActionSet::from_units(best().value)
                                  : request_.problem->best_mean();
}

/// As regret is over the runs. All their environments are drawn for it, so that it is done once, however often it is asked for.
const Prepared::BestOverRuns& Prepared::best_over_runs() const {
  std::call_once(best_over_runs_sought_, [this] {
    double sum = 0;
    for (std::int64_t index = 0; index < request_.runs; ++index) {
      const auto own = environment(static_cast<std::uint64_t>(index));
      if (!entry_.card.plays_sets()) {
        sum += own->best_mean();
        continue;
      }
      const Best best = best_in(*own);
      sum += actions::ActionSet::from_units(best.value);
      best_over_runs_.proven = best_over_runs_.proven && best.proven;
    }
    best_over_runs_.mean = sum / static_cast<double>(request_.runs);
  });
  return best_over_runs_;
}

/// It may take a while, so that it waits until it is asked for.
const Prepared::Best& Prepared::best() const {
  std::call_once(best_sought_, [this] { best_ = best_in(*request_.problem); });
  return best_;
}

Prepared::Best Prepared::best_in(const problems::Problem& problem) const {
  if (ranks()) {
    const BestList list = best_list(problem, request_.actions->size());
    return {actions::ActionSet::units(list.chance), list.proven};
  }
  if (!entry_.card.plays_sets()) return {};
  return set_to_reach(problem);
}

/// By the oracle's promise, or the best there is. It is proven where the best is known: what a search found is not.
Prepared::Best Prepared::set_to_reach(const problems::Problem& problem) const {
  const std::vector<double>& means = problem.means();
  const std::optional<std::int64_t> best = request_.actions->best_value(means);
  if (request_.against == Against::kOracle) {
    return {request_.actions->benchmark(means, best), best.has_value()};
  }
  if (best) return {*best, true};
  throw InvalidParameter(Option{"against"}, name_of(request_.against),
                         "the best set is not known, there are too many to try; must be oracle");
}

/// A ranked list is worth the probability of a click, whatever makes items attract together.
std::int64_t Prepared::value(std::span<const Arm> action, const problems::Problem& problem) const {
  return ranks() ? actions::ActionSet::units(problem.click_chance(action))
                 : request_.actions->value(action, problem.means());
}

std::shared_ptr<const problems::Problem> Prepared::environment(std::uint64_t index) const {
  const random::SimulationKey key(request_.seed, "", request_.problem->name(), index);
  auto stream = key.stream(random::Purpose::kEnvironment);
  auto own = request_.problem->draw_environment(stream);
  return own ? own : request_.problem;
}

policies::Setting Prepared::setting() const {
  return {.arms = request_.problem->arms(),
          .epsilon = request_.epsilon,
          .delta = request_.delta,
          .horizon = request_.horizon,
          .pace = request_.pace,
          .actions = request_.actions};
}

Backstage Prepared::backstage(std::uint64_t index, accounting::Ledger* ledger) const {
  return {random::SimulationKey(request_.seed, entry_.card.name, problem_name_, index),
          request_.arithmetic, ledger};
}

}  // namespace tacit::simulation
