// Where and how long a run is played.
#pragma once

#include <atomic>
#include <stdexcept>

#include "tacit/accounting/ledger.hpp"
#include "tacit/core/round.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/problems/problem.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::simulation {

struct Stage {
  const problems::Problem& problem;
  int size;  // arms in an action at most
  Round horizon;
  random::SimulationStream& outcomes;
  accounting::Ledger* ledger;
  const std::atomic<bool>* stop = nullptr;  // once true, the run is given up
};

/// A run was given up because somebody asked for it.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

/// Every arm's first outcome, for policies that begin with it; a click, where rounds are lists.
privacy::SecretVector<Outcome> draw_raw_outcomes(const Stage& stage, bool clicks);

/// Tells it to the learner, as the channel opens it.
template <class Learner, class Channel>
void start_from_raw_outcomes(Learner& learner, Channel& channel, const Stage& stage, bool clicks) {
  const auto raw = draw_raw_outcomes(stage, clicks);
  for (Arm arm = 0; arm < stage.problem.arms(); ++arm) {
    learner.start(arm, channel.open(arm, raw[static_cast<std::size_t>(arm)]));
  }
}

}  // namespace tacit::simulation
