#include "tacit/audit/small.hpp"

#include "tacit/actions/top_k.hpp"

namespace tacit::audit {

int small_arms(const policies::Card& card) { return card.plays_sets() ? 3 : 2; }

std::shared_ptr<const actions::ActionSet> small_actions(const policies::Card& card) {
  return card.plays_sets() ? std::make_shared<actions::TopK>(small_arms(card), 2) : nullptr;
}

}  // namespace tacit::audit
