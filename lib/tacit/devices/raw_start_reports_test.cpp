#include "tacit/devices/as_published/raw_start_reports.hpp"

#include <gtest/gtest.h>

namespace tacit::devices {
namespace {

TEST(RawStartReports, AreRawBeforeTheFirstRoundAndNoisyAfter) {
  accounting::Transcript transcript;
  accounting::Ledger ledger(&transcript);
  curators::RawStartPlan plan;
  plan.sigma = 3;
  plan.delta = 1e-6;
  plan.arms = 2;
  RawStartReports reports(
      plan, privacy::Arithmetic::kIdealised,
      random::SimulationKey(1, "raw", "start", 0).stream(random::Purpose::kRounding),
      accounting::Notes(&ledger));
  const privacy::Secret<Outcome> outcome(Outcome::nearest(0.25));
  EXPECT_EQ(reports.open(1, outcome).value(), 0.25);
  const double report = reports.report(1, outcome).value();
  EXPECT_NE(report, 0.25);
  ASSERT_EQ(transcript.shown.size(), 2U);
  EXPECT_EQ(transcript.shown[0].value, 0.25);
  EXPECT_EQ(transcript.shown[1].value, report);
  EXPECT_EQ(
      plan.guarantee({privacy::kOneOutcome, "one outcome"}, privacy::Arithmetic::kIdealised).notion,
      privacy::Notion::kNone);
}

}  // namespace
}  // namespace tacit::devices
