#include "tacit/reports/gnuplot.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/reports/sample_curves_test.hpp"

namespace tacit::reports {
namespace {

TEST(Gnuplot, DrawsWhoProtectsNobodyDashed) {
  const std::vector<Curve> curves{
      curve(
          {.policy = "base 'x' `id`", .epsilon = {}, .runs = around(5), .guarantee_of_epsilon = 0}),
      curve({.policy = "mine", .runs = around(10)})};
  const std::string program = gnuplot_program(make_figure({}, curves), Format::kSvg, "out.svg");
  const std::string base = ink_of("base 'x' `id`").colour;
  const std::string mine = ink_of("mine").colour;
  EXPECT_NE(program.find("lc rgb \"" + base + "\" lw 2.2 dt (16,7)"), std::string::npos) << program;
  EXPECT_NE(program.find("lc rgb \"" + mine + "\" lw 2.2 dt 1"), std::string::npos);
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
  request.x = Axis::kVariable;
  request.x_variable = "K";
  request.scales = {.log_x = true, .log_y = true};
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

TEST(Gnuplot, DoesNotBridgeWhatALogarithmicAxisLeavesOut) {
  FigureRequest request;
  request.x = Axis::kVariable;
  request.x_variable = "K";
  request.scales = {.log_x = false, .log_y = true};
  std::vector<Curve> curves;
  for (const double k : {1.0, 2.0, 3.0, 4.0}) {
    curves.push_back(curve({.variables = {{"K", k}}, .runs = around(k == 2 ? -5 : 10)}));
  }
  const std::string program =
      gnuplot_program(make_figure(request, curves), Format::kSvg, "out.svg");
  const std::size_t start = program.find("$d0_0 << EOD\n1 10 ");
  ASSERT_NE(start, std::string::npos) << program;
  const std::string data = program.substr(start, program.find("\nEOD", start) - start);
  EXPECT_NE(data.find("\n\n3 10 "), std::string::npos) << data;
  EXPECT_EQ(data.find("\n\n4 "), std::string::npos) << data;
}

TEST(Gnuplot, AnEmptyPanelLeavesTheRangesOfTheOthersAlone) {
  FigureRequest request;
  request.scales.log_y = true;
  request.panels = Panels::kProblem;
  const std::string program =
      gnuplot_program(make_figure(request, {curve({.problem = "p", .runs = {{0, 0}, {0, 0}}}),
                                            curve({.problem = "q", .runs = around(10)})}),
                      Format::kSvg, "out.svg");
  const std::size_t other = program.find("$d1_0 <<");
  const std::size_t range = program.rfind("set yrange", other);
  ASSERT_NE(other, std::string::npos);
  EXPECT_TRUE(program.substr(range).starts_with("set yrange [4.8")) << program.substr(range, 40);
}

/// Columns of a block of data.
std::vector<std::vector<double>> block(const std::string& program, const std::string& name) {
  std::vector<std::vector<double>> rows;
  const std::size_t start = program.find(name + " << EOD\n");
  if (start == std::string::npos) return rows;
  std::istringstream lines(program.substr(program.find('\n', start) + 1));
  for (std::string line; std::getline(lines, line) && line != "EOD";) {
    std::istringstream numbers(line);
    rows.emplace_back();
    for (double x = 0; numbers >> x;) rows.back().push_back(x);
  }
  return rows;
}

std::string program_of(const FigureRequest& request, const std::vector<Curve>& curves) {
  return gnuplot_program(make_figure(request, curves), Format::kPng, "out.png");
}

TEST(Gnuplot, HidesNoCurveUnderAnother) {
  const std::vector<Curve> same{curve({.policy = "a", .runs = around(10)}),
                                curve({.policy = "b", .runs = around(10)}),
                                curve({.policy = "c", .runs = around(90)})};
  const std::string program = program_of({}, same);
  const auto style = [](const char* policy, const char* width) {
    return "lc rgb \"" + ink_of(policy).colour + "\" lw " + width + " dt 1 notitle";
  };
  EXPECT_NE(program.find(style("a", "4.2")), std::string::npos) << "wider than what is on it";
  EXPECT_NE(program.find(style("b", "2.2")), std::string::npos);
  EXPECT_NE(program.find(style("c", "2.2")), std::string::npos) << "it lies alone";
  const auto below = block(program, "$m0_0");
  const auto above = block(program, "$m0_1");
  ASSERT_GT(below.size(), 3U);
  ASSERT_EQ(below.size(), above.size());
  for (std::size_t i = 0; i < below.size(); ++i) {
    EXPECT_GT(above[i].at(0) - below[i].at(0), 3) << "of 100 rounds";
  }
}

TEST(Gnuplot, PutsPointsThatWouldHideEachOtherSideBySide) {
  FigureRequest request;
  request.x = Axis::kVariable;
  request.x_variable = "K";
  std::vector<Curve> curves;
  for (const char* policy : {"a", "b", "c"}) {
    for (const double k : {2.0, 4.0, 6.0}) {
      const double regret = policy[0] == 'c' ? 30 * k : 10 * k;
      curves.push_back(curve({.policy = policy, .variables = {{"K", k}}, .runs = around(regret)}));
    }
  }
  const std::string program = program_of(request, curves);
  const double left = block(program, "$d0_0").at(1).at(0);
  const double right = block(program, "$d0_1").at(1).at(0);
  EXPECT_LT(left, 4);
  EXPECT_GT(right, 4);
  EXPECT_NEAR(left + right, 8, 1e-6);
  EXPECT_LT(right - left, 0.3) << "a few pixels";
  EXPECT_EQ(block(program, "$d0_2").at(1).at(0), 4) << "nothing is in its way";
  for (Curve& each : curves)
    each.document.bounds = {bound(theory::Kind::kFinite, theory::Side::kLower, 90)};
  request.bounds = {"hu-theorem-3"};
  curves.resize(3);
  for (Curve& each : curves) each.document.bounds[0].values[1] = 10 * *each.variable("K");
  EXPECT_EQ(block(program_of(request, curves), "$d0_0").at(1).at(0), 4) << "a bound has no points";
}

TEST(Gnuplot, DrawsAllPanelsOnBothKindsOfAxes) {
  FigureRequest request;
  request.panels = Panels::kEpsilon;
  request.also = Scales{true, true};
  const std::string program = program_of(request, {curve({.epsilon = 0.5, .runs = around(10)}),
                                                   curve({.epsilon = 1, .runs = around(20)})});
  const auto count = [&](const std::string& what) {
    int found = 0;
    for (std::size_t at = program.find(what); at != std::string::npos;
         at = program.find(what, at + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_EQ(count("\nplot "), 5) << "four panels and the legend";
  EXPECT_EQ(count("set title 'ε = 0.5'"), 2);
  EXPECT_EQ(count("\nset logscale x"), 2);
  EXPECT_EQ(count("\nunset logscale x"), 2);
  EXPECT_EQ(count("'some (central ε)'"), 1) << "one legend";
}

TEST(Gnuplot, KnowsItsEndings) {
  EXPECT_EQ(format_of("a.svg"), Format::kSvg);
  EXPECT_EQ(format_of("a.b.pdf"), Format::kPdf);
  EXPECT_THROW(format_of("a.gif"), InvalidParameter);
  EXPECT_THROW(format_of("svg"), InvalidParameter);
}

}  // namespace
}  // namespace tacit::reports
