// What is seen of stops that are opened: by baselines, and by policies as they were published.
#include "tacit/curators/opened_stops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tacit/curators/as_published/leaking_stops.hpp"
#include "tacit/curators/curators_test.hpp"
#include "tacit/feedback/feedback.hpp"

namespace tacit::curators {
namespace {

const std::vector<Arm> kList{4, 2, 7};
constexpr int kItems = 8;

privacy::Secret<Stop> stop(int position) { return privacy::Secret<Stop>(Stop{position}); }
privacy::Secret<Outcome> raw(double x) { return privacy::Secret<Outcome>(Outcome::nearest(x)); }
random::SimulationStream devices() { return key().stream(random::Purpose::kRounding); }

std::vector<double> values_of(const std::vector<privacy::Released<double>>& released) {
  std::vector<double> values;
  for (const auto& value : released) values.push_back(value.value());
  return values;
}

TEST(OpenStops, TellEveryItemUpToTheClick) {
  OpenStops stops({}, kItems, simulated(), devices());
  EXPECT_EQ(values_of(stops.report(kList, stop(0))), (std::vector<double>{1}));
  EXPECT_EQ(values_of(stops.report(kList, stop(1))), (std::vector<double>{0, 1}));
  EXPECT_EQ(values_of(stops.report(kList, stop(2))), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(values_of(stops.report(kList, stop(3))), (std::vector<double>{0, 0, 0})) << "no click";
  EXPECT_TRUE(stops.report({}, stop(0)).empty());
  EXPECT_EQ(stops.open(3, raw(0.25)).value(), 0.25);
}

TEST(OpenStops, ProtectNothing) {
  const auto g = OpenStopPlan().guarantee({feedback::Cascade::sensitivity(3), "a stop"},
                                          privacy::Arithmetic::kIdealised);
  EXPECT_EQ(g.notion, privacy::Notion::kNone);
}

LeakingStopPlan leaking(LeakingStopPlan::Noise noise, double scale) {
  LeakingStopPlan plan;
  plan.noise = noise;
  plan.scale = scale;
  plan.delta = 1e-6;
  return plan;
}

TEST(LeakingStops, TellTheStopByTheLengthOfTheReportWhateverTheNoise) {
  using Noise = LeakingStopPlan::Noise;
  for (const Noise noise : {Noise::kLaplace, Noise::kGaussian, Noise::kHybrid}) {
    LeakingStops stops(leaking(noise, 5), kItems, simulated(), devices());
    for (const int position : {0, 1, 2}) {
      const auto report = values_of(stops.report(kList, stop(position)));
      EXPECT_EQ(report.size(), static_cast<std::size_t>(position) + 1);
      EXPECT_NE(report.back(), 1) << "there is noise on it";
    }
    EXPECT_EQ(stops.report(kList, stop(3)).size(), 3U);
    EXPECT_EQ(stops.open(0, raw(0.25)).value(), 0.25) << "the first one is raw";
    const auto g = guarantee(leaking(noise, 5), {feedback::Cascade::sensitivity(3), "a stop"},
                             privacy::Arithmetic::kIdealised);
    EXPECT_EQ(g.notion, privacy::Notion::kNone);
  }
}

TEST(LeakingStops, ReportClicksUnderNoiseOrTheirRunningSum) {
  using Noise = LeakingStopPlan::Noise;
  LeakingStops single(leaking(Noise::kLaplace, kTiny), kItems, simulated(), devices());
  LeakingStops running(leaking(Noise::kHybrid, kTiny), kItems, simulated(), devices());
  for (int n = 1; n <= 20; ++n) {
    const auto report = values_of(single.report(kList, stop(1)));
    EXPECT_NEAR(report[0], 0, 1e-6);
    EXPECT_NEAR(report[1], 1, 1e-6);
    const auto sums = values_of(running.report(kList, stop(1)));
    EXPECT_NEAR(sums[0], 0, 1e-5);
    EXPECT_NEAR(sums[1], n, 1e-5);
  }
}

}  // namespace
}  // namespace tacit::curators
