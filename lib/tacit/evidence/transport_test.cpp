#include "tacit/evidence/transport.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tacit::evidence {
namespace {

TEST(Transport, IsTheSquareOfTheGapOverItsVariance) {
  // 0.2^2/(2/4 (1/100 + 1/50)) = 0.04/0.015
  EXPECT_DOUBLE_EQ(Transport{}.cost(0.2, 100, 50), 8.0 / 3);
  EXPECT_DOUBLE_EQ(Transport{.sigma = 1}.cost(0.2, 100, 50), 2.0 / 3);
  EXPECT_EQ(Transport{}.cost(-0.2, 100, 50), 0);
  EXPECT_EQ(Transport{}.cost(0, 100, 50), 0);
}

TEST(Transport, GrowsNoFasterThanTheGapAboveTheCap) {
  const Transport capped{.cap = 0.3};
  EXPECT_EQ(capped.cost(0.2, 100, 50), Transport{}.cost(0.2, 100, 50));
  // 0.6 0.3/0.015
  EXPECT_DOUBLE_EQ(capped.cost(0.6, 100, 50), 12);
}

/// Minimised apart, by another program, with zeta summed to 4000 terms.
TEST(Transport, CalibrationIsThatOfKaufmannAndKoolenAndNeverLess) {
  struct Case {
    double x;
    double c;
  };
  for (const Case& known : {Case{0.5, 1.9641236}, Case{2, 3.5829302}, Case{5, 6.7573201},
                            Case{10, 11.9546463}, Case{50, 52.5888796}}) {
    EXPECT_GE(calibrated(known.x), known.c - 1e-6) << known.x;
    EXPECT_LE(calibrated(known.x), known.c + 0.005) << known.x;
  }
  EXPECT_GT(calibrated(2), 2 + std::log(2)) << "what papers write is no bound here";
}

TEST(Transport, LevelsOfReports) {
  // Five arms, error 0.01: 2 C(ln(400)/2) = 9.28767; 2 ln(4 + ln 64) and 2 ln(4 + ln 32) make it 17.50654.
  const ReportLevel proven(Threshold::kProven, 5, 0.01);
  EXPECT_NEAR(proven.constant() + proven.part(64) + proven.part(32), 17.50654, 0.01);
  // ln 100 + ln(1 + ln 64) + ln(1 + ln 32)
  const ReportLevel heuristic(Threshold::kHeuristic, 5, 0.01);
  EXPECT_NEAR(heuristic.constant() + heuristic.part(64) + heuristic.part(32), 7.742324, 1e-6);
}

TEST(Transport, LevelsOfPhases) {
  // Phases 8 and 7 of 64 and 32, epsilon 1/2: d = 0.01/(2 zeta(2)^2 8^2 7^2), twice the level of reports for d, and
  // ln^2(2 5 zeta(2) 8^2/0.01)/(64/16) + ln^2(2 5 zeta(2) 7^2/0.01)/(32/16).
  const PhaseLevel proven(Threshold::kProven, 5, 0.01, 0.5);
  EXPECT_NEAR(proven.of({64, 8}, {32, 7}), 152.6668, 0.02);
  EXPECT_EQ(proven.transport().sigma, 0.5);
  // What reports need, and (1/64 + 1/32) ln^2(100)/0.5^2.
  const PhaseLevel heuristic(Threshold::kHeuristic, 5, 0.01, 0.5);
  EXPECT_NEAR(heuristic.of({64, 8}, {32, 7}), 11.718748, 1e-6);
  EXPECT_EQ(heuristic.transport().sigma, 1);
}

}  // namespace
}  // namespace tacit::evidence
