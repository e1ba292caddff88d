#include "tacit/reports/looks.hpp"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/lab/plan.hpp"
#include "tacit/reports/layout.hpp"
#include "tacit/reports/paper_experiment.hpp"
#include "tacit/reports/sample_curves_test.hpp"

namespace tacit::reports {
namespace {

/// The curves of an experiment that nobody has played: all but their numbers.
std::vector<Curve> unplayed(const lab::Experiment& experiment) {
  std::vector<Curve> curves;
  for (const lab::Task& task : lab::make_plan(experiment).tasks) {
    Curve curve;
    curve.document = task.document;
    const std::size_t points = curve.checkpoints().size();
    simulation::Measurement measurement;
    for (const double shift : {0.0, 1.0}) {
      std::vector<double> run;
      for (const Round t : curve.checkpoints()) run.push_back(static_cast<double>(t) + shift);
      if (curve.identifies()) run[kWrong] = shift;
      measurement.add_run(run);
    }
    curve.regrets.resize(points);
    curve.measured = std::move(measurement).finish();
    curves.push_back(std::move(curve));
  }
  return curves;
}

struct Drawn {
  std::string experiment;
  Figure figure;
};

/// Every figure of every experiment of a paper, but for those on files that may not be distributed.
const std::vector<Drawn>& all_figures() {
  static const std::vector<Drawn> all = [] {
    std::vector<Drawn> figures;
    for (const PaperExperiment& paper : paper_experiments()) {
      if (paper.needs_movies()) continue;
      const std::vector<Curve> curves = unplayed(paper.experiment);
      for (const FigureRequest& request : paper.asked.figures) {
        figures.push_back(
            {paper.experiment.file, make_figure(request, curves, paper.asked.claims)});
      }
    }
    return figures;
  }();
  return all;
}

TEST(Looks, GiveAPolicyItsColourInAllFigures) {
  std::map<std::string, std::string> colours;
  for (const auto& [experiment, figure] : all_figures()) {
    for (const Panel& panel : figure.panels) {
      for (const Series& series : panel.series) {
        if (series.policy_name.empty()) continue;
        const auto known = colours.emplace(series.policy_name, series.look.colour).first;
        EXPECT_EQ(known->second, series.look.colour) << figure.name << ", " << series.label;
      }
    }
  }
  EXPECT_GT(colours.size(), 20U);
}

TEST(Looks, AreDifferentForAllThatALegendTellsApart) {
  ASSERT_GT(all_figures().size(), 30U);
  for (const auto& [experiment, figure] : all_figures()) {
    std::set<std::tuple<std::string, std::string, int>> taken;
    for (const LegendEntry& entry : legend_of(figure)) {
      if (entry.series->origin == Origin::kFit) continue;  // of its line's colour
      const Look& look = entry.series->look;
      ASSERT_TRUE(look.mark) << entry.text;
      EXPECT_TRUE(taken.emplace(look.colour, look.dashes, static_cast<int>(*look.mark)).second)
          << figure.name << ": " << entry.text;
    }
  }
}

TEST(Looks, HaveDifferentColoursForPoliciesThatAreDrawnTogether) {
  for (const auto& [experiment, figure] : all_figures()) {
    std::map<std::string, std::string> owner;  // by colour
    for (const Panel& panel : figure.panels) {
      for (const Series& series : panel.series) {
        if (!series.is_measured()) continue;
        const auto known = owner.emplace(series.look.colour, series.policy_name).first;
        EXPECT_EQ(known->second, series.policy_name)
            << figure.name << " of " << experiment
            << ": give one of them another row in palette.cpp";
      }
    }
  }
}

TEST(Looks, OfOnePolicyDifferInMarksAndOfALabelAreTheSameInAllPanels) {
  FigureRequest request;
  request.panels = Panels::kProblem;
  std::vector<Curve> curves;
  for (const char* problem : {"p", "q"}) {
    for (int epsilon = 1; epsilon <= 12; ++epsilon) {
      curves.push_back(curve({.epsilon = epsilon, .problem = problem, .runs = around(epsilon)}));
    }
  }
  const Figure figure = make_figure(request, curves);
  ASSERT_EQ(figure.panels.size(), 2U);
  std::set<Mark> marks;
  for (std::size_t i = 0; i < 12; ++i) {
    const Look& look = figure.panels[0].series[i].look;
    marks.insert(*look.mark);
    EXPECT_EQ(look.colour, ink_of("some").colour);
    EXPECT_EQ(look.mark, figure.panels[1].series[i].look.mark);
  }
  EXPECT_EQ(marks.size(), 12U);
}

TEST(Looks, SayOfABoundWhetherItHasToBeKept) {
  std::set<std::string> dashes;
  for (const theory::Kind kind : {theory::Kind::kFinite, theory::Kind::kAsymptotic,
                                  theory::Kind::kMinimax, theory::Kind::kReference}) {
    Series series;
    series.label = "b";
    series.origin = Origin::kBound;
    series.bound_kind = kind;
    Figure figure;
    figure.panels = {Panel{"", {series}}};
    give_looks(figure);
    dashes.insert(figure.panels[0].series[0].look.dashes);
  }
  EXPECT_EQ(dashes.size(), 4U);
}

}  // namespace
}  // namespace tacit::reports
