#include "tacit/reports/markdown.hpp"

#include <gtest/gtest.h>

#include "tacit/reports/sample_curves_test.hpp"

namespace tacit::reports {
namespace {

TEST(Markdown, HasARowForEveryProblemAndEpsilonAndTheBestPrivatePolicyInBold) {
  const std::vector<Curve> curves = {
      curve({.policy = "a", .epsilon = 0.5, .runs = around(12345.6)}),
      curve({.policy = "a", .epsilon = 1, .runs = around(7.25)}),
      curve({.policy = "b", .epsilon = 0.5, .runs = around(123.45)}),
      curve({.policy = "b", .epsilon = 1, .runs = around(99)}),
      curve({.policy = "open", .epsilon = {}, .runs = around(0.5)}),
      curve({.policy = "a", .epsilon = 1, .problem = "q|r", .runs = around(1)}),
  };
  EXPECT_EQ(to_markdown(curves),
            "| problem | epsilon | rounds | a | b | open |\n"
            "|---|---|---|---|---|---|\n"
            "| p | 0.5 | 100 | 12346 | **123.5** | 0.5000 |\n"
            "| p | 1 | 100 | **7.250** | 99.00 | 0.5000 |\n"
            "\n"
            "| problem | epsilon | rounds | a |\n"
            "|---|---|---|---|\n"
            "| q\\|r | 1 | 100 | **1.000** |\n");
}

TEST(Markdown, WhoClaimsPrivacyInVainIsNotTheBest) {
  const std::vector<Curve> curves = {
      curve({.policy = "broken", .runs = around(1), .guarantee_of_epsilon = 0}),
      curve({.policy = "a", .runs = around(2)}),
      curve({.policy = "b", .epsilon = 2, .runs = around(3)}),
  };
  EXPECT_EQ(to_markdown(curves),
            "| problem | epsilon | rounds | broken | a | b |\n"
            "|---|---|---|---|---|---|\n"
            "| p | 1 | 100 | 1.000 | **2.000** | - |\n"
            "| p | 2 | 100 | - | - | **3.000** |\n");
}

TEST(Markdown, HasSamplesByTheErrorAndSharesByTheBudget) {
  const simulation::Goal budget{.budget = true};
  EXPECT_EQ(to_markdown({curve({.policy = "a", .runs = found_after(50), .goal = with_error(0.1)}),
                         curve({.policy = "b", .runs = found_after(40), .goal = with_error(0.1)}),
                         curve({.policy = "a", .runs = found_after(70), .goal = with_error(0.01)}),
                         curve({.policy = "b", .runs = found_after(90), .goal = with_error(0.01)}),
                         curve({.policy = "a", .runs = found_after(100, 4, 1), .goal = budget}),
                         curve({.policy = "b", .runs = found_after(100, 4, 2), .goal = budget})}),
            "| problem | epsilon | error | a | b |\n"
            "|---|---|---|---|---|\n"
            "| p | 1 | 0.1 | 50.00 | **40.00** |\n"
            "| p | 1 | 0.01 | **70.00** | 90.00 |\n"
            "\n"
            "| problem | epsilon | budget | a | b |\n"
            "|---|---|---|---|---|\n"
            "| p | 1 | 100 | **0.2500** | 0.5000 |\n");
}

TEST(Markdown, WithoutEpsilonThereIsOneRow) {
  EXPECT_EQ(to_markdown({curve({.epsilon = {}, .runs = around(0)})}),
            "| problem | epsilon | rounds | some |\n|---|---|---|---|\n| p |  | 100 | 0 |\n");
  EXPECT_EQ(to_markdown({}), "");
}

}  // namespace
}  // namespace tacit::reports
