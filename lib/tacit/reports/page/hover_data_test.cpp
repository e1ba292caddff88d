#include "tacit/reports/page/hover_data.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacit/reports/looks.hpp"
#include "tacit/reports/sample_curves_test.hpp"

namespace tacit::reports::page {
namespace {

using lab::Json;

Json data_of(const Figure& figure) {
  return Json::parse(hover_data(figure, panel_views(figure), legend_of(figure)));
}

void expect_same(const Json& told, double number) {
  EXPECT_NEAR(told.get<double>(), number, 1e-5 * std::abs(number)) << "to six digits";
}

TEST(HoverData, IsWhatTheFigureShows) {
  FigureRequest request;
  request.panels = Panels::kEpsilon;
  request.also = Scales{true, true};
  request.bounds = {"hu-theorem-3"};
  std::vector<Curve> curves;
  for (const double epsilon : {0.5, 1.0}) {
    for (const char* policy : {"a", "b"}) {
      curves.push_back(
          curve({.policy = policy,
                 .epsilon = epsilon,
                 .runs = around(1234.5678 * epsilon, 1.23456),
                 .bounds = {bound(theory::Kind::kFinite, theory::Side::kUpper, 9e4)}}));
    }
  }
  curves.push_back(curve({.policy = "none", .epsilon = {}, .runs = {{1.0 / 3, 2.0 / 3}}}));
  const Figure figure = make_figure(request, curves);
  const std::vector<LegendEntry> legend = legend_of(figure);
  const Json data = data_of(figure);
  EXPECT_EQ(data.at("x"), "round");
  EXPECT_EQ(data.at("y"), "regret");
  ASSERT_EQ(data.at("panels").size(), figure.panels.size());
  int points = 0;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Panel& panel = figure.panels[i];
    ASSERT_EQ(data["panels"][i].size(), panel.series.size());
    for (std::size_t j = 0; j < panel.series.size(); ++j) {
      const Series& series = panel.series[j];
      const Json& line = data["panels"][i][j];
      EXPECT_EQ(data["labels"].at(line.at("l").get<std::size_t>()), series.label);
      ASSERT_EQ(line.at("points").size(), series.points.size());
      for (std::size_t k = 0; k < series.points.size(); ++k) {
        const Point& point = series.points[k];
        const Json& told = line["points"][k];
        ++points;
        ASSERT_EQ(told.size(), std::isfinite(point.lo) ? 4U : 2U) << series.label;
        expect_same(told[0], point.x);
        expect_same(told[1], point.y);
        if (told.size() == 2) continue;
        expect_same(told[2], point.lo);
        expect_same(told[3], point.hi);
      }
    }
  }
  EXPECT_EQ(points, 2 * (2 * 2 + 2 + 2)) << "two panels: two policies, who has none, two bounds";
  ASSERT_EQ(data.at("views").size(), 4U) << "both panels on both kinds of axes";
  const std::vector<PanelView> views = panel_views(figure);
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Json& told = data["views"][i];
    EXPECT_EQ(told.at("panel"), i % 2);
    EXPECT_EQ(told.at("x"), (Json{views[i].frame.x.low, views[i].frame.x.high, i >= 2}));
    EXPECT_EQ(told.at("y"), (Json{views[i].frame.y.low, views[i].frame.y.high, i >= 2}));
    EXPECT_EQ(told.at("left"), views[i].left);
    EXPECT_EQ(told.at("height"), views[i].frame.height);
    EXPECT_EQ(told.at("dodge").size(), views[i].panel->series.size());
  }
}

TEST(HoverData, LeavesOutWhatIsNoNumber) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  Figure figure;
  Series series;
  series.label = "odd \" \\ \xff";
  series.points = {{1, kNone, kNone, kNone}, {2, kInfinite, 0, 1}, {3, 4, kNone, kNone}};
  figure.panels = {{"", {series}}};
  give_looks(figure);
  const Json data = data_of(figure);
  EXPECT_EQ(data["panels"][0][0]["points"], Json::array({Json{3, 4}}));
}

TEST(HoverData, KnowsWhichPointsStandBesideOthers) {
  FigureRequest request;
  request.x = Axis::kEpsilon;
  std::vector<Curve> curves;
  for (const double epsilon : {1.0, 2.0}) {
    for (const char* policy : {"a", "b"}) {
      curves.push_back(curve({.policy = policy, .epsilon = epsilon, .runs = around(10)}));
    }
  }
  const Json dodge = data_of(make_figure(request, curves))["views"][0]["dodge"];
  EXPECT_EQ(dodge, (Json{-3.5, 3.5}));
}

}  // namespace
}  // namespace tacit::reports::page
