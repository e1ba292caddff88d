// The shell of posterior sampling on estimates that change every round: draw one sample an arm,
// play the largest. Cost per decision: one sample an arm.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tacit/actions/single.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/privacy/guarantee.hpp"

namespace tacit::policies {

template <class Estimator, class Posterior>
class PosteriorPolicy {
 public:
  static_assert(Estimator::kChangesEveryRound, "lazy estimators go with ThinnedPosteriorPolicy");
  using Feedback = feedback::Bandit;
  using Input = typename Estimator::Input;

  PosteriorPolicy(Estimator estimator, Posterior posterior, const random::SimulationKey& key)
      : estimator_(std::move(estimator)),
        posterior_(posterior),
        key_(key),
        decisions_(key.stream(random::Purpose::kDecisions)),
        scores_(static_cast<std::size_t>(estimator_.arms())) {
    for (Arm arm = 0; arm < estimator_.arms(); ++arm) {
      states_.push_back(posterior_.prepare(estimator_.estimate(arm)));
    }
  }

  Decision decide(Round t) noexcept {
    const indices::Clock clock{.t = t};
    for (std::size_t i = 0; i < states_.size(); ++i) {
      scores_[i] = posterior_.sample(states_[i], clock, decisions_);
    }
    return {actions::largest(scores_, t, key_).arm, t};
  }

  void learn(const Decision& decision, Round n, const privacy::Secret<Input>& input) noexcept {
    estimator_.learn(decision.action, n, input);
    states_[static_cast<std::size_t>(decision.action)] =
        posterior_.prepare(estimator_.estimate(decision.action));
  }

  privacy::Guarantee guarantee() const {
    return estimator_.guarantee(Feedback::sensitivity(estimator_.arms()),
                                Feedback::moves(estimator_.arms()));
  }

 private:
  Estimator estimator_;
  Posterior posterior_;
  random::SimulationKey key_;
  random::SimulationStream decisions_;
  std::vector<typename Posterior::State> states_;
  std::vector<double> scores_;
};

}  // namespace tacit::policies
