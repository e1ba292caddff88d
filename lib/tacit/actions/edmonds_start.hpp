// Which arms to play together so that all were played after the fewest rounds, when some were never observed.
//
// A partition of all arms into the fewest independent sets (matroid_partition.hpp) is made once. As long as its sets, without
// what was observed, are as few as those of any partition of the unobserved arms, the first of them comes next. They
// always are when all arms were eligible so far: the arms X that prove the number of sets lose at most rank(X) a round,
// so they prove it for the rest. Else a partition of the unobserved arms is made. What comes next is a function of the
// unobserved arms alone.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tacit/actions/matroid.hpp"
#include "tacit/actions/matroid_partition.hpp"
#include "tacit/core/per_arm.hpp"

namespace tacit::actions {

/// Belongs to one oracle.
class EdmondsStart {
 public:
  EdmondsStart(std::shared_ptr<const Matroid> matroid, std::shared_ptr<const Partition> of_all);

  bool is_loop(Arm arm) const noexcept;
  /// Of unobserved arms that are no loops, at least one: an independent set without which the others need fewer rounds.
  /// Valid until the next call.
  std::span<const Arm> next(std::span<const Arm> unobserved);

 private:
  bool proves(const std::vector<Arm>& arms, int sets);

  std::shared_ptr<const Matroid> matroid_;
  std::shared_ptr<const Partition> of_all_;
  std::unique_ptr<IndependentSet> test_;
  PerArm<int> set_of_;
  std::vector<Arm> unobserved_;  // when next() was last asked
  std::vector<Arm> next_;
};

}  // namespace tacit::actions
