// How long an arm's next phase lasts.
#pragma once

#include "tacit/core/round.hpp"

namespace tacit::estimators {

class PhaseSchedule {
 public:
  /// 1, 2, 4, 8, ... observations.
  static PhaseSchedule doubling() { return PhaseSchedule(Kind::kDoubling, 1, 2); }
  /// The arm's total after each phase is `first` (> 0, rounded up), then grows by `growth` (> 1):
  /// lengths 1, 1, 2, 4, ... for (1, 2).
  static PhaseSchedule cumulative(double first, double growth);

  /// `length` (>= 1) observations, always.
  static PhaseSchedule constant(Round length) { return PhaseSchedule(Kind::kConstant, length, 1); }

  /// Length of phase r = 0, 1, ... of an arm observed `so_far` times in earlier phases; at least 1.
  Round length(Round phase, Round so_far) const noexcept;

 private:
  enum class Kind { kDoubling, kCumulative, kConstant };
  PhaseSchedule(Kind kind, Round first, double growth)
      : kind_(kind), first_(first), growth_(growth) {}

  Kind kind_;
  Round first_;
  double growth_;
};

}  // namespace tacit::estimators
