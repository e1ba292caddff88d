// An estimator and what an index (or posterior) made of each arm's estimate: prepared once, when the
// estimate changes. The part that all shells on sets share.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tacit/core/round.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::policies {

template <class Estimator, class Index>
class ArmStates {
 public:
  using Input = typename Estimator::Input;
  using State = typename Index::State;

  ArmStates(Estimator estimator, Index index)
      : estimator_(std::move(estimator)), index_(std::move(index)) {
    for (Arm arm = 0; arm < estimator_.arms(); ++arm) {
      states_.push_back(index_.prepare(estimator_.estimate(arm)));
    }
  }

  const Estimator& estimator() const noexcept { return estimator_; }
  const Index& index() const noexcept { return index_; }
  const std::vector<State>& all() const noexcept { return states_; }
  const State& of(Arm arm) const noexcept { return states_[static_cast<std::size_t>(arm)]; }

  /// Takes the outcomes of the observed arms; calls on_change(arm) for every estimate they changed.
  template <class OnChange>
  void learn(const SetDecision& decision, Round n, const privacy::SecretVector<Input>& inputs,
             OnChange on_change) {
    for (std::size_t i = 0; i < decision.observed.size(); ++i) {
      const Arm arm = decision.observed[i];
      if (!estimator_.learn(arm, n, inputs[i])) continue;
      prepare(arm);
      on_change(arm);
    }
  }
  void learn(const SetDecision& decision, Round n, const privacy::SecretVector<Input>& inputs) {
    learn(decision, n, inputs, [](Arm) {});
  }

  /// Gives an arm an estimate before the first round.
  template <class Estimate>
  void start(Arm arm, const Estimate& estimate) {
    estimator_.start(arm, estimate);
    prepare(arm);
  }

 private:
  void prepare(Arm arm) {
    states_[static_cast<std::size_t>(arm)] = index_.prepare(estimator_.estimate(arm));
  }

  Estimator estimator_;
  Index index_;
  std::vector<State> states_;
};

}  // namespace tacit::policies
