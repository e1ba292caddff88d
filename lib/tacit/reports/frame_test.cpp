#include "tacit/reports/frame.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/reports/ticks.hpp"

namespace tacit::reports {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Series measured(Course course, const std::vector<Point>& points) {
  Series series;
  series.course = course;
  series.points = points;
  return series;
}

Series upper_bound(const std::vector<Point>& points) {
  Series series = measured(Course::kOverRounds, points);
  series.origin = Origin::kBound;
  return series;
}

TEST(Frame, PixelsGoThereAndBack) {
  for (const bool log : {false, true}) {
    const Frame frame{{log, log}, {1, 1000}, {0.1, 10}, 300, 200};
    const Pixel pixel = frame.pixel(10, 1);
    EXPECT_NEAR(frame.x_of(pixel), 10, 1e-9);
    EXPECT_NEAR(frame.y_of(pixel), 1, 1e-9);
    EXPECT_NEAR(frame.pixel(1, 0.1).x, 0, 1e-9);
    EXPECT_NEAR(frame.pixel(1000, 10).y, 200, 1e-9);
  }
  const Frame log{{true, true}, {1, 1000}, {0.1, 10}, 300, 200};
  EXPECT_NEAR(log.pixel(10, 1).x, 100, 1e-9);
  EXPECT_FALSE(log.can_show({0, 1, 0, 0}));
  EXPECT_FALSE(log.can_show({1, -1, 0, 0}));
  EXPECT_FALSE(log.can_show({1, kNone, 0, 0}));
  EXPECT_TRUE(log.can_show({1, 1, kNone, kNone}));
}

TEST(Frame, BeginsLateOnlyOnALogarithmicAxis) {
  Figure figure;
  figure.from = 100;
  const Panel panel{"", {measured(Course::kOverRounds, {{1, 1, 1, 1}, {1000, 50, 49, 51}})}};
  EXPECT_EQ(frame_of(figure, panel, {true, false}, 1, 1).x.low, 100);
  EXPECT_EQ(frame_of(figure, panel, {false, false}, 1, 1).x.low, 0);
  EXPECT_EQ(frame_of(figure, panel, {true, false}, 1, 1).x.high, 1000);
  figure.from = 1e6;
  EXPECT_EQ(frame_of(figure, panel, {true, false}, 1, 1).x.low, 1) << "all rounds are before";
}

TEST(Frame, HasRoomForTheBoxOfACurveThatSettlesAndNotForAllOfAPower) {
  Figure figure;
  const Panel curves{"", {measured(Course::kOverRounds, {{1, 1, 1, 1}, {1000, 50, 50, 50}})}};
  for (const Course course : {Course::kOverRounds, Course::kSwept}) {
    Panel with_fit = curves;
    Series fit = measured(course, {{100, 90, kNone, kNone}, {1000, 90, kNone, kNone}});
    fit.origin = Origin::kFit;
    with_fit.series.push_back(fit);
    const double top = frame_of(figure, with_fit, {true, false}, 1, 1).y.high;
    EXPECT_EQ(top > 90, course == Course::kOverRounds);
  }
}

TEST(Frame, LeavesBoundsToTheRowThatHasRoomForThem) {
  Figure figure;
  const Panel panel{"",
                    {measured(Course::kOverRounds, {{1, 1, 1, 1}, {1000, 50, 49, 51}}),
                     upper_bound({{1, 500, kNone, kNone}, {1000, 9000, kNone, kNone}})}};
  EXPECT_GE(frame_of(figure, panel, {}, 1, 1).y.high, 9000) << "there is no other row";
  figure.also = Scales{true, true};
  EXPECT_LT(frame_of(figure, panel, {}, 1, 1).y.high, 60);
  EXPECT_GE(frame_of(figure, panel, *figure.also, 1, 1).y.high, 9000);
}

TEST(Frame, IsNotBlownUpByAnInterval) {
  const Figure figure;
  const Panel panel{"", {measured(Course::kOverRounds, {{1, 10, 9, 11}, {100, 50, -900, 1000}})}};
  const Frame linear = frame_of(figure, panel, {}, 1, 1);
  EXPECT_EQ(linear.y.low, 0) << "regret is not below 0";
  EXPECT_LT(linear.y.high, 70);
  const Frame log = frame_of(figure, panel, {false, true}, 1, 1);
  EXPECT_GT(log.y.low, 4);
  EXPECT_LT(log.y.high, 120);
}

TEST(Frame, HasRoomForOneValueAndForNone) {
  const Figure figure;
  for (const Scales& scales : {Scales{}, Scales{true, true}}) {
    for (const Panel& panel : {Panel{"", {measured(Course::kSwept, {{2, 3, 3, 3}})}}, Panel{}}) {
      const Frame frame = frame_of(figure, panel, scales, 10, 10);
      EXPECT_LT(frame.x.low, frame.x.high);
      EXPECT_LT(frame.y.low, frame.y.high);
      EXPECT_FALSE(y_ticks(frame).empty());
    }
  }
}

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> all;
  for (const Tick& tick : ticks) {
    if (!tick.label.empty()) all.push_back(tick.label);
  }
  return all;
}
using Labels = std::vector<std::string>;

TEST(Ticks, AreFewRoundAndShort) {
  EXPECT_EQ(labels(linear_ticks({0, 2})), (Labels{"0", "0.5", "1", "1.5", "2"}));
  EXPECT_EQ(labels(linear_ticks({0, 1e6})), (Labels{"0", "0.2M", "0.4M", "0.6M", "0.8M", "1M"}));
  EXPECT_EQ(labels(linear_ticks({0, 11000})), (Labels{"0", "2k", "4k", "6k", "8k", "10k"}));
  EXPECT_EQ(labels(linear_ticks({-3, 2})), (Labels{"-3", "-2", "-1", "0", "1", "2"}));
  EXPECT_EQ(labels(logarithmic_ticks({1000, 1e6})),
            (Labels{"10^{3}", "10^{4}", "10^{5}", "10^{6}"}));
  EXPECT_EQ(labels(logarithmic_ticks({1300, 30000})), (Labels{"2000", "5000", "10k", "20k"}));
  EXPECT_EQ(labels(logarithmic_ticks({100, 210})).size(), 6U) << "less than a decade";
  EXPECT_LE(labels(logarithmic_ticks({1, 1e12})).size(), 7U);
}

}  // namespace
}  // namespace tacit::reports
