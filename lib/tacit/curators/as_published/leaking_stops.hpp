// What "Cascading bandit under differential privacy" (Wang, Dong, Wang, Li & Shao) prints: noise on every
// observation of an item that was, in the clear, examined. Kept to show what it leaks.
#pragma once

#include "tacit/curators/opened_stops.hpp"

namespace tacit::curators {

class LeakingStops {
 public:
  LeakingStops(const LeakingStopPlan& plan, int items, const SimulatedReleases& releases,
               const random::SimulationStream& devices)
      : releases_(releases), devices_(devices), noise_(make(plan, items, releases.noise())) {}

  static privacy::Released<double> open(Arm, const privacy::Secret<Outcome>& outcome) {
    return privacy::Exact::release(privacy::Secret<Outcome>(privacy::declassify(outcome).value()));
  }
  std::vector<privacy::Released<double>> report(std::span<const Arm> list,
                                                const privacy::Secret<Stop>& stop) {
    const int position = privacy::declassify(stop).value().position;
    const int examined = std::min(position + 1, static_cast<int>(list.size()));
    std::vector<privacy::Released<double>> reports;
    for (int k = 0; k < examined; ++k) {
      const Arm item = list[static_cast<std::size_t>(k)];
      const Outcome click = Outcome::bit(k == position);
      reports.push_back(std::visit([&](auto& noise) { return noisy(noise, item, click); }, noise_));
    }
    return reports;
  }

 private:
  using HybridSums = PerArm<HybridSum<privacy::SimulatedNoise>>;
  using Noise = std::variant<privacy::Laplace, privacy::Gaussian, HybridSums>;

  static Noise make(const LeakingStopPlan& plan, int items, const privacy::SimulatedNoise& noise) {
    switch (plan.noise) {
      case LeakingStopPlan::Noise::kLaplace: return noise.laplace(plan.scale);
      case LeakingStopPlan::Noise::kGaussian:
        return privacy::Gaussian(plan.scale, plan.delta, noise.arithmetic());
      case LeakingStopPlan::Noise::kHybrid: break;
    }
    HybridSums sums;
    for (Arm item = 0; item < items; ++item) sums.push_back({plan.scale, item});
    return sums;
  }

  template <class Mechanism>
  privacy::Released<double> noisy(const Mechanism& noise, Arm item, Outcome click) {
    const auto report = noise.report(privacy::Secret<Outcome>(click), devices_);
    releases_.show(item, report.value());
    releases_.note_report(noise, privacy::kOneOutcome);
    return report;
  }
  /// A counter's report is its running sum.
  privacy::Released<double> noisy(HybridSums& sums, Arm item, Outcome click) {
    return sums[item].add(privacy::Secret<Sum>(Sum(click)), releases_).value;
  }

  SimulatedReleases releases_;
  random::SimulationStream devices_;
  Noise noise_;
};

}  // namespace tacit::curators
