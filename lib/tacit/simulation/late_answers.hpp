// Between the loop and a policy whose answers come late: the loop plays as ever, and what is due is delivered before
// a choice, of an arm in order. A delivery ends what stands.
//
// One for all recipes, over virtual doors: what is kept of a late answer outweighs a call.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "tacit/core/slot.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/simulation.hpp"
#include "tacit/simulation/any_channel.hpp"
#include "tacit/simulation/delay.hpp"

namespace tacit::simulation {

class LateAnswers {
 public:
  using Secrets = std::vector<privacy::Secret<Sum>>;

  /// The learner, the channel and the stream outlive it.
  LateAnswers(policies::Learner& learner, AnyChannel& channel, const Delay& delay,
              random::SimulationStream& delays)
      : learner_(learner), channel_(channel), delay_(delay), delays_(delays) {}

  /// What is due by this round is delivered; then the learner chooses, for no longer than nothing else is due.
  void choose(const policies::Situation& situation, policies::Choice& choice);
  /// n choices took the slot.
  void assign(Slot slot, Round n);
  /// These are their outcomes: one sum, or one of every arm.
  void add(Slot slot, Secrets sums);
  /// The reports on a choice of the round that was chosen for last.
  void report(const policies::Choice& choice, policies::Values reports);
  /// Before a choice for round t; and at the end, of what the last round brought.
  void deliver_what_is_due(Round t);

 private:
  struct DueSlot {
    Slot slot;
    Round n;
    Round at;
  };
  struct DueReport {
    policies::Choice choice;
    std::vector<privacy::Released<double>> reports;
  };
  /// A user's late answer: the sums of each slot.
  struct DueAnswer {
    std::vector<Slot> slots;
    std::vector<Secrets> sums;
  };

  void answer_later();
  Round draw_delay();

  policies::Learner& learner_;
  AnyChannel& channel_;
  Delay delay_;
  random::SimulationStream& delays_;
  Round now_ = 0;                  // the round that was chosen for last
  std::deque<DueSlot> slots_due_;  // by `at`, of an arm in order
  std::multimap<Round, DueReport> reports_due_;
  // Geometric delays.
  DueAnswer answer_;             // of this round's user
  std::vector<DueSlot> filled_;  // by this round; `at` is its last choice
  std::multimap<Round, DueAnswer> answers_due_;
  std::map<Slot, Round> last_answers_;  // arrivals so far, to slots that are filling
  std::map<Arm, Round> last_due_;
};

}  // namespace tacit::simulation
