// A recipe's learner and what stands between it and users, fed by hand.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "tacit/core/sum.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/policies/make_entry.hpp"
#include "tacit/simulation/channel.hpp"

namespace tacit::policies {

inline simulation::Backstage backstage(const random::SimulationKey& key) {
  return {key, privacy::Arithmetic::kIdealised, nullptr};
}

/// One outcome of an arm whose phase has this number; the next phase has the next.
template <class Learner, class Channel>
void observe(Learner& learner, Channel& channel, Arm arm, Round& phase, Outcome outcome) {
  if constexpr (requires { channel.release(Slot{}, Round{1}); }) {
    const Slot slot{arm, phase};
    channel.add(slot, privacy::Secret<Sum>(Sum(outcome)));
    const Round full = learner.assign(slot, 1);
    if (full == 0) return;
    const auto release = channel.release(slot, full);
    learner.deliver(slot, {&release.value, 1}, full, release.noises);
    ++phase;
  } else {
    const privacy::Released<double> report = channel.report(arm, privacy::Secret<Outcome>(outcome));
    Choice choice;
    choice.one(arm, {arm, 0}, 0);
    learner.take(choice, {&report, 1});
  }
}

/// What a learner shows.
struct Seen {
  std::function<estimators::Estimate(Arm)> estimate;
  std::function<double(Arm, Round)> index;
};

/// After `n` observations of arm 0, alternately 1 and 0.
template <class Recipe>
Seen observed(int n, const Setting& setting, const typename Recipe::Parameters& parameters,
              const random::SimulationKey& key) {
  auto channel =
      simulation::channel(Recipe::plan(setting, parameters), setting.arms, backstage(key));
  return with_learner<Recipe>(setting, parameters, random::Dice(key), [&](auto made) {
    const auto learner = std::make_shared<decltype(made)>(std::move(made));
    Round phase = 0;
    for (int i = 0; i < n; ++i) observe(*learner, channel, 0, phase, Outcome::bit(i % 2 == 0));
    return Seen{[learner](Arm arm) { return estimators::Estimate(learner->estimate(arm)); },
                [learner](Arm arm, Round t) { return learner->index(arm, t); }};
  });
}

}  // namespace tacit::policies
