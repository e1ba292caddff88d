// The shell of every index policy: play the arm whose index is largest.
//
// An index is prepared from an arm's estimate once, when the estimate changes, and then evaluated
// at a clock; only what a release changed is recomputed.
//
// kHold says when the choice is made again: every round (the next release or the next crossing of
// indices ends a Decision), or only when the phase of the played arm ends.
//
// Cost per decision: O(arms) evaluations. Decisions per run: one a round for estimators that change
// every round, else O(arms log T).
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tacit/actions/single.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/privacy/guarantee.hpp"

namespace tacit::policies {

enum class Hold { kRound, kPhase };

template <class Estimator, class Index, Hold kHold>
class IndexPolicy {
 public:
  using Feedback = feedback::Bandit;
  using Input = typename Estimator::Input;

  IndexPolicy(Estimator estimator, Index index, Pace pace, const random::SimulationKey& key)
      : estimator_(std::move(estimator)),
        index_(std::move(index)),
        pace_(pace),
        key_(key),
        scores_(static_cast<std::size_t>(estimator_.arms())) {
    for (Arm arm = 0; arm < estimator_.arms(); ++arm) {
      states_.push_back(index_.prepare(estimator_.estimate(arm)));
    }
  }

  Decision decide(Round t) noexcept {
    if constexpr (kHold == Hold::kPhase) {
      if (estimator_.in_phase(playing_)) return {playing_, until_release(t)};
    }
    indices::Clock clock = indices::Clock::at(t);
    if constexpr (Index::kUsesBestMean) {
      clock.best_mean = 0;
      for (const auto& state : states_) {
        clock.best_mean = std::max(clock.best_mean, index_.mean(state));
      }
    }
    for (std::size_t i = 0; i < states_.size(); ++i) {
      scores_[i] = index_.value(states_[i], clock);
    }
    const actions::Choice choice = actions::largest(scores_, t, key_);
    playing_ = choice.arm;
    if constexpr (Estimator::kChangesEveryRound) {
      return {playing_, t};
    } else if constexpr (kHold == Hold::kPhase) {
      return {playing_, until_release(t)};
    } else {
      if (choice.tied > 1) return {playing_, t};
      return {playing_, until_overtaken(clock)};
    }
  }

  void learn(const Decision& decision, Round n, const privacy::Secret<Input>& input) noexcept {
    if (estimator_.learn(decision.action, n, input)) {
      states_[static_cast<std::size_t>(decision.action)] =
          index_.prepare(estimator_.estimate(decision.action));
    }
  }

  privacy::Guarantee guarantee() const {
    return estimator_.guarantee(Feedback::sensitivity(estimator_.arms()),
                                Feedback::moves(estimator_.arms()));
  }

 private:
  Round until_release(Round t) const noexcept {
    return pace_ == Pace::kPlain ? t : t + estimator_.remaining(playing_) - 1;
  }

  Round until_overtaken(const indices::Clock& clock) const noexcept {
    Round until = until_release(clock.t);
    const auto& leader = states_[static_cast<std::size_t>(playing_)];
    for (std::size_t i = 0; i < states_.size() && until > clock.t; ++i) {
      if (static_cast<Arm>(i) == playing_) continue;
      until = std::min(until, indices::leads_until(leader, states_[i], clock));
    }
    return until;
  }

  Estimator estimator_;
  Index index_;
  Pace pace_;
  random::SimulationKey key_;
  std::vector<typename Index::State> states_;
  std::vector<double> scores_;
  Arm playing_ = 0;
};

}  // namespace tacit::policies
