// The one loop. It asks the policy, draws as many rounds as the policy will not look at, and hands
// them back at once. Instantiated per policy, so that a plain run costs no virtual call into the
// policy.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/privacy/ledger.hpp"
#include "tacit/problems/problem.hpp"
#include "tacit/simulation/recorder.hpp"
#include "tacit/simulation/set_recorder.hpp"

namespace tacit::simulation {

/// The outcomes of the observed arms over n rounds; of a ranked list, the clicks on the first item.
template <class Feedback, class Input>
void draw_observed(const problems::Problem& problem, const policies::SetDecision& decision, Round t,
                   Round n, random::SimulationStream& outcomes,
                   privacy::SecretVector<Input>& inputs) {
  constexpr bool kSingly = std::is_same_v<Input, Outcome>;
  if constexpr (std::is_same_v<Feedback, feedback::CascadeFirst>) {
    const Arm first = decision.action.front();
    if constexpr (kSingly) {
      inputs.set(0, problem.draw_click(first, t, outcomes));
    } else {
      inputs.set(0, problem.draw_clicks(first, t, n, outcomes));
    }
  } else if constexpr (kSingly) {
    problem.draw_each_one(decision.observed, t, outcomes, inputs);
  } else {
    problem.draw_each(decision.observed, t, n, outcomes, inputs);
  }
}

/// Plays rounds 1..horizon on sets, or ranked lists, of at most `size` arms and returns how many
/// decisions that took.
template <class Policy>
std::int64_t play_sets(Policy& policy, const problems::Problem& problem, int size, Round horizon,
                       random::SimulationStream& outcomes, SetRecorder& recorder,
                       privacy::Ledger* ledger = nullptr) {
  using Input = typename Policy::Input;
  std::int64_t decisions = 0;
  if constexpr (requires { Policy::kStartsFromRawOutcomes; }) {
    std::vector<Arm> all(static_cast<std::size_t>(problem.arms()));
    std::iota(all.begin(), all.end(), 0);
    privacy::SecretVector<Outcome> free(all.size());
    if constexpr (std::is_same_v<Input, Stop>) {  // a click, as every other of the run
      for (const Arm item : all) {
        free.set(static_cast<std::size_t>(item), problem.draw_click(item, 1, outcomes));
      }
    } else {
      problem.draw_each_one(all, 1, outcomes, free);
    }
    policy.learn_before_the_first_round(free);
  }
  privacy::SecretVector<Input> inputs(static_cast<std::size_t>(size));
  for (Round t = 1; t <= horizon;) {
    const policies::SetDecision decision = policy.decide(t);
    const Round n = std::min(decision.until, horizon) - t + 1;
    recorder.hold(decision.action, t, n);
    if (ledger != nullptr) {
      ledger->set_round(t + n - 1, static_cast<int>(decision.observed.size()));
      ledger->see_action(decision.action, n);
    }
    // A policy that takes single outcomes or stops never promises more than one round.
    if constexpr (std::is_same_v<Input, Stop>) {
      policy.learn(decision, problem.draw_stop(decision.action, t, outcomes));
    } else {
      draw_observed<typename Policy::Feedback>(problem, decision, t, n, outcomes, inputs);
      policy.learn(decision, n, inputs);
    }
    t += n;
    ++decisions;
  }
  return decisions;
}

/// Plays rounds 1..horizon and returns how many decisions that took.
template <class Policy>
std::int64_t play(Policy& policy, const problems::Problem& problem, Round horizon,
                  random::SimulationStream& outcomes, Recorder& recorder,
                  privacy::Ledger* ledger = nullptr) {
  std::int64_t decisions = 0;
  [[maybe_unused]] privacy::SecretVector<Sum> sums(static_cast<std::size_t>(problem.arms()));
  for (Round t = 1; t <= horizon;) {
    const auto decision = policy.decide(t);
    const Round n = std::min(decision.until, horizon) - t + 1;
    if (ledger != nullptr) {
      ledger->set_round(t + n - 1);
      if constexpr (requires { decision.rotation; }) {
        ledger->see_action(decision.rotation, 1);
      } else {
        ledger->see_action({&decision.action, 1}, n);
      }
    }
    if constexpr (std::is_same_v<typename Policy::Feedback, feedback::FullInformation>) {
      problem.draw_all(t, n, outcomes, sums);
      policy.learn(decision, n, sums);
      recorder.hold(decision.action, t, n);
    } else if constexpr (requires { decision.rotation; }) {
      const auto stride = static_cast<Round>(decision.rotation.size());
      for (Round i = 0; i < std::min(n, stride); ++i) {
        const Arm arm = decision.rotation[static_cast<std::size_t>(i)];
        const Round times = turns(n, i, stride);
        policy.learn(arm, times, problem.draw(arm, t + i, times, stride, outcomes));
      }
      recorder.rotate(decision.rotation, t, n);
    } else if constexpr (std::is_same_v<typename Policy::Input, Outcome>) {
      // A policy that takes single outcomes never promises more than one round.
      policy.learn(decision, n, problem.draw_one(decision.action, t, outcomes));
      recorder.hold(decision.action, t, n);
    } else {
      policy.learn(decision, n, problem.draw(decision.action, t, n, 1, outcomes));
      recorder.hold(decision.action, t, n);
    }
    t += n;
    ++decisions;
  }
  return decisions;
}

}  // namespace tacit::simulation
