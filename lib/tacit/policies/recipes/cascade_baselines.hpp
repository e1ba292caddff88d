// cascade-ucb1, cascade-kl-ucb: cascading bandits that see where users stop. Not private; baselines.
//
// Kveton, Szepesvari, Wen & Ashkan 2015, "Cascading bandits: learning to rank in the cascade model".
//   L1  observe every item once; n_e = 1
//   L2  show the K items with the largest index, best first:
//         cascade-ucb1    mean_e + sqrt(1.5 ln t/n_e)
//         cascade-kl-ucb  max q: n_e kl(mean_e, q) <= ln t + 3 ln ln t
//   L3  the user stops at position C; items up to C were examined, the one at C was clicked: update
// Departures: none.
// Cost per decision: one index an item, every round.
// Bound: theory/cascade.hpp, kveton-theorem-2 (finite, cascade-ucb1).
#pragma once

#include <vector>

#include "tacit/core/stop.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/cascade_index_policy.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/privacy/exact.hpp"

namespace tacit::policies::recipes {

/// Sees stops and outcomes as they are.
struct OpenEyes {
  static privacy::Loss loss(const privacy::Sensitivity& s) { return privacy::Exact::loss(s); }
  static int open(const privacy::Secret<Stop>& stop) {
    return privacy::Exact::release_as_is(stop).value().position;
  }
  static double open(const privacy::Secret<Outcome>& outcome) {
    return privacy::Exact::release(outcome).value();
  }
};

/// Clicks and examinations, counted.
class ItemCounts {
 public:
  explicit ItemCounts(int items) : items_(static_cast<std::size_t>(items)) {}
  void start(Arm item, double outcome) { at(item) = {outcome, 1, 0}; }
  void add(Arm item, bool clicked) {
    at(item).sum += clicked ? 1 : 0;
    at(item).n += 1;
  }
  const estimators::Estimate& estimate(Arm item) const {
    return items_[static_cast<std::size_t>(item)];
  }

 private:
  estimators::Estimate& at(Arm item) { return items_[static_cast<std::size_t>(item)]; }
  std::vector<estimators::Estimate> items_;
};

struct CascadeUcb1 {
  static constexpr Card kCard =
      baseline("cascade-ucb1", "CascadeUCB1", "Kveton et al. 2015").with_cascade_feedback();
  using Parameters = NoParameters;
  using Policy = CascadeIndexPolicy<OpenEyes, ItemCounts, indices::Ucb>;
  static Policy make(const Setting& s, const Parameters&) {
    return Policy(action_set(s), ItemCounts(s.arms), indices::Ucb(1.5, 0), s.key);
  }
};

struct CascadeKlUcb {
  static constexpr Card kCard =
      baseline("cascade-kl-ucb", "CascadeKL-UCB", "Kveton et al. 2015").with_cascade_feedback();
  using Parameters = NoParameters;
  using Policy = CascadeIndexPolicy<OpenEyes, ItemCounts, indices::KlUcb>;
  static Policy make(const Setting& s, const Parameters&) {
    return Policy(action_set(s), ItemCounts(s.arms),
                  indices::KlUcb({.level_factor = 1, .iterated_factor = 3, .shift = 0}), s.key);
  }
};

}  // namespace tacit::policies::recipes
