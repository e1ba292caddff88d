#include "tacit/lab/figure.hpp"

#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/gnuplot.hpp"
#include "tacit/lab/verdict.hpp"

namespace tacit::lab {
namespace {

struct Told {
  std::string policy = "some";
  std::optional<double> epsilon = 1.0;
  std::string problem = "p";
  Json variables = Json::object();
  std::vector<std::vector<double>> runs;  // regrets at rounds 10 and 100
  Json bounds = Json::array();
  double guarantee_of_epsilon = 1;  // 0: none
  std::string family = "family";
  std::optional<double> delta = {};
};

Curve curve(const Told& told) {
  Curve c;
  c.problem = told.problem;
  c.policy = told.policy;
  c.checkpoints = {10, 100};
  simulation::Measurement measurement;
  c.regrets.resize(2);
  for (const auto& run : told.runs) measurement.add_run(run);
  c.measured = std::move(measurement).finish();
  c.runs = c.wanted = static_cast<std::int64_t>(told.runs.size());
  c.benchmark = {0.5, true};
  const double promised = told.guarantee_of_epsilon * told.epsilon.value_or(0);
  const bool is_private = promised > 0;
  c.document = {
      {"problem_label", told.problem},
      {"problem_family", told.family},
      {"policy_label", told.policy},
      {"variables", told.variables},
      {"epsilon", told.epsilon ? Json(*told.epsilon) : Json(nullptr)},
      {"delta", told.delta ? Json(*told.delta) : Json(nullptr)},
      {"guarantee",
       {{"notion", is_private ? "central" : "none"},
        {"epsilon", is_private ? Json(promised) : Json(nullptr)},
        {"delta", is_private ? Json(0) : Json(nullptr)},
        {"because", "it is said"}}},
      {"published", {{"notion", "central"}, {"epsilon", told.epsilon.value_or(0)}, {"delta", 0}}},
      {"bounds", told.bounds}};
  return c;
}

/// Two runs whose mean at the end is `last`, one above and one below by `spread`.
std::vector<std::vector<double>> around(double last, double spread = 0.001) {
  return {{last / 2, last - spread}, {last / 2, last + spread}};
}

TEST(Slope, OfAPowerIsItsExponent) {
  const std::vector<double> x{1, 2, 4, 8};
  std::vector<double> y;
  for (const double each : x) y.push_back(3 * each * each);
  const auto slope = log_log_slope(x, y);
  ASSERT_TRUE(slope);
  EXPECT_NEAR(slope->value, 2, 1e-12);
  EXPECT_NEAR(std::exp(slope->intercept), 3, 1e-11);
  EXPECT_NEAR(slope->half_width, 0, 1e-10);
}

TEST(Slope, HasStudentsInterval) {
  // By hand: ln x = 0, 1, 2 and ln y = 0, 2, 2: slope 1, intercept 1/3, residuals -1/3, 2/3, -1/3, so
  // s^2 = 2/3 with one degree of freedom and uu = 2: half width 12.7062 sqrt(1/3) = 7.3359.
  const double e = std::exp(1.0);
  const auto slope =
      log_log_slope(std::vector<double>{1, e, e * e}, std::vector<double>{1, e * e, e * e});
  ASSERT_TRUE(slope);
  EXPECT_NEAR(slope->value, 1, 1e-12);
  EXPECT_NEAR(slope->intercept, 1.0 / 3, 1e-12);
  EXPECT_NEAR(slope->half_width, 7.3359, 1e-3);
}

TEST(Slope, NeedsThreePositivePoints) {
  EXPECT_FALSE(log_log_slope(std::vector<double>{1, 2}, std::vector<double>{1, 2}));
  EXPECT_FALSE(log_log_slope(std::vector<double>{1, 2, 3}, std::vector<double>{1, 0, 2}));
  EXPECT_FALSE(log_log_slope(std::vector<double>{2, 2, 2}, std::vector<double>{1, 2, 3}));
}

TEST(Figure, OverRoundsHasALineACurveAndAPanelAnEpsilon) {
  const std::vector<Curve> curves{
      curve({.policy = "base", .epsilon = {}, .runs = around(5), .guarantee_of_epsilon = 0}),
      curve({.policy = "mine", .epsilon = 0.5, .runs = around(20)}),
      curve({.policy = "mine", .epsilon = 1, .runs = around(10)})};
  FigureRequest request;
  request.name = "f";
  request.panels = "epsilon";
  const Figure figure = make_figure(request, curves);
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(figure.panels[0].title, "ε = 0.5");
  ASSERT_EQ(figure.panels[1].series.size(), 2U) << "baselines are in every panel";
  const Series& base = figure.panels[1].series[0];
  const Series& mine = figure.panels[1].series[1];
  EXPECT_EQ(base.label, "base (not private)");
  EXPECT_EQ(base.stroke, Stroke::kNotPrivate);
  EXPECT_EQ(mine.label, "mine (central ε)");
  EXPECT_EQ(mine.stroke, Stroke::kPrivate);
  EXPECT_EQ(mine.colour, figure.panels[0].series[1].colour);
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
  request.panels = "epsilon";
  EXPECT_EQ(make_figure(request, curves).panels[0].series[0].label, "twice (central 2 ε)");
  request.panels = "";
  EXPECT_EQ(make_figure(request, curves).panels[0].series[0].label, "twice (central 1)");
}

TEST(Slope, OfOnePlaceIsNoneWhateverTheRounding) {
  EXPECT_FALSE(log_log_slope(std::vector<double>(3, 1.1), std::vector<double>{1, 2, 3}));
  EXPECT_FALSE(log_log_slope(std::vector<double>(7, 0.3), std::vector<double>(7, 2)));
}

TEST(Figure, OverEpsilonHasALineForEveryDelta) {
  std::vector<Curve> curves;
  for (const double eps : {0.5, 1.0}) {
    for (const double delta : {1e-6, 1e-3}) {
      curves.push_back(curve({.epsilon = eps, .runs = around(10), .delta = delta}));
    }
  }
  FigureRequest request;
  request.x = "epsilon";
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
  request.x = "K";
  request.panels = "m";
  const Figure figure = make_figure(request, curves);
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(figure.panels[1].title, "m = 20");
  ASSERT_EQ(figure.panels[1].series.size(), 1U);
  EXPECT_EQ(figure.panels[1].series[0].points.size(), 2U);
  EXPECT_EQ(figure.panels[1].series[0].label, figure.panels[0].series[0].label);
  EXPECT_EQ(figure.panels[1].series[0].setting, figure.panels[0].series[0].setting);
}

TEST(Figure, DistinguishesProblemsThatLackAVariable) {
  const std::vector<Curve> curves{curve({.variables = {{"T", 100}}, .runs = around(10)}),
                                  curve({.runs = around(20)})};
  const Figure figure = make_figure({}, curves);
  EXPECT_EQ(figure.panels[0].series[0].label, "some (central 1), T=100");
}

TEST(Figure, UsualOnesHaveNamesOfTheirOwnThatFitAFile) {
  const std::vector<Curve> curves{curve({.epsilon = 0.5, .problem = "a:b", .runs = around(1)}),
                                  curve({.epsilon = 1, .problem = "a:b", .runs = around(1)}),
                                  curve({.problem = "a/b", .runs = around(1)}),
                                  curve({.problem = std::string(500, '7'), .runs = around(1)}),
                                  curve({.problem = "", .runs = around(1)})};
  const std::vector<FigureRequest> figures = usual_figures(curves);
  ASSERT_EQ(figures.size(), 4U);
  EXPECT_EQ(figures[0].name, "a-b");
  EXPECT_EQ(figures[0].panels, "epsilon");
  EXPECT_EQ(figures[1].name, "a-b-2");
  EXPECT_EQ(figures[1].panels, "");
  EXPECT_LT(figures[2].name.size(), 100U);
  EXPECT_FALSE(figures[3].name.empty());
}

TEST(Figure, OverAVariableHasSlopes) {
  std::vector<Curve> curves;
  for (const double k : {2.0, 4.0, 8.0}) {
    curves.push_back(
        curve({.problem = fmt::format("p{}", k), .variables = {{"K", k}}, .runs = around(k * k)}));
  }
  FigureRequest request;
  request.x = "K";
  request.slopes = true;
  const Figure figure = make_figure(request, curves);
  ASSERT_EQ(figure.panels.size(), 1U);
  ASSERT_EQ(figure.panels[0].series.size(), 1U);
  const Series& series = figure.panels[0].series[0];
  EXPECT_TRUE(series.marks);
  ASSERT_TRUE(series.slope);
  EXPECT_NEAR(series.slope->value, 2, 1e-6);
  EXPECT_EQ(series.label, "some (central 1), slope 2.00 ± 0.00");
}

TEST(Figure, OverEpsilonDrawsBaselinesFlat) {
  const std::vector<Curve> curves{
      curve({.policy = "base", .epsilon = {}, .runs = around(5), .guarantee_of_epsilon = 0}),
      curve({.epsilon = 2, .runs = around(10)}), curve({.epsilon = 0.5, .runs = around(30)})};
  FigureRequest request;
  request.x = "1/epsilon";
  const Figure figure = make_figure(request, curves);
  const Series& base = figure.panels[0].series[0];
  ASSERT_EQ(base.points.size(), 2U);
  EXPECT_EQ(base.points[0].x, 0.5);
  EXPECT_EQ(base.points[1].x, 2);
  EXPECT_FALSE(base.marks);
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
  request.x = "epsilon";
  const Figure figure = make_figure(request, curves);
  ASSERT_EQ(figure.panels[0].series.size(), 1U);
  EXPECT_EQ(figure.panels[0].series[0].points.size(), 2U);
}

TEST(Figure, HasALineForEveryCurveOverRounds) {
  const std::vector<Curve> curves{curve({.variables = {{"T", 100}}, .runs = around(10)}),
                                  curve({.variables = {{"T", 200}}, .runs = around(20)})};
  const Figure figure = make_figure({}, curves);
  ASSERT_EQ(figure.panels[0].series.size(), 2U);
  EXPECT_EQ(figure.panels[0].series[1].label, "some (central 1), T=200");
}

TEST(Figure, ShowsReturnAndRegretOverLn) {
  const std::vector<Curve> curves{curve({.runs = around(10)})};
  FigureRequest request;
  request.y = "return";
  EXPECT_NEAR(make_figure(request, curves).panels[0].series[0].points[1].y, 0.5 - 0.1, 1e-12);
  request.y = "regret/ln(t)";
  EXPECT_NEAR(make_figure(request, curves).panels[0].series[0].points[1].y, 10 / std::log(100),
              1e-12);
}

Json bound(const char* kind, const char* side, double last) {
  return {{"name", "hu-theorem-3"}, {"kind", kind}, {"side", side}, {"values", {nullptr, last}}};
}

TEST(Figure, DrawsBoundsByTheirKind) {
  FigureRequest request;
  request.bounds = {"hu-theorem-3"};
  const auto drawn = [&](const Json& each) {
    return make_figure(request, {curve({.runs = around(10), .bounds = {each}})}).panels[0].series;
  };
  const auto upper = drawn(bound("finite", "upper", 20));
  ASSERT_EQ(upper.size(), 2U);
  EXPECT_EQ(upper[1].stroke, Stroke::kFinite);
  EXPECT_EQ(upper[1].colour, upper[0].colour) << "of its policy";
  EXPECT_EQ(upper[1].label, "hu-theorem-3, upper bound of some");
  ASSERT_EQ(upper[1].points.size(), 1U) << "nothing where it has no value";
  const auto lower = drawn(bound("asymptotic", "lower", 5));
  EXPECT_EQ(lower[1].stroke, Stroke::kAsymptotic);
  EXPECT_EQ(lower[1].colour, -1);
  EXPECT_THROW(make_figure(request, {curve({.runs = around(10)})}), InvalidParameter);
}

TEST(Figure, DrawsALowerBoundOnceUnlessItsValuesDiffer) {
  FigureRequest request;
  request.bounds = {"hu-theorem-3"};
  const auto drawn = [&](double first, double second) {
    return make_figure(request, {curve({.epsilon = 0.5,
                                        .runs = around(10),
                                        .bounds = {bound("asymptotic", "lower", first)}}),
                                 curve({.epsilon = 1,
                                        .runs = around(9),
                                        .bounds = {bound("asymptotic", "lower", second)}})})
        .panels[0]
        .series;
  };
  const auto same = drawn(5, 5);
  ASSERT_EQ(same.size(), 3U);
  EXPECT_EQ(same[2].label, "hu-theorem-3, lower bound");
  EXPECT_EQ(same[2].points.size(), 1U) << "a place has one point";
  const auto differ = drawn(5, 4);
  ASSERT_EQ(differ.size(), 4U);
  EXPECT_EQ(differ[2].label, "hu-theorem-3, lower bound, for some (central 0.5)");
  EXPECT_EQ(differ[3].label, "hu-theorem-3, lower bound, for some (central 1)");
  EXPECT_EQ(differ[3].points.at(0).y, 4);
  request.y = "return";
  EXPECT_EQ(drawn(5, 4).size(), 2U) << "bounds are of regret";
}

TEST(Figure, UpperBoundsOfTwoPoliciesAreToldApartByThePolicies) {
  FigureRequest request;
  request.bounds = {"hu-theorem-3"};
  const auto series =
      make_figure(
          request,
          {curve({.policy = "a", .runs = around(1), .bounds = {bound("finite", "upper", 5)}}),
           curve({.policy = "b", .runs = around(2), .bounds = {bound("finite", "upper", 6)}})})
          .panels[0]
          .series;
  ASSERT_EQ(series.size(), 4U);
  EXPECT_EQ(series[2].label, "hu-theorem-3, upper bound of a");
  EXPECT_EQ(series[3].label, "hu-theorem-3, upper bound of b");
}

TEST(Bounds, AreNotBrokenByOneRun) {
  const auto checks =
      check_bounds({curve({.runs = {{5, 10}}, .bounds = {bound("finite", "upper", 9)}})});
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_TRUE(checks[0].kept) << "a bound is of the mean";
  EXPECT_NEAR(checks[0].share, 10.0 / 9, 1e-12);
}

TEST(Bounds, AreComparedUpToRoundingAndWhereTheyAreTightest) {
  const auto exactly = [](const char* side, double value) {
    return check_bounds({curve({.runs = around(10, 0), .bounds = {bound("finite", side, value)}})})
        .at(0)
        .kept;
  };
  EXPECT_TRUE(exactly("upper", 10 * (1 - 1e-9)));
  EXPECT_TRUE(exactly("lower", 10 * (1 + 1e-9)));
  EXPECT_FALSE(exactly("upper", 10 * (1 - 1e-5)));
  EXPECT_FALSE(exactly("lower", 10 * (1 + 1e-5)));
  const Json lower{{"name", "n"}, {"kind", "finite"}, {"side", "lower"}, {"values", {4, 2}}};
  EXPECT_NEAR(check_bounds({curve({.runs = around(10), .bounds = {lower}})}).at(0).share, 1.25,
              1e-12);
}

TEST(Bounds, ThatAreBrokenAreFound) {
  const auto check = [](const Json& each, double spread) {
    const auto checks = check_bounds({curve({.runs = around(10, spread), .bounds = {each}})});
    EXPECT_EQ(checks.size(), 1U);
    return checks.at(0);
  };
  EXPECT_TRUE(check(bound("finite", "upper", 20), 0.001).kept);
  EXPECT_NEAR(check(bound("finite", "upper", 20), 0.001).share, 0.5, 1e-9);
  EXPECT_FALSE(check(bound("finite", "upper", 9), 0.001).kept);
  EXPECT_TRUE(check(bound("finite", "upper", 9), 1).kept) << "two runs do not tell";
  EXPECT_FALSE(check(bound("finite", "lower", 11), 0.001).kept);
  EXPECT_TRUE(check(bound("finite", "lower", 9), 0.001).kept);
  EXPECT_TRUE(
      check_bounds({curve({.runs = around(10), .bounds = {bound("asymptotic", "lower", 99)}})})
          .empty());
}

/// The claim judged on a figure over rounds with the policies a (regret 10) and b (20).
Judged judged(const std::function<void(Claim&)>& set, double spread = 0.001) {
  const std::vector<Curve> curves{curve({.policy = "a", .runs = around(10, spread)}),
                                  curve({.policy = "b", .runs = around(20, spread)})};
  FigureRequest request;
  Claim claim;
  claim.policy = "a";
  set(claim);
  return judge(claim, make_figure(request, curves));
}

TEST(Claims, ThatOneIsLessThanAnother) {
  const auto less = [](const char* one, const char* other, double factor) {
    return [=](Claim& c) {
      c.policy = one;
      c.than = {other};
      c.factor = factor;
    };
  };
  EXPECT_EQ(judged(less("a", "b", 1)).judgement, Judgement::kHolds);
  EXPECT_EQ(judged(less("b", "a", 1)).judgement, Judgement::kFails);
  EXPECT_EQ(judged(less("a", "b", 2)).judgement, Judgement::kOpen) << "20 against 20";
  EXPECT_EQ(judged(less("a", "b", 2.1)).judgement, Judgement::kFails);
  EXPECT_EQ(judged(less("a", "b", 1), 5).judgement, Judgement::kOpen) << "the intervals overlap";
  EXPECT_EQ(judged(less("a", "c", 1)).judgement, Judgement::kOpen) << "not in the figure";
  EXPECT_NE(judged(less("a", "b", 1)).measured.find("10 against 20 of b"), std::string::npos);
}

TEST(Claims, OfValuesAndOfSettling) {
  const auto value = [](double v, double within) {
    return [=](Claim& c) {
      c.value = v;
      c.within = within;
    };
  };
  EXPECT_EQ(judged(value(10.5, 0.1)).judgement, Judgement::kHolds);
  EXPECT_EQ(judged(value(12, 0.1)).judgement, Judgement::kFails);
  EXPECT_EQ(judged([](Claim& c) {
              c.value = 10;
              c.within = 0.1;
              c.epsilon = 7;
            }).judgement,
            Judgement::kOpen);
  EXPECT_EQ(judged([](Claim& c) { c.settles = 0.6; }).judgement, Judgement::kHolds);  // 5, then 10
  EXPECT_EQ(judged([](Claim& c) { c.settles = 0.4; }).judgement, Judgement::kFails);
}

TEST(Claims, OverRoundsAreJudgedAtTheEnd) {
  // a is above b at first, and below it at the end.
  const std::vector<Curve> curves{curve({.policy = "a", .runs = {{9, 10}, {9, 10.001}}}),
                                  curve({.policy = "b", .runs = {{1, 20}, {1, 20.001}}})};
  Claim claim;
  claim.policy = "a";
  claim.than = {"b"};
  EXPECT_EQ(judge(claim, make_figure({}, curves)).judgement, Judgement::kHolds);
  // Without a common last round there is nothing to compare.
  std::vector<Curve> longer = curves;
  longer[1].checkpoints = {10, 1000};
  EXPECT_EQ(judge(claim, make_figure({}, longer)).judgement, Judgement::kOpen);
}

TEST(Claims, CompareAtTheSameEpsilonOnTheSameProblem) {
  const std::vector<Curve> curves{
      curve({.policy = "a", .epsilon = 0.5, .runs = around(30)}),
      curve({.policy = "a", .epsilon = 1, .runs = around(10)}),
      curve({.policy = "b", .epsilon = 0.5, .runs = around(40)}),
      curve({.policy = "b", .epsilon = 1, .runs = around(20)}),
      curve({.policy = "a", .problem = "q", .runs = around(300), .family = "q"}),
      curve({.policy = "b", .problem = "q", .runs = around(400), .family = "q"}),
      curve({.policy = "c", .epsilon = 7, .runs = around(500)})};
  Claim claim;
  claim.policy = "a";
  claim.than = {"b"};
  const Figure figure = make_figure({}, curves);
  EXPECT_EQ(judge(claim, figure).judgement, Judgement::kHolds) << judge(claim, figure).measured;
  claim.than = {"c"};
  EXPECT_EQ(judge(claim, figure).judgement, Judgement::kHolds)
      << "one that is nowhere like it is compared with all";
  claim.factor = 2;
  EXPECT_EQ(judge(claim, figure).judgement, Judgement::kFails);
  claim.factor = {};
  claim.policy = "b";
  claim.than = {"a"};
  EXPECT_EQ(judge(claim, figure).judgement, Judgement::kFails);
}

TEST(Claims, CompareABaselineOnTheSameProblemAtEveryEpsilon) {
  std::vector<Curve> curves;
  for (const double scale : {1.0, 100.0}) {
    const std::string problem = scale == 1 ? "p" : "q";
    curves.push_back(curve({.policy = "base",
                            .epsilon = {},
                            .problem = problem,
                            .runs = around(10 * scale),
                            .guarantee_of_epsilon = 0,
                            .family = problem}));
    curves.push_back(curve({.policy = "b",
                            .epsilon = 0.5,
                            .problem = problem,
                            .runs = around(20 * scale),
                            .family = problem}));
  }
  Claim claim;
  claim.policy = "base";
  claim.than = {"b"};
  EXPECT_EQ(judge(claim, make_figure({}, curves)).judgement, Judgement::kHolds);
}

TEST(Claims, NeedIntervalsThatAreApart) {
  Claim claim;
  claim.policy = "a";
  claim.than = {"b"};
  const auto with_spreads = [&](double one, double other) {
    return judge(claim, make_figure({}, {curve({.policy = "a", .runs = around(10, one)}),
                                         curve({.policy = "b", .runs = around(20, other)})}))
        .judgement;
  };
  EXPECT_EQ(with_spreads(0.01, 0.01), Judgement::kHolds);
  EXPECT_EQ(with_spreads(2, 0.01), Judgement::kOpen);
  EXPECT_EQ(with_spreads(0.01, 2), Judgement::kOpen);
}

TEST(Claims, ThatFailSomewhereFail) {
  FigureRequest request;
  request.panels = "problem";
  const auto order = [&](double first, double second) {
    std::vector<Curve> curves;
    for (const double a : {first, second}) {
      const std::string problem = a == first ? "p" : "q";
      curves.push_back(curve({.policy = "a", .problem = problem, .runs = around(a)}));
      curves.push_back(curve({.policy = "b", .problem = problem, .runs = around(20)}));
    }
    Claim claim;
    claim.policy = "a";
    claim.than = {"b"};
    return judge(claim, make_figure(request, curves)).judgement;
  };
  EXPECT_EQ(order(10, 30), Judgement::kFails);
  EXPECT_EQ(order(30, 10), Judgement::kFails);
  EXPECT_EQ(order(30, 20), Judgement::kFails);
  EXPECT_EQ(order(20, 10), Judgement::kOpen);
}

TEST(Claims, OfAValueSpeakOfTheirEpsilonAndProblem) {
  std::vector<Curve> curves;
  for (const double eps : {0.25, 1.0, 4.0}) {
    curves.push_back(curve({.policy = "a", .epsilon = eps, .runs = around(10 / eps)}));
    curves.push_back(curve(
        {.policy = "a", .epsilon = eps, .problem = "q", .runs = around(1 / eps), .family = "q"}));
  }
  Claim claim;
  claim.policy = "a";
  claim.problem = "q";
  claim.epsilon = 0.25;
  claim.value = 4;
  claim.within = 0.01;
  FigureRequest request;
  for (const char* x : {"t", "epsilon", "1/epsilon"}) {
    request.x = x;
    EXPECT_EQ(judge(claim, make_figure(request, curves)).judgement, Judgement::kHolds) << x;
  }
}

TEST(Claims, OfAValueAreOfEveryPointUnlessOneIsNamed) {
  FigureRequest request;
  request.x = "epsilon";
  const Figure figure = make_figure(request, {curve({.epsilon = 0.5, .runs = around(30)}),
                                              curve({.epsilon = 1, .runs = around(10)})});
  Claim claim;
  claim.policy = "some";
  claim.value = 10;
  claim.within = 0.1;
  EXPECT_EQ(judge(claim, figure).judgement, Judgement::kFails) << "30 at epsilon 0.5";
  claim.epsilon = 1;
  EXPECT_EQ(judge(claim, figure).judgement, Judgement::kHolds);
}

TEST(Claims, OfSettlingStartAtATenthOfTheRounds) {
  Curve c = curve({.policy = "a", .runs = around(10)});
  c.checkpoints = {15, 100};
  Claim claim;
  claim.policy = "a";
  claim.settles = 0.9;
  EXPECT_EQ(judge(claim, make_figure({}, {c})).judgement, Judgement::kOpen);
  const Curve never = curve({.policy = "a", .runs = {{0, 0}, {0, 0}}});
  EXPECT_EQ(judge(claim, make_figure({}, {never})).judgement, Judgement::kHolds);
}

TEST(Claims, OfSlopesAreOfEveryLine) {
  std::vector<Curve> curves;
  for (const double k : {2.0, 4.0, 8.0}) {
    const Json variables{{"K", k}};
    curves.push_back(curve({.policy = "a", .variables = variables, .runs = around(k)}));
    curves.push_back(
        curve({.policy = "a", .epsilon = 2, .variables = variables, .runs = around(k * k)}));
    curves.push_back(curve({.policy = "b", .variables = variables, .runs = around(1)}));
    curves.push_back(
        curve({.policy = "b", .epsilon = 2, .variables = variables, .runs = around(k)}));
  }
  FigureRequest request;
  request.x = "K";
  request.slopes = true;
  const Figure figure = make_figure(request, curves);
  Claim slope;
  slope.policy = "a";
  slope.slope = 1;
  slope.within = 0.1;
  EXPECT_EQ(judge(slope, figure).judgement, Judgement::kFails) << "2 at epsilon 2";
  Claim steeper;
  steeper.policy = "a";
  steeper.than = {"b"};
  steeper.steeper_by = 0.9;
  EXPECT_EQ(judge(steeper, figure).judgement, Judgement::kHolds) << "each by one";
}

TEST(Claims, OfSlopes) {
  std::vector<Curve> curves;
  for (const double k : {2.0, 4.0, 8.0}) {
    const Json variables{{"K", k}};
    curves.push_back(curve({.policy = "steep", .variables = variables, .runs = around(k * k)}));
    curves.push_back(curve({.policy = "flat", .variables = variables, .runs = around(k)}));
  }
  FigureRequest request;
  request.x = "K";
  request.slopes = true;
  const Figure figure = make_figure(request, curves);
  Claim slope;
  slope.policy = "steep";
  slope.slope = 2;
  slope.within = 0.1;
  EXPECT_EQ(judge(slope, figure).judgement, Judgement::kHolds);
  slope.slope = 1.5;
  EXPECT_EQ(judge(slope, figure).judgement, Judgement::kFails);
  Claim steeper;
  steeper.policy = "steep";
  steeper.than = {"flat"};
  steeper.steeper_by = 0.9;
  EXPECT_EQ(judge(steeper, figure).judgement, Judgement::kHolds);
  steeper.steeper_by = 1.1;
  EXPECT_EQ(judge(steeper, figure).judgement, Judgement::kFails);
}

TEST(Verdict, SaysWhatWasPromisedAndWhatIsTrue) {
  const std::vector<Curve> curves{
      curve({.policy = "broken", .runs = around(10), .guarantee_of_epsilon = 0})};
  FigureRequest request;
  request.name = "f";
  Claim claim;
  claim.figure = "f";
  claim.says = "it is ten";
  claim.policy = "broken";
  claim.value = 10;
  claim.within = 0.1;
  const Verdict verdict = give_verdict(request, make_figure(request, curves), {claim}, curves);
  EXPECT_EQ(verdict.summary(), "1 of 1 claim holds");
  EXPECT_NE(verdict.text.find("none (published: central 1), because it is said"), std::string::npos)
      << verdict.text;
}

TEST(Verdict, CountsTheBestArmsAmongTheMostPlayed) {
  Curve sets = curve({.runs = around(10)});
  sets.document["best_set"] = {0, 2, 3};
  sets.measured.mean_pulls = {9, 8, 7, 1};
  const Verdict verdict = give_verdict({}, make_figure({}, {sets}), {}, {sets});
  EXPECT_NE(verdict.text.find("2 of 3\n"), std::string::npos) << verdict.text;
}

TEST(Gnuplot, DrawsWhoProtectsNobodyDashed) {
  const std::vector<Curve> curves{
      curve(
          {.policy = "base 'x' `id`", .epsilon = {}, .runs = around(5), .guarantee_of_epsilon = 0}),
      curve({.policy = "mine", .runs = around(10)})};
  const std::string program = gnuplot_program(make_figure({}, curves), Format::kSvg, "out.svg");
  EXPECT_NE(program.find("lc rgb \"#0072B2\" lw 2.2 dt (16,8)"), std::string::npos) << program;
  EXPECT_NE(program.find("lc rgb \"#D55E00\" lw 2.2 dt 1"), std::string::npos);
  EXPECT_NE(program.find("'base ''x'' `id` (not private)'"), std::string::npos) << program;
  EXPECT_NE(program.find("with filledcurves"), std::string::npos) << "bands";
}

TEST(Gnuplot, TakesNoNameForACommand) {
  const Figure figure = make_figure({}, {curve({.runs = around(10)})});
  const auto output = [&](const std::string& path) {
    const std::string program = gnuplot_program(figure, Format::kSvg, path);
    const std::size_t at = program.find("set output ");
    return program.substr(at, program.find('\n', at) - at);
  };
  EXPECT_EQ(output("|touch a;.svg"), "set output './|touch a;.svg'");
  EXPECT_EQ(output("~a.svg"), "set output './~a.svg'");
  EXPECT_EQ(output("/a's.svg"), "set output '/a''s.svg'");
}

TEST(Gnuplot, LeavesOutWhatALogarithmicAxisCannotShow) {
  FigureRequest request;
  request.x = "K";
  request.axes = "loglog";
  std::vector<Curve> curves;
  for (const double k : {0.0, 2.0, 4.0}) {
    curves.push_back(curve({.variables = {{"K", k}}, .runs = around(k == 4 ? 0 : 10)}));
  }
  const std::string program =
      gnuplot_program(make_figure(request, curves), Format::kSvg, "out.svg");
  EXPECT_NE(program.find("set xtics (\"2\" 2, \"4\" 4)"), std::string::npos) << program;
  EXPECT_NE(program.find("\n2 10 "), std::string::npos) << program;
  EXPECT_EQ(program.find("\n4 0 "), std::string::npos) << program;
  EXPECT_EQ(program.find("inf"), std::string::npos) << program;
}

TEST(Gnuplot, AnEmptyPanelLeavesTheRangesOfTheOthersAlone) {
  FigureRequest request;
  request.axes = "logy";
  request.panels = "problem";
  const std::string program =
      gnuplot_program(make_figure(request, {curve({.problem = "p", .runs = {{0, 0}, {0, 0}}}),
                                            curve({.problem = "q", .runs = around(10)})}),
                      Format::kSvg, "out.svg");
  EXPECT_GT(program.find("set xrange"), program.find("$d1_0")) << "before the legend at the end";
}

TEST(Gnuplot, KnowsItsEndings) {
  EXPECT_EQ(format_of("a.svg"), Format::kSvg);
  EXPECT_EQ(format_of("a.b.pdf"), Format::kPdf);
  EXPECT_THROW(format_of("a.gif"), InvalidParameter);
  EXPECT_THROW(format_of("svg"), InvalidParameter);
}

}  // namespace
}  // namespace tacit::lab
