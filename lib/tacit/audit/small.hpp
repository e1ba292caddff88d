// What policies are audited on: small enough that one user weighs much.
#pragma once

#include <memory>

#include "tacit/actions/action_set.hpp"
#include "tacit/policies/card.hpp"

namespace tacit::audit {

/// Two, or three to make sets of.
int small_arms(const policies::Card& card);
/// Two of the three; null: one arm a round.
std::shared_ptr<const actions::ActionSet> small_actions(const policies::Card& card);

}  // namespace tacit::audit
