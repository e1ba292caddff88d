#include "tacit/reports/usual_figures.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/reports/sample_curves_test.hpp"

namespace tacit::reports {
namespace {

TEST(UsualFigures, HaveNamesOfTheirOwnThatFitAFile) {
  const std::vector<Curve> curves{curve({.epsilon = 0.5, .problem = "a:b", .runs = around(1)}),
                                  curve({.epsilon = 1, .problem = "a:b", .runs = around(1)}),
                                  curve({.problem = "a/b", .runs = around(1)}),
                                  curve({.problem = std::string(500, '7'), .runs = around(1)}),
                                  curve({.problem = "", .runs = around(1)})};
  const std::vector<FigureRequest> figures = usual_figures(curves);
  ASSERT_EQ(figures.size(), 4U);
  EXPECT_EQ(figures[0].name, "a-b");
  EXPECT_EQ(figures[0].panels, Panels::kEpsilon);
  EXPECT_EQ(figures[1].name, "a-b-2");
  EXPECT_EQ(figures[1].panels, Panels::kOne);
  EXPECT_LT(figures[2].name.size(), 100U);
  EXPECT_FALSE(figures[3].name.empty());
}

TEST(UsualFigures, OfWhatIsIdentifiedAreOverWhatWasSwept) {
  const auto at = [](const char* problem, double epsilon, double error) {
    return curve({.epsilon = epsilon,
                  .problem = problem,
                  .runs = found_after(9),
                  .goal = with_error(error)});
  };
  const auto figures = usual_figures({at("epsilons", 0.5, 0.1), at("epsilons", 1, 0.1),
                                      at("errors", 1, 0.1), at("errors", 1, 0.2),
                                      at("both", 0.5, 0.1), at("both", 1, 0.2), at("one", 1, 0.1),
                                      curve({.problem = "budget",
                                             .runs = found_after(9),
                                             .goal = simulation::Goal{.budget = true}})});
  ASSERT_EQ(figures.size(), 5U);
  EXPECT_EQ(figures[0].x, Axis::kEpsilon);
  EXPECT_EQ(figures[0].y, Quantity::kSamples);
  EXPECT_EQ(figures[1].x, Axis::kError);
  EXPECT_EQ(figures[2].x, Axis::kError);
  EXPECT_EQ(figures[2].panels, Panels::kEpsilon);
  EXPECT_EQ(figures[3].x, Axis::kError);
  EXPECT_EQ(figures[4].x, Axis::kEpsilon);
  EXPECT_EQ(figures[4].y, Quantity::kWrong);
  std::vector<Curve> budgets;
  for (const double n : {100.0, 200.0}) {
    budgets.push_back(curve({.variables = {{"n", n}},
                             .runs = found_after(n),
                             .goal = simulation::Goal{.budget = true}}));
  }
  ASSERT_EQ(usual_figures(budgets).size(), 1U);
  EXPECT_EQ(usual_figures(budgets)[0].x, Axis::kVariable);
  EXPECT_EQ(usual_figures(budgets)[0].x_variable, "n");
}

}  // namespace
}  // namespace tacit::reports
