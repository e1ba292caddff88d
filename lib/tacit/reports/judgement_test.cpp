#include "tacit/reports/judgement.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/reports/legend.hpp"
#include "tacit/reports/sample_curves_test.hpp"

namespace tacit::reports {
namespace {

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

TEST(Claims, AreOpenWhereAnIntervalLeavesItsBand) {
  // Half of the interval of two runs is 12.7 times their spread.
  const auto value = [](Claim& c) {
    c.value = 10.5;
    c.within = 0.1;
  };
  EXPECT_EQ(judged(value, 0.01).judgement, Judgement::kHolds);
  EXPECT_EQ(judged(value, 0.1).judgement, Judgement::kOpen) << "8.7 to 11.3, of 9.45 to 11.55";
  const auto settles = [](Claim& c) { c.settles = 0.52; };
  EXPECT_EQ(judged(settles, 0.001).judgement, Judgement::kHolds);
  EXPECT_EQ(judged(settles, 0.1).judgement, Judgement::kOpen);
  const auto far = [](Claim& c) {
    c.value = 100;
    c.within = 0.1;
  };
  EXPECT_EQ(judged(far, 0.1).judgement, Judgement::kFails);
}

TEST(Claims, OfWhatRandomPlayHasAreOpen) {
  lab::BoundCurve random = bound(theory::Kind::kReference, theory::Side::kUpper, 20.2);
  random.name = "random-play";
  const auto curve_of = [&](const char* policy, double last) {
    return curve({.policy = policy, .runs = around(last), .bounds = {random}});
  };
  const auto less = [&](double a, double b) {
    Claim claim;
    claim.policy = "a";
    claim.than = {"b"};
    return judge(claim, make_figure({}, {curve_of("a", a), curve_of("b", b)}));
  };
  EXPECT_EQ(less(19.8, 20).judgement, Judgement::kOpen) << "neither has learnt";
  EXPECT_NE(less(19.8, 20).measured.find("random play"), std::string::npos);
  EXPECT_EQ(less(10, 20).judgement, Judgement::kHolds) << "one has";
  EXPECT_EQ(less(20, 10).judgement, Judgement::kFails);
  Claim value;
  value.policy = "a";
  value.value = 20;
  value.within = 0.1;
  EXPECT_EQ(judge(value, make_figure({}, {curve_of("a", 20)})).judgement, Judgement::kOpen);
  EXPECT_EQ(judge(value, make_figure({}, {curve_of("a", 18.5)})).judgement, Judgement::kHolds);
  Claim settles;
  settles.policy = "a";
  settles.settles = 0.9;
  EXPECT_EQ(judge(settles, make_figure({}, {curve_of("a", 20)})).judgement, Judgement::kOpen);
}

TEST(Claims, ThatOneIsLikeAnother) {
  const auto like = [](const char* one, const char* other, double factor) {
    return [=](Claim& c) {
      c.policy = one;
      c.than = {other};
      c.factor = factor;
      c.alike = true;
    };
  };
  for (const auto& [one, other] : {std::pair{"a", "b"}, {"b", "a"}}) {
    EXPECT_EQ(judged(like(one, other, 2.1)).judgement, Judgement::kHolds) << "either way";
    EXPECT_EQ(judged(like(one, other, 1.9)).judgement, Judgement::kFails);
    EXPECT_EQ(judged(like(one, other, 2.1), 0.5).judgement, Judgement::kOpen);
  }
}

TEST(Claims, ShowAllThatIsNotTold) {
  std::vector<Curve> curves;
  for (int i = 0; i < 12; ++i) {
    const double epsilon = 0.1 * (i + 1);
    curves.push_back(curve({.policy = "a", .epsilon = epsilon, .runs = around(10, 0.01)}));
    curves.push_back(
        curve({.policy = "b", .epsilon = epsilon, .runs = around(20, i >= 9 ? 5.0 : 0.01)}));
  }
  FigureRequest request;
  request.x = Axis::kEpsilon;
  Claim claim;
  claim.policy = "a";
  claim.than = {"b"};
  const Judged judged = judge(claim, make_figure(request, curves));
  EXPECT_EQ(judged.judgement, Judgement::kOpen);
  std::size_t shown = 0;
  for (std::size_t at = judged.measured.find("not told apart"); at != std::string::npos;
       at = judged.measured.find("not told apart", at + 1))
    ++shown;
  EXPECT_EQ(shown, 3) << judged.measured;
  EXPECT_NE(judged.measured.find("and 4 more that hold"), std::string::npos) << judged.measured;
}

TEST(Claims, AreJudgedByWhatWasMeasuredAlone) {
  FigureRequest request;
  request.bounds = {"hu-theorem-3"};
  Figure figure = make_figure(
      request, {curve({.policy = "a",
                       .runs = around(10),
                       .bounds = {bound(theory::Kind::kFinite, theory::Side::kUpper, 30)}})});
  figure.panels[0].series[1].policy =
      "a";  // a bound does not speak for a policy, whatever it is called
  Claim claim;
  claim.policy = "a";
  claim.value = 10;
  claim.within = 0.1;
  EXPECT_EQ(judge(claim, figure).judgement, Judgement::kHolds) << judge(claim, figure).measured;
  figure.panels[0].series[1].origin = Origin::kMeasured;
  EXPECT_EQ(judge(claim, figure).judgement, Judgement::kOpen) << "30, without an interval";
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
  longer[1].document.checkpoints = {10, 1000};
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
  request.panels = Panels::kProblem;
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
  for (const Axis x : {Axis::kRounds, Axis::kEpsilon, Axis::kInverseEpsilon}) {
    request.x = x;
    EXPECT_EQ(judge(claim, make_figure(request, curves)).judgement, Judgement::kHolds)
        << x_label(request);
  }
}

TEST(Claims, OfAValueAreOfEveryPointUnlessOneIsNamed) {
  FigureRequest request;
  request.x = Axis::kEpsilon;
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
  c.document.checkpoints = {15, 100};
  Claim claim;
  claim.policy = "a";
  claim.settles = 0.9;
  EXPECT_EQ(judge(claim, make_figure({}, {c})).judgement, Judgement::kOpen);
  const Curve never = curve({.policy = "a", .runs = {{0, 0}, {0, 0}}});
  EXPECT_EQ(judge(claim, make_figure({}, {never})).judgement, Judgement::kHolds);
}

Figure slopes_over_k(const std::vector<Curve>& curves) {
  FigureRequest request;
  request.x = Axis::kVariable;
  request.x_variable = "K";
  request.slopes = true;
  return make_figure(request, curves);
}

TEST(Claims, OfSlopesAreOfEveryLine) {
  std::vector<Curve> curves;
  for (const double k : {2.0, 4.0, 8.0}) {
    const std::vector<lab::Variable> variables{{"K", k}};
    curves.push_back(curve({.policy = "a", .variables = variables, .runs = around(k)}));
    curves.push_back(
        curve({.policy = "a", .epsilon = 2, .variables = variables, .runs = around(k * k)}));
    curves.push_back(curve({.policy = "b", .variables = variables, .runs = around(1)}));
    curves.push_back(
        curve({.policy = "b", .epsilon = 2, .variables = variables, .runs = around(k)}));
  }
  const Figure figure = slopes_over_k(curves);
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

TEST(Claims, OfNoiseWithoutATrendAreOpen) {
  std::vector<Curve> curves;
  const double noise[] = {1.3, 0.8, 1.1, 0.9};
  for (int i = 0; i < 4; ++i) {
    const std::vector<lab::Variable> variables{{"K", std::pow(2.0, i)}};
    for (const char* policy : {"a", "b"})
      curves.push_back(
          curve({.policy = policy, .variables = variables, .runs = around(noise[i], 0.05)}));
  }
  const Figure figure = slopes_over_k(curves);
  Claim slope;
  slope.policy = "a";
  slope.slope = 0;
  slope.within = 0.2;
  EXPECT_EQ(judge(slope, figure).judgement, Judgement::kOpen) << judge(slope, figure).measured;
  Claim steeper;
  steeper.policy = "a";
  steeper.than = {"b"};
  steeper.steeper_by = 0;
  EXPECT_EQ(judge(steeper, figure).judgement, Judgement::kOpen) << judge(steeper, figure).measured;
  Claim linear;
  linear.policy = "a";
  linear.linear = 0.5;
  EXPECT_NE(judge(linear, figure).judgement, Judgement::kHolds) << judge(linear, figure).measured;
}

TEST(Claims, OfStraightLines) {
  const auto judged_line = [](double (*y)(double), double spread, double share) {
    std::vector<Curve> curves;
    for (const double k : {1.0, 2.0, 4.0, 8.0}) {
      curves.push_back(
          curve({.policy = "a", .variables = {{"K", k}}, .runs = around(y(k), spread)}));
    }
    Claim claim;
    claim.policy = "a";
    claim.linear = share;
    return judge(claim, slopes_over_k(curves)).judgement;
  };
  const auto affine = [](double k) { return 100 + 3 * k; };
  const auto root = [](double k) { return std::sqrt(k); };
  EXPECT_EQ(judged_line(affine, 0.001, 0.05), Judgement::kHolds) << "it may start above 0";
  EXPECT_EQ(judged_line(affine, 1, 0.05), Judgement::kOpen);
  EXPECT_EQ(judged_line(root, 0.0001, 0.05), Judgement::kFails);
}

TEST(Claims, OfSlopes) {
  std::vector<Curve> curves;
  for (const double k : {2.0, 4.0, 8.0}) {
    const std::vector<lab::Variable> variables{{"K", k}};
    curves.push_back(curve({.policy = "steep", .variables = variables, .runs = around(k * k)}));
    curves.push_back(curve({.policy = "flat", .variables = variables, .runs = around(k)}));
  }
  const Figure figure = slopes_over_k(curves);
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

/// 100 + 40/epsilon on a floor of 100: no power of epsilon, but 1/epsilon above it.
std::vector<Curve> curves_on_a_floor(double height, double spread) {
  std::vector<Curve> curves{curve({.policy = "floor", .epsilon = {}, .runs = around(100, spread)})};
  for (const double epsilon : {0.1, 1.0, 10.0}) {
    curves.push_back(
        curve({.policy = "a", .epsilon = epsilon, .runs = around(100 + height / epsilon, spread)}));
  }
  return curves;
}

TEST(Claims, OfSlopesAboveAFloor) {
  FigureRequest request;
  request.x = Axis::kEpsilon;
  request.slopes = true;
  const auto judged_above = [&](const std::vector<Curve>& curves) {
    Claim claim;
    claim.policy = "a";
    claim.slope = -1;
    claim.within = 0.1;
    claim.above = "floor";
    return judge(claim, make_figure(request, curves));
  };
  const std::vector<Curve> curves = curves_on_a_floor(40, 0.001);
  EXPECT_EQ(judged_above(curves).judgement, Judgement::kHolds);
  EXPECT_EQ(judged_above(curves).measured, "slope above floor -1.00 +/- 0.00, where -1 is said");
  EXPECT_EQ(judged_above(curves_on_a_floor(40, 1)).judgement, Judgement::kOpen)
      << "the interval of the last excess, 4, reaches 0";
  EXPECT_EQ(judged_above(curves_on_a_floor(-0.5, 0.001)).judgement, Judgement::kOpen) << "below it";
  Claim alone;
  alone.policy = "a";
  alone.slope = -1;
  alone.within = 0.1;
  EXPECT_NE(judge(alone, make_figure(request, curves)).judgement, Judgement::kHolds);
}

TEST(Claims, MayBeOfOneEpsilonAndSettleOverIt) {
  std::vector<Curve> curves;
  for (const double epsilon : {0.1, 1.0, 10.0}) {
    curves.push_back(
        curve({.policy = "a", .epsilon = epsilon, .runs = around(50 / epsilon + 100)}));
    curves.push_back(curve({.policy = "b", .epsilon = epsilon, .runs = around(200)}));
  }
  FigureRequest request;
  request.name = "f";
  request.x = Axis::kEpsilon;
  const Figure figure = make_figure(request, curves);
  Claim less;
  less.figure = "f";
  less.policy = "a";
  less.than = {"b"};
  EXPECT_EQ(judge(less, figure).judgement, Judgement::kFails);
  less.epsilon = 10;
  EXPECT_EQ(judge(less, figure).judgement, Judgement::kHolds);
  EXPECT_EQ(judge(less, figure).measured, "105 against 200 of b at x = 10");
  Claim settles;
  settles.figure = "f";
  settles.policy = "a";
  settles.settles = 0.5;
  EXPECT_EQ(judge(settles, figure).judgement, Judgement::kHolds);
  EXPECT_EQ(judge(settles, figure).measured, "150 at 1, 105 at the end");
  settles.settles = 0.4;
  EXPECT_EQ(judge(settles, figure).judgement, Judgement::kFails);
}

}  // namespace
}  // namespace tacit::reports
