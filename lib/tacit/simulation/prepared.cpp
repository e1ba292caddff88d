#include "tacit/simulation/prepared.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "tacit/problems/environment_private.hpp"
#include "tacit/simulation/any_channel.hpp"
#include "tacit/simulation/best_list.hpp"
#include "tacit/simulation/play_late.hpp"

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

}  // namespace

Prepared::Prepared(const Request& request, const policies::Entry& entry)
    : request_(request), entry_(entry), problem_name_(request.problem->name()) {
  if (entry.card.plays_sets()) {
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
  any_channel(entry.plan(setting(), request_.parameters), request_.problem->arms(),
              backstage(0, nullptr));
  released_in(0);
  guarantee_ = entry.guarantee(setting(), request_.parameters, request_.arithmetic);
}

Run Prepared::run(std::uint64_t index, accounting::Ledger* ledger) const {
  const Backstage behind = backstage(index, ledger);
  const Hindsight* looking_back = hindsight();
  const auto released = released_in(index);
  const problems::Problem& played = released ? *released : *request_.problem;
  if (!entry_.card.plays_sets()) {
    return run(behind, played, Recorder(PullsTimesGap(gaps_), request_.checkpoints, looking_back));
  }
  if (looking_back != nullptr) {
    const ValueOfAction nothing = [](std::span<const Arm>) { return 0; };
    return run(behind, played,
               Recorder(ValueOfSets(nothing, 0, request_.problem->arms()), request_.checkpoints,
                        looking_back));
  }
  ValueOfAction value_of = [this](std::span<const Arm> action) { return value(action); };
  if (ranks()) value_of = ValuesOfActions(std::move(value_of));
  return run(behind, played,
             Recorder(ValueOfSets(std::move(value_of), best().value, request_.problem->arms()),
                      request_.checkpoints));
}

template <class Rule>
Run Prepared::run(const Backstage& behind, const problems::Problem& played,
                  Recorder<Rule> recorder) const {
  auto outcomes = behind.key.stream(random::Purpose::kOutcomes);
  const Stage stage{played, request_.actions ? request_.actions->size() : 1, request_.horizon,
                    outcomes, behind.ledger};
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
  return !ranks() || best().proven;
}

double Prepared::benchmark() const {
  if (const Hindsight* looking_back = hindsight()) return looking_back->best_mean(request_.horizon);
  return entry_.card.plays_sets() ? actions::ActionSet::from_units(best().value)
                                  : request_.problem->best_mean();
}

/// What sets are measured against, sought when it is first asked for: it may take a while.
const Prepared::Best& Prepared::best() const {
  std::call_once(best_sought_, [this] {
    if (ranks()) {
      const BestList list = best_list(*request_.problem, request_.actions->size());
      best_ = {actions::ActionSet::units(list.chance), list.proven};
    } else if (entry_.card.plays_sets()) {
      best_.value = request_.actions->benchmark(request_.problem->means());
    }
  });
  return best_;
}

/// A ranked list is worth the probability of a click, whatever makes items attract together.
std::int64_t Prepared::value(std::span<const Arm> action) const {
  return ranks() ? actions::ActionSet::units(request_.problem->click_chance(action))
                 : request_.actions->value(action, request_.problem->means());
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
