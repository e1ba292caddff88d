// One run of a policy on a table, watched: every choice, and all that passes between the outcomes and the learner. What
// the learner is told can be replaced by what it was told in another run.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/audit/neighbours.hpp"
#include "tacit/core/round.hpp"
#include "tacit/core/slot.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/simulation/any_channel.hpp"
#include "tacit/simulation/delay.hpp"

namespace tacit::audit {

template <class T>
using Twin = std::function<std::unique_ptr<T>(std::unique_ptr<T>)>;

/// What is played.
struct Play {
  const policies::Entry& entry;
  policies::Setting setting;
  std::vector<policies::ParameterValue> parameters;
  privacy::Arithmetic arithmetic = privacy::Arithmetic::kIdealised;
  simulation::Delay delay = {};
  std::uint64_t seed = 1;
  std::uint64_t run = 0;
  /// The same dice on every table; a simulation's are named for its problem.
  std::string dice_of = "watched";
  /// The learner's dice of this run, in all of them: public, and known to who guesses.
  std::optional<std::uint64_t> dice_run = std::nullopt;
  /// Broken twins: one that plays with another epsilon than it declares, and parts made of the true ones.
  std::optional<double> played_with = std::nullopt;
  Twin<simulation::AnyChannel> channel_twin = nullptr;
  Twin<policies::Learner> learner_twin = nullptr;
  const std::atomic<bool>* stop = nullptr;  // once true, simulation::Stopped is thrown

  /// As it is declared.
  curators::Plan plan() const { return entry.plan(setting, parameters); }
  /// As it is played.
  policies::Setting played() const {
    policies::Setting as_played = setting;
    if (played_with) as_played.epsilon = played_with;
    return as_played;
  }
};

/// A slot that was released, or what the users of a round reported.
struct Told {
  Slot slot;                   // reports: arm alone, or kAllArms
  Round n = 0;                 // choices in the slot; reports: 0
  std::vector<double> truth;   // what went in: sums of the slot, or outcomes
  std::vector<double> values;  // what came out
  int noises = 0;
  bool stop = false;  // a report of where a user stopped, which is its truth
};

struct Watched {
  std::vector<Arm> actions;  // of every round in turn; all arms of a set, in order
  std::vector<Told> told;
  std::vector<double>
      opened;  // outcomes that were handed to the learner as they are, before the first round
  std::string ledger;  // as it is saved
};

/// What of a run is written down: releases and reports alone, actions too, or the ledger too.
enum class Look { kReleases, kActions, kAll };

/// Plays every row of the table, as a simulation does with this seed and run. With `replaced` the learner is told what is in there, in turn, for as long as it asks for
/// the same; what the channel itself would have said is in the answer.
Watched watch(const Play& play, const Rows& rows, const std::vector<Told>* replaced = nullptr,
              Look look = Look::kAll);

}  // namespace tacit::audit
