#include "tacit/devices/report_device.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/random/secure.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::devices {
namespace {

using accounting::Notes;
using privacy::RandomizedResponse;
using privacy::Secret;
using random::SimulationStream;

SimulationStream stream(std::uint64_t run = 0) {
  return random::SimulationKey(1, "devices", "test", run).stream(random::Purpose::kRounding);
}
Secret<Outcome> outcome(double x) { return Secret<Outcome>(Outcome::nearest(x)); }

TEST(ReportDevice, OfABaselineReportsTheOutcomeItself) {
  ReportDevice<ExactReport, SimulationStream> device({}, stream(), Notes());
  EXPECT_EQ(device.report(1, outcome(0.25)).value(), 0.25);
  EXPECT_EQ(device.report(1, outcome(1)).value(), 1);
  EXPECT_EQ(device.report(0, outcome(0)).value(), 0);
  EXPECT_EQ(device.generator().used(), 0U) << "and throws no coin";
}

TEST(ReportDevice, OfABaselineReportsASumThatIsOneOutcome) {
  using Device = ReportDevice<ExactReport, SimulationStream>;
  EXPECT_EQ(Device::report_sum_of_one(2, Secret<Sum>(Sum(Outcome::nearest(0.25)))).value(), 0.25);
}

TEST(ReportDevice, OfABaselineProtectsNothing) {
  accounting::Ledger ledger;
  ReportDevice<ExactReport, SimulationStream> device({}, stream(), Notes(&ledger));
  device.report(0, outcome(0.5));
  EXPECT_EQ(ledger.worst_epsilon(), std::numeric_limits<double>::infinity());
}

TEST(ReportDevice, RoundsToABitThatIsRightOnAverage) {
  constexpr int kUsers = 100000;
  for (const double mean : {0.0, 0.3, 1.0}) {
    ReportDevice<ExactBit, SimulationStream> device({}, stream(), Notes());
    double ones = 0;
    for (int user = 0; user < kUsers; ++user) {
      const double bit = device.report(0, outcome(mean)).value();
      ASSERT_TRUE(bit == 0 || bit == 1) << bit;
      ones += bit;
    }
    EXPECT_LE(std::abs(ones - kUsers * mean), testing::two_sided_z(testing::kFamilyError / 10) *
                                                  std::sqrt(kUsers * mean * (1 - mean)));
  }
}

TEST(ReportDevice, ReportsOneBitUnderRandomisedResponse) {
  constexpr int kUsers = 100000;
  const RandomizedResponse response(0.5);
  for (const double mean : {0.0, 0.3, 1.0}) {
    ReportDevice<RandomizedResponse, SimulationStream> device(response, stream(1), Notes());
    double ones = 0;
    for (int user = 0; user < kUsers; ++user) {
      const double bit = device.report(0, outcome(mean)).value();
      ASSERT_TRUE(bit == 0 || bit == 1) << bit;
      ones += bit;
    }
    const double p = response.reported_mean(mean);
    EXPECT_LE(std::abs(ones - kUsers * p),
              testing::two_sided_z(testing::kFamilyError / 10) * std::sqrt(kUsers * p * (1 - p)));
  }
}

TEST(ReportDevice, ChargesEveryUserForOneReport) {
  accounting::Ledger ledger;
  ReportDevice<RandomizedResponse, SimulationStream> device(RandomizedResponse(0.5), stream(),
                                                            Notes(&ledger));
  for (Round t = 1; t <= 10; ++t) {
    ledger.set_round(t);
    device.report(0, outcome(1));
  }
  ASSERT_EQ(ledger.reports().size(), 1U);
  EXPECT_EQ(ledger.reports().begin()->second.count, 10);
  EXPECT_DOUBLE_EQ(ledger.worst_epsilon(), 0.5);
}

TEST(ReportDevice, ShowsWhatItReports) {
  accounting::Transcript transcript;
  accounting::Ledger ledger(&transcript);
  ReportDevice<privacy::Laplace, SimulationStream> device(privacy::Laplace(2), stream(),
                                                          Notes(&ledger));
  const double report = device.report(3, outcome(0.5)).value();
  ASSERT_EQ(transcript.shown.size(), 1U);
  EXPECT_EQ(transcript.shown[0].arm, 3);
  EXPECT_EQ(transcript.shown[0].value, report);
}

TEST(ReportDevice, GoesOnWithItsStream) {
  ReportDevice<privacy::Laplace, SimulationStream> device(privacy::Laplace(2), stream(), Notes());
  ReportDevice<privacy::Laplace, SimulationStream> again(privacy::Laplace(2), stream(), Notes());
  for (int i = 0; i < 5; ++i) device.report(0, outcome(0.5));
  again.generator().skip_to(device.generator().used());
  EXPECT_EQ(again.report(0, outcome(0.5)).value(), device.report(0, outcome(0.5)).value());
}

TEST(ReportDevice, OfAUserDrawsSecureRandomness) {
  random::SecureSource source;
  ReportDevice<privacy::ExactLaplace, random::SecureSource&> device(privacy::ExactLaplace(1e-6),
                                                                    source, Notes());
  EXPECT_NEAR(device.report(0, outcome(0.5)).value(), 0.5, 1e-4);
  EXPECT_EQ(&device.generator(), &source) << "the source itself, never a copy";
}

TEST(StopDevice, ReportsANumberForEveryPositionAndChargesForOneStop) {
  constexpr int kPositions = 4;
  accounting::Transcript transcript;
  accounting::Ledger shown(&transcript);
  accounting::Ledger ledger;
  for (accounting::Ledger* notes : {&shown, &ledger}) {
    StopDevice<privacy::StopResponse, SimulationStream> device(
        privacy::StopResponse(0.5, kPositions), stream(), Notes(notes));
    EXPECT_EQ(device.report(Secret<Stop>(Stop{2})).size(), std::size_t{kPositions});
  }
  EXPECT_EQ(transcript.shown.size(), std::size_t{kPositions});
  EXPECT_EQ(transcript.shown[0].arm, kAllArms);
  EXPECT_NEAR(ledger.worst_epsilon(), 0.5, 1e-9);
}

TEST(StopDevice, IsUnbiasedForStoppedHere) {
  constexpr int kPositions = 3;
  constexpr int kUsers = 100000;
  const double z = testing::two_sided_z(testing::kFamilyError / 100);
  for (int stop = 0; stop <= kPositions; ++stop) {
    StopDevice<privacy::StopResponse, SimulationStream> device(
        privacy::StopResponse(1, kPositions), stream(static_cast<std::uint64_t>(stop)), Notes());
    std::vector<double> sums(kPositions);
    std::vector<double> squares(kPositions);
    for (int user = 0; user < kUsers; ++user) {
      const auto report = device.report(Secret<Stop>(Stop{stop}));
      for (std::size_t k = 0; k < kPositions; ++k) {
        sums[k] += report[k].value();
        squares[k] += report[k].value() * report[k].value();
      }
    }
    for (std::size_t k = 0; k < kPositions; ++k) {
      const double mean = sums[k] / kUsers;
      const double error = std::sqrt((squares[k] / kUsers - mean * mean) / kUsers);
      EXPECT_NEAR(mean, static_cast<int>(k) == stop ? 1 : 0, z * error) << stop << " " << k;
    }
  }
}

}  // namespace
}  // namespace tacit::devices
