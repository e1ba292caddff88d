#include "tacit/reports/report_request.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::reports {
namespace {

constexpr const char* kSmall = R"(
title = "small"
horizon = 1e3
runs = 5
epsilon = [0.5, 1]

[[problem]]
name = "hu-linear"

[[policy]]
name = ["ucb1", "anytime-lazy-ucb"]
)";

ReportRequest asked(const std::string& text) {
  return read_report_request(lab::read_experiment(text, "some.toml"));
}

std::string refusal(const std::string& text) {
  try {
    asked(text);
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ReportRequest, FiguresMayOnlyNameWhatIsThere) {
  const std::string figure = std::string(kSmall) + "[[figure]]\nname = \"one\"\n";
  EXPECT_EQ(asked(figure + "axes = \"loglog\"\nepsilon = 0.5\n").figures.size(), 1U);
  const FigureRequest drawn =
      asked(figure + "axes = \"logy\"\nx = \"1/epsilon\"\ny = \"return\"\nepsilon = [0.5]\n")
          .figures.at(0);
  EXPECT_EQ(drawn.x, Axis::kInverseEpsilon);
  EXPECT_EQ(drawn.y, Quantity::kReturn);
  EXPECT_TRUE(drawn.scales.log_y && !drawn.scales.log_x);
  EXPECT_EQ(drawn.epsilons, std::vector<double>{0.5});
  EXPECT_NE(refusal(figure + "x = \"K\"\n").find("must be one of t, epsilon, 1/epsilon"),
            std::string::npos);
  EXPECT_NE(refusal(figure + "policies = [\"ucb2\"]\n").find("did you mean ucb1?"),
            std::string::npos);
  EXPECT_EQ(refusal(figure + "axis = \"logx\"\n"),
            "key = axis: unknown in [[figure]]; did you mean axes? (some.toml, line 14)");
  EXPECT_NE(refusal(figure + "[[figure]]\nname = \"one\"\n").find("earlier"), std::string::npos);
  EXPECT_NE(refusal(std::string(kSmall) + "[[figure]]\nname = \"a/b\"\n").find("fit for a file"),
            std::string::npos);
}

TEST(ReportRequest, AxesMayBeTwoKindsAndBeginLate) {
  const std::string figure = std::string(kSmall) + "[[figure]]\nname = \"one\"\n";
  const FigureRequest both =
      asked(figure + "axes = [\"linear\", \"loglog\"]\nfrom = 100\n").figures.at(0);
  EXPECT_FALSE(both.scales.log_x);
  ASSERT_TRUE(both.also);
  EXPECT_TRUE(both.also->log_x && both.also->log_y);
  EXPECT_EQ(both.from, 100);
  EXPECT_FALSE(asked(figure + "axes = \"logx\"\n").figures.at(0).also);
  EXPECT_NE(refusal(figure + "axes = [\"logx\", \"logx\"]\n").find("two that differ"),
            std::string::npos);
  EXPECT_NE(refusal(figure + "axes = [\"logx\", \"logy\", \"linear\"]\n").find("two that differ"),
            std::string::npos);
  for (const char* bad : {"from = 10\n", "axes = \"logx\"\nfrom = 0\n",
                          "axes = \"logx\"\nx = \"epsilon\"\nfrom = 10\n"}) {
    EXPECT_NE(refusal(figure + bad).find("must be a round"), std::string::npos) << bad;
  }
}

TEST(ReportRequest, GroupsNamePoliciesAndLeaveNoOtherPanels) {
  const std::string figure = std::string(kSmall) + "[[figure]]\nname = \"one\"\n";
  const std::string groups =
      "groups = { \"a b\" = \"ucb1\", c = [\"anytime-lazy-ucb\", \"ucb1\"] }\n";
  const FigureRequest drawn = asked(figure + groups).figures.at(0);
  EXPECT_EQ(drawn.panels, Panels::kGroup);
  ASSERT_EQ(drawn.groups.size(), 2U);
  EXPECT_EQ(drawn.groups[0].first, "a b");
  EXPECT_EQ(drawn.groups[1].second.size(), 2U);
  EXPECT_NE(refusal(figure + "groups = { a = \"ucb2\" }\n").find("did you mean ucb1?"),
            std::string::npos);
  EXPECT_NE(refusal(figure + groups + "panels = \"epsilon\"\n").find("must be left out"),
            std::string::npos);
}

TEST(ReportRequest, AxesAndPanelsMayBeVariables) {
  const FigureRequest figure =
      asked(
          "horizon = 10\nruns = 1\n[[problem]]\nname = \"k-path:{m}:{K}:0.4\"\n"
          "with = { K = [2, 4], m = [8, 16] }\n[[policy]]\nname = \"cucb\"\n"
          "[[figure]]\nname = \"f\"\nx = \"K\"\npanels = \"m\"\n")
          .figures.at(0);
  EXPECT_EQ(figure.x, Axis::kVariable);
  EXPECT_EQ(figure.x_variable, "K");
  EXPECT_EQ(figure.panels, Panels::kVariable);
  EXPECT_EQ(figure.panel_variable, "m");
}

TEST(ReportRequest, WhatIsIdentifiedIsDrawnAsSamplesOrSharesAndNotOverRounds) {
  const std::string found =
      "runs = 1\nerror = [0.1, 0.2]\nepsilon = 1\n[[problem]]\nname = \"hu-linear\"\n"
      "[[problem]]\nname = \"hu-equal\"\nbudget = \"{n}\"\nwith = { n = [50, 60] }\n"
      "[[policy]]\nname = \"mgf-tt\"\n[[figure]]\nname = \"one\"\n";
  const FigureRequest usual = asked(found).figures.at(0);
  EXPECT_EQ(usual.y, Quantity::kSamples);
  EXPECT_EQ(usual.x, Axis::kEpsilon);
  const FigureRequest drawn = asked(found +
                                    "x = \"error\"\npanels = \"error\"\nerror = 0.2\n"
                                    "bounds = [\"fewest-samples\", \"promised-error\"]\n")
                                  .figures.at(0);
  EXPECT_EQ(drawn.x, Axis::kError);
  EXPECT_EQ(drawn.panels, Panels::kError);
  EXPECT_EQ(drawn.errors, std::vector<double>{0.2});
  const FigureRequest budget = asked(found + "problems = \"hu-equal\"\nx = \"n\"\n").figures.at(0);
  EXPECT_EQ(budget.y, Quantity::kWrong);
  EXPECT_EQ(refusal(found + "x = \"t\"\n"),
            "x = t: what is identified is not measured over rounds; take epsilon, 1/epsilon, error "
            "or a variable (some.toml, line 14)");
  EXPECT_EQ(refusal(found + "y = \"regret\"\n"),
            "y = regret: is of runs with a horizon, and this figure shows none; take samples or "
            "wrong (some.toml, line 14)");
  EXPECT_EQ(refusal(found + "problems = \"hu-equal\"\ny = \"samples\"\n"),
            "y = samples: is of what is identified with an error, and this figure shows nothing "
            "that is (some.toml, line 15)");
  EXPECT_NE(refusal(found + "problems = \"hu-equal\"\nx = \"error\"\n").find("line 15"),
            std::string::npos);
  EXPECT_NE(refusal(found + "error = 0.3\n").find("must be one of 0.1, 0.2"), std::string::npos);
  const std::string regret = std::string(kSmall) + "[[figure]]\nname = \"one\"\n";
  EXPECT_NE(refusal(regret + "y = \"wrong\"\n").find("is of what is identified"),
            std::string::npos);
  EXPECT_NE(refusal(regret + "x = \"error\"\n").find("is of what is identified"),
            std::string::npos);
}

TEST(ReportRequest, ClaimsHaveOneFormAndAreAboutWhatIsThere) {
  const std::string start =
      std::string(kSmall) +
      "[[figure]]\nname = \"one\"\n[[claim]]\nfigure = \"one\"\nsays = \"so\"\n";
  const auto claims = [&](const std::string& rest) { return asked(start + rest).claims; };
  EXPECT_EQ(claims("policy = \"ucb1\"\nvalue = 3\nwithin = 0.5\n").at(0).value, 3);
  EXPECT_EQ(claims("less = \"ucb1\"\nthan = \"anytime-lazy-ucb\"\n").at(0).than.at(0),
            "anytime-lazy-ucb");
  EXPECT_EQ(claims("less = \"ucb1\"\nthan = \"anytime-lazy-ucb\"\nepsilon = 1\n").at(0).epsilon, 1);
  EXPECT_EQ(claims("steeper = \"ucb1\"\nthan = \"anytime-lazy-ucb\"\nby = 1\n").at(0).steeper_by,
            1);
  const std::string above = "policy = \"ucb1\"\nslope = -1\nabove = ";
  EXPECT_EQ(claims(above + "\"anytime-lazy-ucb\"\n").at(0).above, "anytime-lazy-ucb");
  EXPECT_NE(refusal(start + above + "\"ucb2\"\n").find("above = ucb2"), std::string::npos);
  for (const char* bad :
       {"policy = \"ucb1\"\n", "policy = \"ucb1\"\nvalue = 3\nabove = \"ucb1\"\n",
        "policy = \"ucb1\"\nvalue = 3\nslope = 1\n", "less = \"ucb1\"\n",
        "steeper = \"ucb1\"\nthan = \"ucb1\"\n", "less = \"ucb1\"\nthan = \"ucb1\"\nby = 1\n"}) {
    EXPECT_NE(refusal(start + bad).find("claim = one: must have"), std::string::npos) << bad;
  }
  EXPECT_NE(refusal(start + "policy = \"ucb2\"\nvalue = 3\n").find("ucb1"), std::string::npos);
  EXPECT_NE(refusal(start + "policy = \"ucb1\"\nvalue = \"3\"\n").find("must be a number"),
            std::string::npos);
  EXPECT_NE(refusal(std::string(kSmall) + "[[claim]]\nsays = \"so\"\n").find("figure: missing"),
            std::string::npos);
}

}  // namespace
}  // namespace tacit::reports
