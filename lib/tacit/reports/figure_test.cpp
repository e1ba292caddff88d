#include "tacit/reports/figure.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/reports/sample_curves_test.hpp"

namespace tacit::reports {
namespace {

using theory::Kind;
using theory::Side;

TEST(Figure, OverRoundsHasALineACurveAndAPanelAnEpsilon) {
  const std::vector<Curve> curves{
      curve({.policy = "base", .epsilon = {}, .runs = around(5), .guarantee_of_epsilon = 0}),
      curve({.policy = "mine", .epsilon = 0.5, .runs = around(20)}),
      curve({.policy = "mine", .epsilon = 1, .runs = around(10)})};
  FigureRequest request;
  request.name = "f";
  request.panels = Panels::kEpsilon;
  const Figure figure = make_figure(request, curves);
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(figure.panels[0].title, "ε = 0.5");
  ASSERT_EQ(figure.panels[1].series.size(), 2U) << "baselines are in every panel";
  const Series& base = figure.panels[1].series[0];
  const Series& mine = figure.panels[1].series[1];
  EXPECT_EQ(base.label, "base (not private)");
  EXPECT_EQ(base.origin, Origin::kMeasured);
  EXPECT_FALSE(base.is_private);
  EXPECT_EQ(mine.label, "mine (central ε)");
  EXPECT_TRUE(mine.is_private);
  EXPECT_EQ(mine.look.colour, figure.panels[0].series[1].look.colour);
  EXPECT_EQ(mine.look.mark, figure.panels[0].series[1].look.mark);
  ASSERT_EQ(mine.points.size(), 2U);
  EXPECT_EQ(mine.points[1].x, 100);
  EXPECT_NEAR(mine.points[1].y, 10, 1e-12);
  EXPECT_LT(mine.points[1].lo, 10);
  EXPECT_GT(mine.points[1].hi, 10);
}

TEST(Figure, TellsMultiplesOfEpsilon) {
  const std::vector<Curve> curves{
      curve({.policy = "twice", .epsilon = 0.5, .runs = around(1), .guarantee_of_epsilon = 2}),
      curve({.policy = "twice", .epsilon = 1, .runs = around(1), .guarantee_of_epsilon = 2})};
  FigureRequest request;
  request.panels = Panels::kEpsilon;
  EXPECT_EQ(make_figure(request, curves).panels[0].series[0].label, "twice (central 2 ε)");
  request.panels = Panels::kOne;
  EXPECT_EQ(make_figure(request, curves).panels[0].series[0].label, "twice (central 1)");
}

TEST(Figure, TellsTheRangeOfWhatIsNoMultiple) {
  const std::vector<Curve> curves{
      curve({.policy = "odd", .epsilon = 0.5, .runs = around(1), .guarantee_of_epsilon = 12}),
      curve({.policy = "odd", .epsilon = 1, .runs = around(1), .guarantee_of_epsilon = 8.5})};
  FigureRequest request;
  request.x = Axis::kEpsilon;
  EXPECT_EQ(make_figure(request, curves).panels[0].series[0].label, "odd (central 8.5 to 12 ε)");
}

TEST(Figure, OverEpsilonHasALineForEveryDelta) {
  std::vector<Curve> curves;
  for (const double eps : {0.5, 1.0}) {
    for (const double delta : {1e-6, 1e-3}) {
      curves.push_back(curve({.epsilon = eps, .runs = around(10), .delta = delta}));
    }
  }
  FigureRequest request;
  request.x = Axis::kEpsilon;
  const Figure figure = make_figure(request, curves);
  ASSERT_EQ(figure.panels[0].series.size(), 2U);
  EXPECT_EQ(figure.panels[0].series[0].points.size(), 2U);
}

TEST(Figure, PanelsOfAVariableDoNotSplitLines) {
  std::vector<Curve> curves;
  for (const double k : {2.0, 4.0}) {
    for (const double m : {10.0, 20.0}) {
      curves.push_back(curve({.variables = {{"K", k}, {"m", m}}, .runs = around(k * m)}));
    }
  }
  FigureRequest request;
  request.x = Axis::kVariable;
  request.x_variable = "K";
  request.panels = Panels::kVariable;
  request.panel_variable = "m";
  const Figure figure = make_figure(request, curves);
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(figure.panels[1].title, "m = 20");
  ASSERT_EQ(figure.panels[1].series.size(), 1U);
  EXPECT_EQ(figure.panels[1].series[0].points.size(), 2U);
  EXPECT_EQ(figure.panels[1].series[0].label, figure.panels[0].series[0].label);
  EXPECT_EQ(figure.panels[1].series[0].setting, figure.panels[0].series[0].setting);
}

TEST(Figure, DistinguishesProblemsThatLackAVariable) {
  const std::vector<Curve> curves{curve({.variables = {{"T", 100.0}}, .runs = around(10)}),
                                  curve({.runs = around(20)})};
  const Figure figure = make_figure({}, curves);
  EXPECT_EQ(figure.panels[0].series[0].label, "some (central 1), T=100");
}

TEST(Figure, OverAVariableHasSlopes) {
  std::vector<Curve> curves;
  for (const double k : {2.0, 4.0, 8.0}) {
    curves.push_back(
        curve({.problem = fmt::format("p{}", k), .variables = {{"K", k}}, .runs = around(k * k)}));
  }
  FigureRequest request;
  request.x = Axis::kVariable;
  request.x_variable = "K";
  request.slopes = true;
  const Figure figure = make_figure(request, curves);
  ASSERT_EQ(figure.panels.size(), 1U);
  ASSERT_EQ(figure.panels[0].series.size(), 2U);
  const Series& series = figure.panels[0].series[0];
  EXPECT_EQ(series.course, Course::kSwept);
  ASSERT_TRUE(series.slope);
  EXPECT_NEAR(series.slope->value, 2, 1e-6);
  EXPECT_EQ(series.label, "some (central 1)");
  EXPECT_EQ(series.remark, "exponent 2.00 ± 0.00");
  const Series& fit = figure.panels[0].series[1];
  EXPECT_EQ(fit.origin, Origin::kFit);
  EXPECT_FALSE(fit.is_measured()) << "claims are not judged by it";
  EXPECT_EQ(fit.look.colour, series.look.colour);
  EXPECT_LT(fit.points.front().x, 2) << "it goes beyond the points";
  EXPECT_GT(fit.points.back().x, 8);
  for (const Point& point : fit.points) EXPECT_NEAR(point.y, point.x * point.x, 1e-3 * point.y);
}

TEST(Figure, OverEpsilonDrawsBaselinesFlat) {
  const std::vector<Curve> curves{
      curve({.policy = "base", .epsilon = {}, .runs = around(5), .guarantee_of_epsilon = 0}),
      curve({.epsilon = 2, .runs = around(10)}), curve({.epsilon = 0.5, .runs = around(30)})};
  FigureRequest request;
  request.x = Axis::kInverseEpsilon;
  const Figure figure = make_figure(request, curves);
  const Series& base = figure.panels[0].series[0];
  ASSERT_EQ(base.points.size(), 2U);
  EXPECT_EQ(base.points[0].x, 0.5);
  EXPECT_EQ(base.points[1].x, 2);
  EXPECT_EQ(base.course, Course::kFlat);
  const Series& mine = figure.panels[0].series[1];
  EXPECT_EQ(mine.points[0].x, 0.5);
  EXPECT_NEAR(mine.points[0].y, 10, 1e-12);
}

TEST(Figure, JoinsProblemsThatFollowEpsilon) {
  std::vector<Curve> curves;
  for (const double eps : {0.5, 1.0}) {
    curves.push_back(curve({.epsilon = eps, .variables = {{"eps", eps}}, .runs = around(10)}));
  }
  FigureRequest request;
  request.x = Axis::kEpsilon;
  const Figure figure = make_figure(request, curves);
  ASSERT_EQ(figure.panels[0].series.size(), 1U);
  EXPECT_EQ(figure.panels[0].series[0].points.size(), 2U);
}

TEST(Figure, HasALineForEveryCurveOverRounds) {
  const std::vector<Curve> curves{curve({.variables = {{"T", 100.0}}, .runs = around(10)}),
                                  curve({.variables = {{"T", 200.0}}, .runs = around(20)})};
  const Figure figure = make_figure({}, curves);
  ASSERT_EQ(figure.panels[0].series.size(), 2U);
  EXPECT_EQ(figure.panels[0].series[1].label, "some (central 1), T=200");
}

TEST(Figure, ShowsReturnAndRegretOverLn) {
  const std::vector<Curve> curves{curve({.runs = around(10)})};
  FigureRequest request;
  request.y = Quantity::kReturn;
  EXPECT_NEAR(make_figure(request, curves).panels[0].series[0].points[1].y, 0.5 - 0.1, 1e-12);
  request.y = Quantity::kRegretOverLog;
  EXPECT_NEAR(make_figure(request, curves).panels[0].series[0].points[1].y, 10 / std::log(100),
              1e-12);
}

lab::BoundCurve fewest(double samples) {
  return {.name = "fewest-samples",
          .kind = Kind::kFinite,
          .side = Side::kLower,
          .values = {std::nullopt, samples}};
}

TEST(Figure, OverTheErrorHasSamplesAndTheFewestOfEachNotion) {
  std::vector<Curve> curves;
  for (const double error : {0.1, 0.01}) {
    curves.push_back(curve({.policy = "mine",
                            .runs = found_after(10 / error),
                            .bounds = {fewest(2 / error)},
                            .goal = with_error(error)}));
    curves.push_back(curve({.policy = "base",
                            .epsilon = {},
                            .runs = found_after(5 / error),
                            .bounds = {fewest(1 / error)},
                            .guarantee_of_epsilon = 0,
                            .goal = with_error(error)}));
  }
  curves.push_back(curve({.policy = "regret", .runs = around(10)}));
  FigureRequest request;
  request.x = Axis::kError;
  request.y = Quantity::kSamples;
  request.bounds = {"fewest-samples"};
  const Figure figure = make_figure(request, curves);
  EXPECT_EQ(figure.y_label, "samples");
  ASSERT_EQ(figure.panels.size(), 1U);
  const auto& series = figure.panels[0].series;
  ASSERT_EQ(series.size(), 4U) << "nothing of regret";
  EXPECT_EQ(series[0].label, "mine (central 1)");
  ASSERT_EQ(series[0].points.size(), 2U);
  EXPECT_EQ(series[0].points[0].x, 0.01);
  EXPECT_NEAR(series[0].points[0].y, 1000, 1e-9);
  EXPECT_EQ(series[1].course, Course::kSwept) << "an error is everybody's";
  EXPECT_EQ(series[2].label, "fewest-samples, lower bound of central policies");
  EXPECT_NEAR(series[2].points[0].y, 200, 1e-9);
  EXPECT_EQ(series[3].label, "fewest-samples, lower bound of every policy");
}

TEST(Figure, TellsErrorsApartThatAreNotOnItsAxis) {
  std::vector<Curve> curves;
  for (const double error : {0.1, 0.01}) {
    for (const double epsilon : {0.5, 1.0}) {
      curves.push_back(
          curve({.epsilon = epsilon, .runs = found_after(10 / error), .goal = with_error(error)}));
    }
  }
  FigureRequest request;
  request.x = Axis::kEpsilon;
  request.y = Quantity::kSamples;
  const Figure together = make_figure(request, curves);
  ASSERT_EQ(together.panels[0].series.size(), 2U);
  EXPECT_EQ(together.panels[0].series[1].label, "some (central ε), error 0.01");
  EXPECT_NE(together.panels[0].series[0].setting, together.panels[0].series[1].setting)
      << "claims compare what has the same error";
  request.panels = Panels::kError;
  const Figure apart = make_figure(request, curves);
  ASSERT_EQ(apart.panels.size(), 2U);
  EXPECT_EQ(apart.panels[1].title, "error 0.01");
  EXPECT_EQ(apart.panels[1].series.at(0).label, "some (central ε)");
  request.panels = Panels::kOne;
  request.errors = {0.1};
  ASSERT_EQ(make_figure(request, curves).panels[0].series.size(), 1U);
}

TEST(Figure, ShowsTheShareOfWrongRecommendationsAndWhatWasPromised) {
  std::vector<Curve> curves;
  for (const double n : {100.0, 200.0}) {
    curves.push_back(curve({.variables = {{"budget", n}},
                            .runs = found_after(n, 100, 10),
                            .goal = simulation::Goal{.budget = true}}));
  }
  FigureRequest request;
  request.x = Axis::kVariable;
  request.x_variable = "budget";
  request.y = Quantity::kWrong;
  const Figure figure = make_figure(request, curves);
  ASSERT_EQ(figure.panels[0].series.size(), 1U);
  const Point& point = figure.panels[0].series[0].points.at(1);
  EXPECT_EQ(point.x, 200);
  EXPECT_NEAR(point.y, 0.1, 1e-12);
  EXPECT_NEAR(point.lo, 0.0490, 1e-4);
  request.y = Quantity::kSamples;
  EXPECT_THROW(make_figure(request, curves), InvalidParameter) << "of a budget they are known";

  const lab::BoundCurve promised{.name = "promised-error",
                                 .kind = Kind::kFinite,
                                 .side = Side::kUpper,
                                 .values = {0.2, std::nullopt}};
  FigureRequest over_error;
  over_error.x = Axis::kError;
  over_error.y = Quantity::kWrong;
  over_error.bounds = {"promised-error"};
  const auto both = make_figure(over_error, {curve({.policy = "a",
                                                    .runs = found_after(9, 100, 10),
                                                    .bounds = {promised},
                                                    .goal = with_error(0.2)}),
                                             curve({.policy = "b",
                                                    .runs = found_after(9, 100, 10),
                                                    .bounds = {promised},
                                                    .goal = with_error(0.2)})})
                        .panels[0]
                        .series;
  ASSERT_EQ(both.size(), 3U) << "it is drawn once";
  EXPECT_EQ(both[2].label, "promised-error, upper bound");
  EXPECT_EQ(both[2].points.at(0).y, 0.2);
}

TEST(Figure, DrawsBoundsByTheirKind) {
  FigureRequest request;
  request.bounds = {"hu-theorem-3"};
  const auto drawn = [&](const lab::BoundCurve& each) {
    return make_figure(request, {curve({.runs = around(10), .bounds = {each}})}).panels[0].series;
  };
  const auto upper = drawn(bound(Kind::kFinite, Side::kUpper, 20));
  ASSERT_EQ(upper.size(), 2U);
  EXPECT_EQ(upper[1].origin, Origin::kBound);
  EXPECT_EQ(upper[1].bound_kind, Kind::kFinite);
  EXPECT_EQ(upper[1].look.colour, upper[0].look.colour) << "of its policy";
  EXPECT_EQ(upper[1].label, "hu-theorem-3, upper bound of some");
  ASSERT_EQ(upper[1].points.size(), 1U) << "nothing where it has no value";
  const auto lower = drawn(bound(Kind::kAsymptotic, Side::kLower, 5));
  EXPECT_EQ(lower[1].bound_kind, Kind::kAsymptotic);
  EXPECT_NE(lower[1].look.colour, lower[0].look.colour) << "of nobody";
  EXPECT_EQ(lower[1].label, "hu-theorem-3, asymptotic lower bound (as T → ∞)");
  EXPECT_NE(lower[1].look.dashes, upper[1].look.dashes) << "nobody may read it as broken";
  EXPECT_EQ(drawn(bound(Kind::kMinimax, Side::kLower, 5))[1].label,
            "hu-theorem-3, minimax lower bound (of the worst instance)");
  EXPECT_THROW(make_figure(request, {curve({.runs = around(10)})}), InvalidParameter);
}

TEST(Figure, DrawsALowerBoundOnceUnlessItsValuesDiffer) {
  FigureRequest request;
  request.bounds = {"hu-theorem-3"};
  const auto drawn = [&](double first, double second) {
    return make_figure(request,
                       {curve({.epsilon = 0.5,
                               .runs = around(10),
                               .bounds = {bound(Kind::kAsymptotic, Side::kLower, first)}}),
                        curve({.epsilon = 1,
                               .runs = around(9),
                               .bounds = {bound(Kind::kAsymptotic, Side::kLower, second)}})})
        .panels[0]
        .series;
  };
  const auto same = drawn(5, 5);
  ASSERT_EQ(same.size(), 3U);
  EXPECT_EQ(same[2].label, "hu-theorem-3, asymptotic lower bound (as T → ∞)");
  EXPECT_EQ(same[2].points.size(), 1U) << "a place has one point";
  const auto differ = drawn(5, 4);
  ASSERT_EQ(differ.size(), 4U);
  EXPECT_EQ(differ[2].label,
            "hu-theorem-3, asymptotic lower bound (as T → ∞), for some (central 0.5)");
  EXPECT_EQ(differ[3].label,
            "hu-theorem-3, asymptotic lower bound (as T → ∞), for some (central 1)");
  EXPECT_EQ(differ[3].points.at(0).y, 4);
  request.y = Quantity::kReturn;
  const auto returns = drawn(5, 4);
  ASSERT_EQ(returns.size(), 3U) << "bounds are of regret";
  EXPECT_EQ(returns[2].label, "optimal policy");
  EXPECT_EQ(returns[2].points.back().y, 0.5);
  EXPECT_FALSE(returns[2].is_measured());
}

TEST(Figure, GroupsHaveAPanelEachAndWhoIsInNoneIsInAll) {
  const std::vector<Curve> curves{curve({.policy = "base", .epsilon = {}, .runs = around(5)}),
                                  curve({.policy = "one", .runs = around(20)}),
                                  curve({.policy = "two", .runs = around(30)}),
                                  curve({.policy = "both", .runs = around(10)})};
  FigureRequest request;
  request.panels = Panels::kGroup;
  request.groups = {{"a", {"one", "both"}}, {"b", {"two", "both"}}, {"c", {"nobody"}}};
  const Figure figure = make_figure(request, curves);
  const auto policies = [&](std::size_t panel) {
    std::vector<std::string> names;
    for (const Series& series : figure.panels[panel].series) names.push_back(series.policy);
    return names;
  };
  ASSERT_EQ(figure.panels.size(), 2U) << "none without a curve";
  EXPECT_EQ(figure.panels[0].title, "a");
  EXPECT_EQ(policies(0), (std::vector<std::string>{"base", "one", "both"}));
  EXPECT_EQ(figure.panels[1].title, "b");
  EXPECT_EQ(policies(1), (std::vector<std::string>{"base", "two", "both"}));
}

TEST(Figure, DrawsWhatClaimsSpeakOf) {
  FigureRequest request;
  request.name = "f";
  Claim settles;
  settles.figure = "f";
  settles.policy = "some";
  settles.settles = 0.2;
  const auto drawn = [&](const Claim& claim) {
    return make_figure(request, {curve({.runs = around(10)})}, {claim}).panels[0].series;
  };
  const auto series = drawn(settles);
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[0].remark, "moves by 50% after a tenth of the rounds");
  EXPECT_EQ(series[1].origin, Origin::kFit);
  ASSERT_EQ(series[1].points.size(), 5U) << "a box";
  EXPECT_NEAR(series[1].points[0].y, 8, 1e-9);
  EXPECT_NEAR(series[1].points[2].y, 12, 1e-9);
  EXPECT_EQ(series[1].points[0].x, 10);
  EXPECT_EQ(series[1].points[1].x, 100);
  settles.figure = "another";
  EXPECT_EQ(drawn(settles).size(), 1U);
}

TEST(Figure, DrawsAPowerOnTheFloorThatAClaimNames) {
  std::vector<Curve> curves{
      curve({.policy = "floor", .epsilon = {}, .runs = around(100), .guarantee_of_epsilon = 0})};
  for (const double epsilon : {0.1, 1.0, 10.0}) {
    curves.push_back(curve({.epsilon = epsilon, .runs = around(100 + 40 / epsilon)}));
  }
  FigureRequest request;
  request.name = "f";
  request.x = Axis::kEpsilon;
  request.slopes = true;
  Claim claim;
  claim.figure = "f";
  claim.policy = "some";
  claim.slope = -1;
  claim.above = "floor";
  const auto series = make_figure(request, curves, {claim}).panels[0].series;
  ASSERT_EQ(series.size(), 3U) << "a fit, not two";
  EXPECT_EQ(series[1].remark, "above floor exponent -1.00 ± 0.00");
  for (const Point& point : series[2].points) {
    EXPECT_NEAR(point.y, 100 + 40 / point.x, 1e-3 * point.y);
  }
}

TEST(Figure, DrawsTheStraightLineOfAClaim) {
  std::vector<Curve> curves;
  for (const double k : {1.0, 2.0, 4.0}) {
    curves.push_back(curve({.variables = {{"K", k}}, .runs = around(5 + 3 * k)}));
  }
  FigureRequest request;
  request.name = "f";
  request.x = Axis::kVariable;
  request.x_variable = "K";
  Claim claim;
  claim.figure = "f";
  claim.policy = "some";
  claim.linear = 0.2;
  const auto series = make_figure(request, curves, {claim}).panels[0].series;
  ASSERT_EQ(series.size(), 2U);
  EXPECT_TRUE(series[0].remark.starts_with("5 + (3 ± ")) << series[0].remark;
  EXPECT_TRUE(series[0].remark.ends_with(") K")) << series[0].remark;
  for (const Point& p : series[1].points) EXPECT_NEAR(p.y, 5 + 3 * p.x, 1e-6);
  curves.pop_back();
  EXPECT_EQ(make_figure(request, curves, {claim}).panels[0].series.size(), 1U) << "two points";
}

TEST(Figure, UpperBoundsOfTwoPoliciesAreToldApartByThePolicies) {
  FigureRequest request;
  request.bounds = {"hu-theorem-3"};
  const auto series =
      make_figure(request, {curve({.policy = "a",
                                   .runs = around(1),
                                   .bounds = {bound(Kind::kFinite, Side::kUpper, 5)}}),
                            curve({.policy = "b",
                                   .runs = around(2),
                                   .bounds = {bound(Kind::kFinite, Side::kUpper, 6)}})})
          .panels[0]
          .series;
  ASSERT_EQ(series.size(), 4U);
  EXPECT_EQ(series[2].label, "hu-theorem-3, upper bound of a");
  EXPECT_EQ(series[3].label, "hu-theorem-3, upper bound of b");
}

}  // namespace
}  // namespace tacit::reports
