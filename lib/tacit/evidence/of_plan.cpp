#include "tacit/evidence/of_plan.hpp"

#include "tacit/privacy/grid.hpp"

namespace tacit::evidence {
namespace {

using Law = std::optional<ReleaseLaw>;

Law of(const curators::PhasePlan& plan) {
  return ReleaseLaw{.noise = laplace_of_either(plan.scale)};
}
Law of(const curators::NoisySumsPlan& plan) {
  return ReleaseLaw{.noise = laplace_of_either(plan.scale)};
}
Law of(const curators::ExactPlan&) { return ReleaseLaw{}; }
Law of(const curators::ResponsePlan& plan) { return ReleaseLaw::responses(plan.epsilon); }
Law of(const curators::LaplaceReportPlan& plan) {
  return ReleaseLaw{.noise = laplace_of_either(plan.scale), .noise_a_report = true};
}
Law of(const curators::GaussianReportPlan& plan) {
  const privacy::Grid grid = privacy::Grid::for_scale(plan.sigma);
  return ReleaseLaw{.noise = NoiseLaw::gaussian(grid.actual_scale(), grid.step()),
                    .noise_a_report = true};
}
Law of(const curators::RawStartPlan&) { return {}; }
Law of(const curators::CounterPlan&) { return {}; }
Law of(const curators::TreePlan&) { return {}; }
Law of(const curators::IntervalPlan&) { return {}; }
Law of(const curators::NoisyLeaderPlan&) { return {}; }
Law of(const curators::StopReportPlan&) { return {}; }
Law of(const curators::OpenStopPlan&) { return {}; }

}  // namespace

NoiseLaw laplace_of_either(double scale) {
  const privacy::Grid grid = privacy::Grid::for_scale(scale);
  return NoiseLaw::discrete_laplace(grid.actual_scale(), grid.step());
}

std::optional<ReleaseLaw> law_of(const curators::Plan& plan) {
  return std::visit([](const auto& one) { return of(one); }, plan);
}

}  // namespace tacit::evidence
