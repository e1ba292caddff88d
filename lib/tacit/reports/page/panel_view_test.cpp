#include "tacit/reports/page/panel_view.hpp"

#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacit/policies/catalogue.hpp"
#include "tacit/reports/looks.hpp"
#include "tacit/reports/page/colours.hpp"
#include "tacit/reports/page/marks.hpp"
#include "tacit/reports/page/well_formed_test.hpp"

namespace tacit::reports::page {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Series line_of(const std::string& label, std::vector<Point> points) {
  Series series;
  series.label = label;
  series.policy_name = label;
  series.points = std::move(points);
  return series;
}

Figure figure_of(std::vector<Series> lines, const Scales& scales = {}) {
  Figure figure;
  figure.x_label = "round";
  figure.y_label = "regret";
  figure.scales = scales;
  figure.panels = {{"a \"panel\"", std::move(lines)}};
  give_looks(figure);
  return figure;
}

std::string svg_of(const Figure& figure) {
  return panel_svg(figure, panel_views(figure).front(), legend_of(figure));
}

/// What an attribute of the element with this class and label says.
std::string path_of(const std::string& svg, const std::string& kind, const std::string& label) {
  const PageReader reader(svg);
  for (const Element& element : reader.elements()) {
    const auto& a = element.attributes;
    if (!a.contains("class") || !a.contains("data-l") || a.at("data-l") != label) continue;
    if (a.at("class").starts_with(kind + " ")) return a.at("d");
  }
  return "";
}

TEST(PanelView, DrawsPointsWhereTheAxesHaveThem) {
  const Figure figure =
      figure_of({line_of("a", {{0, 0, kNone, kNone}, {50, 1, kNone, kNone}, {100, 4, 3, 5}})});
  const PanelView view = panel_views(figure).front();
  EXPECT_EQ(view.frame.x.low, 0);
  EXPECT_EQ(view.frame.x.high, 100);
  EXPECT_EQ(view.frame.y.low, 0);
  const double bottom = view.top + view.frame.height;
  const double last = bottom - view.frame.height * 4 / view.frame.y.high;
  const double middle = bottom - view.frame.height * 1 / view.frame.y.high;
  EXPECT_EQ(
      path_of(svg_of(figure), "line", "0"),
      fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}", view.left, bottom,
                  view.left + view.frame.width / 2, middle, view.left + view.frame.width, last));
  EXPECT_EQ(occurrences(path_of(svg_of(figure), "band", "0"), "L"), 5) << "there and back";
}

TEST(PanelView, DoesNotBridgeWhatIsMissing) {
  const Figure figure = figure_of({line_of("a", {{1, 1, kNone, kNone},
                                                 {2, 2, kNone, kNone},
                                                 {3, -1, kNone, kNone},
                                                 {4, 2, kNone, kNone},
                                                 {5, 3, kNone, kNone}})},
                                  {false, true});
  EXPECT_EQ(occurrences(path_of(svg_of(figure), "line", "0"), "M"), 2);
}

TEST(PanelView, NumbersLinesByTheLegend) {
  Series bound = line_of("a bound", {{0, 2, kNone, kNone}, {9, 3, kNone, kNone}});
  bound.origin = Origin::kBound;
  bound.policy_name.clear();
  const Figure figure =
      figure_of({bound, line_of("a", {{0, 1, kNone, kNone}, {9, 2, kNone, kNone}})});
  EXPECT_EQ(label_number(legend_of(figure), figure.panels[0].series[0]), 1U)
      << "after what was measured";
  const std::string svg = svg_of(figure);
  EXPECT_NE(path_of(svg, "line", "0"), "");
  EXPECT_NE(path_of(svg, "line", "1"), "");
  EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
}

TEST(PanelView, RaisesExponentsAndSaysWhatIsSeen) {
  const Figure figure =
      figure_of({line_of("a <b>", {{10, 10, 9, 11}, {1e6, 1e4, 9e3, 2e4}}),
                 line_of("c", {{10, 20, kNone, kNone}, {1e6, 5e4, kNone, kNone}})},
                {true, true});
  const std::string svg = svg_of(figure);
  EXPECT_NE(svg.find("10<tspan class=\"up\" dy=\"-6\">4</tspan>"), std::string::npos) << svg;
  EXPECT_NE(
      svg.find("aria-label=\"a &quot;panel&quot;: regret (logarithmic) against round "
               "(logarithmic). At the right end, from the top: c 5e+04; a &lt;b&gt; 1e+04.\""),
      std::string::npos)
      << svg;
}

TEST(PanelView, ShowsBarsAndMarksOfASweepInsideTheFrame) {
  Series sweep = line_of("a", {{1, 10, 9, 11}, {2, 20, 15, 25}, {3, 15, 14, 16}});
  sweep.course = Course::kSwept;
  const std::string svg = svg_of(figure_of({sweep}));
  EXPECT_EQ(occurrences(path_of(svg, "bars", "0"), "V"), 3);
  EXPECT_EQ(path_of(svg, "band", "0"), "");
  int marks = 0;
  const PageReader reader(svg);
  for (const Element& element : reader.elements()) {
    const auto kind = element.attributes.find("class");
    if (kind != element.attributes.end())
      marks += kind->second == "full" || kind->second == "empty" ? 1 : 0;
  }
  EXPECT_EQ(marks, 3);
}

TEST(Colours, AreKnownToTheStyleSheetWhateverIsDrawn) {
  const std::string css = colours_css();
  std::vector<Series> lines;
  for (const policies::Entry& entry : policies::catalogue())
    lines.push_back(line_of(entry.card.name, {{1, 1, kNone, kNone}}));
  for (int i = 0; i < 12; ++i) {
    lines.push_back(line_of("bound " + std::to_string(i), {{1, 1, kNone, kNone}}));
    lines.back().origin = Origin::kBound;
    lines.back().policy_name.clear();
  }
  for (const Series& series : figure_of(lines).panels[0].series) {
    const std::string name = colour_class(series.look.colour);
    EXPECT_EQ(occurrences(css, "." + name + "{"), 1) << series.label << " " << name;
    EXPECT_EQ(occurrences(css, "--" + name + ":"), 4) << "light and dark, by setting and by choice";
  }
  EXPECT_EQ(occurrences(css, "." + colour_class(kFitColour) + "{"), 1);
}

TEST(Marks, HaveDashesAsGnuplotHas) {
  Look look{.colour = "#000000", .mark = {}, .dashes = "(14,5,3,5)", .width = 2};
  EXPECT_EQ(stroke_of(look, 2), " stroke-width=\"2\" stroke-dasharray=\"14 5 3 5\"");
  EXPECT_EQ(stroke_of(look, 4), " stroke-width=\"4\" stroke-dasharray=\"28 10 6 10\"");
  look.dashes = "1";
  EXPECT_EQ(stroke_of(look, 2), " stroke-width=\"2\"");
}

TEST(Marks, AllLookDifferent) {
  std::set<std::string> seen;
  for (int number = 1; number <= static_cast<int>(Mark::kFullPentagon); ++number) {
    const std::string svg = mark_svg(static_cast<Mark>(number), {10, 10}, 1, "");
    EXPECT_TRUE(seen.insert(svg).second) << svg;
    EXPECT_EQ(PageReader(svg).elements().size(), 1U);
  }
}

}  // namespace
}  // namespace tacit::reports::page
