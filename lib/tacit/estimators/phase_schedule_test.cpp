#include "tacit/estimators/phase_schedule.hpp"

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::estimators {
namespace {

TEST(PhaseSchedule, Doubles) {
  const auto schedule = PhaseSchedule::doubling();
  EXPECT_EQ(schedule.length(0, 0), 1);
  EXPECT_EQ(schedule.length(3, 7), 8);
  EXPECT_EQ(schedule.length(60, kLastRound), kLastRound);
}

TEST(PhaseSchedule, GrowsTheTotal) {
  const auto schedule = PhaseSchedule::cumulative(1, 2);
  EXPECT_EQ(schedule.length(0, 0), 1);
  EXPECT_EQ(schedule.length(1, 1), 1);
  EXPECT_EQ(schedule.length(2, 2), 2);
  EXPECT_EQ(schedule.length(3, 4), 4);
  EXPECT_EQ(PhaseSchedule::cumulative(7, 1.5).length(1, 7), 4);
  EXPECT_EQ(PhaseSchedule::cumulative(1, 1.01).length(1, 1), 1);
  EXPECT_THROW(PhaseSchedule::cumulative(0, 2), InvalidParameter);
  EXPECT_THROW(PhaseSchedule::cumulative(1, 1), InvalidParameter);
}

TEST(PhaseSchedule, OutlastsEveryHorizonInsteadOfOverflowing) {
  EXPECT_EQ(PhaseSchedule::cumulative(1e300, 2).length(0, 0), kLastRound);
  EXPECT_EQ(PhaseSchedule::cumulative(1, 1000).length(5, kLastRound), kLastRound);
}

TEST(PhaseSchedule, StaysTheSame) {
  const auto schedule = PhaseSchedule::constant(3);
  EXPECT_EQ(schedule.length(0, 0), 3);
  EXPECT_EQ(schedule.length(Round{1} << 40, kLastRound), 3);
}

}  // namespace
}  // namespace tacit::estimators
