// Which arms may be played, which outcomes of a played set are recorded, and when the next of them is released.
// All depend on public values only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tacit/actions/single.hpp"
#include "tacit/core/round.hpp"
#include "tacit/core/slot.hpp"
#include "tacit/indices/saturation.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies {

/// All outcomes of the played set, or that of one arm: then one user moves one sum by 1, not K.
enum class Record { kAll, kWeakest };

/// There is no set of these arms alone.
[[noreturn]] void refuse(std::span<const Arm> eligible);

/// The same where not all arms are: others score minus infinity meanwhile. Apart, so that the usual case is inlined.
template <class Actions>
[[gnu::noinline]] actions::ChosenSet choose_among(Actions& actions, const Situation& situation,
                                                  const random::Dice& dice) {
  const auto arms = static_cast<Arm>(actions.scores().size());
  std::vector<double> kept(actions.scores().begin(), actions.scores().end());
  for (Arm arm = 0; arm < arms; ++arm) {
    if (!situation.is_eligible(arm)) actions.score(arm) = -std::numeric_limits<double>::infinity();
  }
  actions.scored();
  const actions::ChosenSet chosen = actions.keep(actions.choose(situation.t, dice));
  for (Arm arm = 0; arm < arms; ++arm) actions.score(arm) = kept[static_cast<std::size_t>(arm)];
  actions.scored();
  for (const Arm arm : chosen.arms) {
    if (situation.is_eligible(arm)) continue;
    refuse(situation.eligible);
  }
  return chosen;
}

/// The best for the scores among what is eligible. Throws where every set has an arm that is not.
template <class Actions>
actions::ChosenSet choose_eligible(Actions& actions, const Situation& situation,
                                   const random::Dice& dice) {
  if (situation.eligible.empty()) [[likely]]
    return actions.choose(situation.t, dice);
  return choose_among(actions, situation, dice);
}

/// What an arm scores for its index at this clock.
template <class Actions, class Index, class State, class Clock>
double score_of(const Actions& actions, const Index& index, const State& state,
                const Clock& clock) {
  return actions.by_order() ? indices::ranked(index, state, clock) : index.value(state, clock);
}

/// The best for all arms' indices at this clock among what is eligible: the plain way.
template <class Actions, class Index, class States, class Clock>
actions::ChosenSet choose_by_all_indices(Actions& actions, const Index& index, const States& states,
                                         const Situation& situation, const Clock& clock,
                                         const random::Dice& dice) {
  for (Arm arm = 0; arm < states.arms(); ++arm) {
    actions.score(arm) = score_of(actions, index, states[arm], clock);
  }
  actions.scored();
  return choose_eligible(actions, situation, dice);
}

/// The arm of the action whose estimate, with what is under way, rests on the fewest observations; among those
/// the one whose phase is full first; among those any, by the round alone.
template <class Book>
Arm weakest(const Book& book, std::span<const Arm> action, Round t, const random::Dice& dice) {
  const auto less = [&](Arm a, Arm b) {
    const double na = book.expected_n(a);
    const double nb = book.expected_n(b);
    if constexpr (requires { book.remaining(a); }) {
      if (na == nb) return book.remaining(a) < book.remaining(b);
    }
    return na < nb;
  };
  Arm best = action[0];
  int tied = 1;
  for (const Arm arm : action.subspan(1)) {
    if (less(arm, best)) {
      best = arm;
      tied = 1;
    } else if (!less(best, arm)) {
      ++tied;
    }
  }
  if (tied == 1) return best;
  auto draw = dice.ties(t, 1);
  int skip = random::uniform_index(draw, tied);
  for (const Arm arm : action) {
    if (!less(best, arm) && skip-- == 0) return arm;
  }
  return best;
}

/// The last round of the stretch from t on in which no slot is full before its end.
template <class Book>
Round first_full(const Book& book, std::span<const Slot> slots, Round t) {
  Round rounds = kLastRound;
  for (const Slot& slot : slots) rounds = std::min(rounds, book.remaining(slot.arm));
  return t + rounds - 1;
}

}  // namespace tacit::policies
