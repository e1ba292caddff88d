// What a device lets out costs its user what the plan says: the plan's number reaches the mechanism as it is.
#include "tacit/devices/of_plan.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tacit/accounting/ledger.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/random/secure.hpp"

namespace tacit::devices {
namespace {

random::SimulationStream stream() {
  return random::SimulationKey(1, "devices", "of a plan", 0).stream(random::Purpose::kRounding);
}

template <class Device>
void report_once(Device device) {
  if constexpr (requires(const privacy::Secret<Stop>& stop) { device.report(stop); }) {
    device.report(privacy::Secret<Stop>(Stop{1}));
  } else {
    device.report(2, privacy::Secret<Outcome>(Outcome::nearest(1)));
  }
}

double paid(const accounting::Ledger& ledger) {
  EXPECT_EQ(ledger.reports().size(), 1U);
  return ledger.reports().begin()->second.cost.epsilon;
}

template <class Plan>
void expect_the_cost(const Plan& plan, const privacy::Sensitivity& of_a_round, double delta = 0) {
  const curators::Movement movement{of_a_round, "one report,"};
  for (const auto arithmetic : {privacy::Arithmetic::kIdealised, privacy::Arithmetic::kExact}) {
    accounting::Ledger ledger;
    report_once(device_of(plan, User<random::SimulationStream, SimulatedMechanisms>{
                                    {arithmetic}, stream(), accounting::Notes(&ledger)}));
    const privacy::Guarantee promised = plan.guarantee(movement, arithmetic);
    EXPECT_DOUBLE_EQ(paid(ledger), promised.epsilon);
    EXPECT_EQ(promised.delta, delta);
  }
  random::SecureSource source;
  accounting::Ledger ledger;
  report_once(device_of(
      plan, User<random::SecureSource&, SecureMechanisms>{{}, source, accounting::Notes(&ledger)}));
  EXPECT_DOUBLE_EQ(paid(ledger), plan.guarantee(movement, privacy::Arithmetic::kExact).epsilon);
}

TEST(DeviceOf, APlanCostsWhatThePlanSays) {
  for (const double epsilon : {0.25, 1.0, 3.0}) {
    expect_the_cost(curators::ResponsePlan{epsilon}, privacy::kOneOutcome);
    expect_the_cost(curators::LaplaceReportPlan{1 / epsilon}, privacy::kOneOutcome);
    expect_the_cost(curators::GaussianReportPlan{5 / epsilon, 1e-6}, privacy::kOneOutcome, 1e-6);
    for (const int positions : {1, 4, 30}) {
      expect_the_cost(curators::StopReportPlan{epsilon, positions},
                      feedback::Cascade::sensitivity(positions));
    }
  }
}

TEST(DeviceOf, ABaselineProtectsNobody) {
  using Simulated = User<random::SimulationStream, SimulatedMechanisms>;
  accounting::Ledger ledger;
  const Simulated user{{privacy::Arithmetic::kExact}, stream(), accounting::Notes(&ledger)};
  auto device = device_of(curators::ExactPlan{}, user);
  EXPECT_EQ(device.report(0, privacy::Secret<Outcome>(Outcome::nearest(0.25))).value(), 0.25);
  EXPECT_EQ(paid(ledger), std::numeric_limits<double>::infinity());
  EXPECT_FALSE((ReportedPlan<curators::RawStartPlan, Simulated>)) << "it starts from raw outcomes";
  EXPECT_FALSE((ReportedPlan<curators::PhasePlan, Simulated>)) << "it is summed";
  EXPECT_FALSE((ReportedPlan<curators::OpenStopPlan, Simulated>)) << "it opens stops";
}

}  // namespace
}  // namespace tacit::devices
