// One action at a time: instantaneous privacy (Basu, Dimitrakakis & Tossou, arXiv:1905.12298, Def. 3), tried by playing.
//
// For every round s, every actions h = a_1 ... a_{s-1} before it and every two tables that differ in one user, the law of a_s
// *given h* may differ by a factor of e^epsilon at most. What was released before is not given: it is averaged over, with the
// noise. The learner's dice are those of the seed, in every run, and known: they guard nothing, so that what is claimed holds given
// them; and an index policy has them for ties alone.
//
// Guesses. Somebody is told h, sees a_s, and guesses which of two tables was played. The coin that chooses the table must be
// fair given h, which it is when the table is chosen first and then played again and again until h comes up: then the odds
// that are justified lie between e^-epsilon and e^epsilon, and evidence is that of against.hpp. Which pairs of tables and which
// histories are worth it is learned from runs beforehand, and how likely the actions are there as it goes. An attempt that
// never comes to h would leave the coin unfair among those that do; so when one takes too long nothing is certified at all.
//
// The claim is the smaller of what is published and twice the central epsilon (accounting/notions.hpp; pure only). The replay
// and the law of the noise (audit.hpp) are tried as well: the proof rests on them.
#pragma once

#include <optional>

#include "tacit/accounting/composition.hpp"
#include "tacit/audit/audit.hpp"

namespace tacit::audit {

/// None: nothing is claimed of one action given those before it.
std::optional<accounting::Cost> instantaneous_claim_of(const Play& play);

/// Guesses alone.
SequentialResult guess_actions(const Play& play, double claim, const Effort& effort);

/// Replay, law and guesses.
AuditResult instantaneous_audit(const Play& play, const Effort& effort);

}  // namespace tacit::audit
