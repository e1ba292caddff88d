// Transversal matroid: each arm can fill some of the slots, a set of arms is independent when its
// arms can be matched to distinct slots. An arm that can fill none is never played.
//
// A test looks for an augmenting path. A failed one leaves a set of slots all filled, by arms that
// can fill no other: that stays so while the set only grows, so no later path enters it, and the
// failed searches of one choice look at every pair (arm, slot) at most once together. A circuit is
// the arms that alternating paths reach. Cost of either: at most the pairs of the arms reached.
#pragma once

#include <memory>
#include <vector>

#include "tacit/actions/matroid.hpp"

namespace tacit::actions {

class TransversalMatroid final : public Matroid {
 public:
  /// Slots are numbered from 0.
  TransversalMatroid(int slots, std::vector<std::vector<int>> slots_of_arm);

  int arms() const noexcept override { return static_cast<int>(slots_of_arm_.size()); }
  std::unique_ptr<IndependentSet> empty_set() const override;

 private:
  int slots_;
  std::vector<std::vector<int>> slots_of_arm_;
};

}  // namespace tacit::actions
