// Public bookkeeping of arms whose every outcome is reported: reports added up, as they come in.
#pragma once

#include "tacit/core/per_arm.hpp"
#include "tacit/core/slot.hpp"
#include "tacit/estimators/estimate.hpp"

namespace tacit::estimators {

class ReportBook {
 public:
  using Memory = Estimate;
  static constexpr bool kChangesEveryRound = true;

  explicit ReportBook(int arms) : arms_(arms) {}

  int arms() const noexcept { return arms_.arms(); }
  /// Reports have no phases: the slot only names the arm.
  Slot slot(Arm arm) const noexcept { return {arm, 0}; }
  const Estimate& released(Arm arm) const noexcept { return arms_[arm]; }
  double expected_n(Arm arm) const noexcept { return arms_[arm].n; }
  Round under_way(Arm) const noexcept { return 0; }

  void add(Arm arm, double report) noexcept {
    Estimate& estimate = arms_[arm];
    estimate.sum += report;
    estimate.n += 1;
  }
  /// An estimate from elsewhere, before the first report.
  void start(Arm arm, const Estimate& estimate) noexcept { arms_[arm] = estimate; }

  template <class Archive>
  void state(Archive& archive) {
    archive(arms_);
  }

 private:
  PerArm<Estimate> arms_;
};

}  // namespace tacit::estimators
