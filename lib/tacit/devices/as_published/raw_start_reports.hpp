// As published: Gaussian reports after one raw outcome of every arm. Kept to show what it leaks.
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/devices/report_device.hpp"
#include "tacit/privacy/gaussian.hpp"

namespace tacit::devices {

class RawStartReports {
 public:
  RawStartReports(const curators::RawStartPlan& plan, privacy::Arithmetic arithmetic,
                  const random::SimulationStream& generator, const accounting::Notes& notes)
      : device_(privacy::Gaussian(plan.sigma, plan.delta, arithmetic), generator, notes),
        notes_(notes) {}

  privacy::Released<double> open(Arm arm, const privacy::Secret<Outcome>& outcome) const {
    const Outcome raw = privacy::declassify(outcome).value();
    notes_.show(arm, raw.value());
    return privacy::Exact::release(privacy::Secret<Outcome>(raw));
  }
  privacy::Released<double> report(Arm arm, const privacy::Secret<Outcome>& outcome) {
    return device_.report(arm, outcome);
  }

 private:
  ReportDevice<privacy::Gaussian, random::SimulationStream> device_;
  accounting::Notes notes_;
};

}  // namespace tacit::devices
