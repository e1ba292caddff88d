// Action set "top:K": any K of the arms; the oracle takes the K largest scores.
//
// A tournament tree over the arms keeps, for every subtree, the largest score and how many arms share
// it. A choice costs O(K log m), changing one score O(log m): a policy whose indices move only where
// it observed something never looks at all m arms. Where it would be made for one choice only, since all scores are
// new, and where arms are few, they are looked at one after the other. Ties across the K-th place are drawn uniformly,
// with the same dice either way.
#pragma once

#include <memory>
#include <string>

#include "tacit/actions/action_set.hpp"

namespace tacit::actions {

class TopK final : public ActionSet {
 public:
  /// 1 <= k <= arms.
  TopK(int arms, int k);

  int arms() const noexcept override { return arms_; }
  int size() const noexcept override { return k_; }
  std::string name() const override;
  std::unique_ptr<Oracle> oracle() const override;
  Structure structure() const noexcept override { return Structure::kAnyK; }
  bool values_add_up() const noexcept override { return true; }
  std::vector<std::vector<Arm>> all(std::size_t most) const override;

 private:
  /// K arms that were never observed a round are as few rounds as can be.
  std::unique_ptr<Oracle> oracle_by_edmonds() const override { return oracle(); }

  int arms_;
  int k_;
};

}  // namespace tacit::actions
