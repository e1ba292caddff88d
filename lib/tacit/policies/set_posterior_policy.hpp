// The shell of posterior sampling on sets: draw one sample an arm, play the set that is best for the
// samples, record all of its outcomes. Decides every round. Cost per decision: one sample an arm and
// one choice.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/arm_states.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/privacy/guarantee.hpp"

namespace tacit::policies {

template <class Estimator, class Posterior>
class SetPosteriorPolicy {
 public:
  using Feedback = feedback::SemiBandit;
  using Input = typename Estimator::Input;

  SetPosteriorPolicy(const std::shared_ptr<const actions::ActionSet>& actions, Estimator estimator,
                     Posterior posterior, const random::SimulationKey& key)
      : size_(actions->size()),
        oracle_(actions->oracle()),
        arms_(std::move(estimator), std::move(posterior)),
        key_(key),
        decisions_(key.stream(random::Purpose::kDecisions)),
        scores_(static_cast<std::size_t>(actions->arms())) {}

  SetDecision decide(Round t) {
    const indices::Clock clock = indices::clock_of(arms_.index(), t);
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      scores_[i] = arms_.index().sample(arms_.all()[i], clock, decisions_);
    }
    oracle_->set_scores(scores_);
    const actions::ChosenSet choice = oracle_->choose(t, key_);
    return {choice.arms, choice.arms, t};
  }

  void learn(const SetDecision& decision, Round n, const privacy::SecretVector<Input>& inputs) {
    arms_.learn(decision, n, inputs);
  }

  privacy::Guarantee guarantee() const {
    return arms_.estimator().guarantee(Feedback::sensitivity(size_), Feedback::moves(size_));
  }

 private:
  int size_;
  std::unique_ptr<actions::Oracle> oracle_;
  ArmStates<Estimator, Posterior> arms_;
  random::SimulationKey key_;
  random::SimulationStream decisions_;
  std::vector<double> scores_;
};

}  // namespace tacit::policies
