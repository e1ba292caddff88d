#include "tacit/reports/gnuplot.hpp"

#include <limits>
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

TEST(Gnuplot, KnowsItsEndings) {
  EXPECT_EQ(format_of("a.svg"), Format::kSvg);
  EXPECT_EQ(format_of("a.b.pdf"), Format::kPdf);
  EXPECT_THROW(format_of("a.gif"), InvalidParameter);
  EXPECT_THROW(format_of("svg"), InvalidParameter);
}

}  // namespace
}  // namespace tacit::reports
