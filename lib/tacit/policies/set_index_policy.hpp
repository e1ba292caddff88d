// The shell of every index policy on sets: play the set that an oracle finds best for the indices of
// the arms, and record all of its outcomes or those of one arm.
//
// Which arm is recorded is a public choice: the one whose released estimate rests on the fewest
// observations, and among those the one whose phase ends first, so that a phase once begun is
// completed while its arm is played (random when that ties too).
//
// Skipping: while no phase ends, indices only grow. How long a choice then stands is computed in
// crossing.hpp.
//
// Cost per decision: one index an arm and one choice, and up to two more indices an arm to see how
// long it stands; indices that do not depend on the round are computed only where a release changed
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/arm_states.hpp"
#include "tacit/policies/crossing.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/policies/recording.hpp"
#include "tacit/privacy/guarantee.hpp"

namespace tacit::policies {

template <class Estimator, class Index>
class SetIndexPolicy {
 public:
  using Feedback = feedback::SemiBandit;
  using Input = typename Estimator::Input;

  SetIndexPolicy(const std::shared_ptr<const actions::ActionSet>& actions, Estimator estimator,
                 Index index, Record record, Pace pace, const random::SimulationKey& key)
      : recorded_(record == Record::kAll ? actions->size() : 1),
        oracle_(actions->oracle()),
        arms_(std::move(estimator), std::move(index)),
        record_(record),
        pace_(pace),
        key_(key),
        scores_(static_cast<std::size_t>(actions->arms())) {
    score(indices::clock_of(arms_.index(), 1));
  }

  SetDecision decide(Round t) {
    const indices::Clock clock = indices::clock_of(arms_.index(), t);
    if constexpr (!indices::kConstantInTime<Index>) score(clock);
    const actions::ChosenSet choice = oracle_->choose(t, key_);
    action_ = choice.arms;
    observed_ = action_;
    if (record_ == Record::kWeakest) {
      weakest_ = weakest(arms_.estimator(), action_, t, key_);
      observed_ = {&weakest_, 1};
    }
    if constexpr (!Estimator::kChangesEveryRound) {
      if (pace_ == Pace::kSkipping && !choice.tied) {
        return {action_, observed_, until_overtaken(clock)};
      }
    }
    return {action_, observed_, t};
  }

  void learn(const SetDecision& decision, Round n, const privacy::SecretVector<Input>& inputs) {
    arms_.learn(decision, n, inputs, [this](Arm arm) {
      if constexpr (indices::kConstantInTime<Index>) {
        oracle_->set_score(arm, arms_.index().value(arms_.of(arm), indices::Clock{}));
      }
    });
  }

  /// Gives an arm an estimate before the first round.
  void start(Arm arm, const estimators::Estimate& estimate) { arms_.start(arm, estimate); }

  /// What an arm's released estimate is, and its index in round t: public, like all that led to it.
  estimators::Estimate estimate(Arm arm) const { return arms_.estimator().estimate(arm); }
  double index(Arm arm, Round t) const {
    return arms_.index().value(arms_.of(arm), indices::clock_of(arms_.index(), t));
  }

  privacy::Guarantee guarantee() const {
    return arms_.estimator().guarantee(Feedback::sensitivity(recorded_),
                                       Feedback::moves(recorded_));
  }

 private:
  void score(const indices::Clock& clock) {
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      scores_[i] = arms_.index().value(arms_.all()[i], clock);
    }
    oracle_->set_scores(scores_);
  }

  Round until_overtaken(const indices::Clock& clock) {
    const Round release = first_release(arms_.estimator(), observed_, clock.t);
    if constexpr (indices::kConstantInTime<Index>) {
      return release;
    } else {
      return crossing_.choice_stands_until(*oracle_, action_, arms_.index(), arms_.all(), clock,
                                           release);
    }
  }

  int recorded_;
  std::unique_ptr<actions::Oracle> oracle_;
  ArmStates<Estimator, Index> arms_;
  Record record_;
  Pace pace_;
  random::SimulationKey key_;
  std::vector<double> scores_;
  Crossing crossing_;
  std::span<const Arm> action_;
  std::span<const Arm> observed_;
  Arm weakest_ = 0;
};

}  // namespace tacit::policies
