// A plan's numbers and the guarantee that they make.
#include "tacit/curators/plans.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tacit/privacy/gaussian.hpp"

namespace tacit::curators {
namespace {

using privacy::Arithmetic;
using privacy::Notion;

const Movement kOneArm{privacy::kOneOutcome, "one outcome"};

TEST(Plan, OfExactReportsPromisesNothing) {
  for (const Plan& plan : {Plan(ExactPlan()), Plan(ExactBitPlan()), Plan(OpenStopPlan())}) {
    EXPECT_EQ(guarantee(plan, kOneArm, Arithmetic::kIdealised).notion, Notion::kNone);
  }
}

void expect_half(const Plan& plan, Notion notion) {
  for (const Arithmetic arithmetic : {Arithmetic::kIdealised, Arithmetic::kExact}) {
    const auto g = guarantee(plan, kOneArm, arithmetic);
    EXPECT_EQ(g.notion, notion);
    EXPECT_NEAR(g.epsilon, 0.5, 1e-5) << g.because;
    EXPECT_LE(g.epsilon, 0.5 * (1 + 1e-12)) << g.because;
    EXPECT_EQ(g.arithmetic, arithmetic);
  }
}

TEST(Plan, OfReportsPromisesLocalPrivacy) {
  for (const Plan& plan : {Plan(ResponsePlan{.epsilon = 0.5}), Plan(LaplaceReportPlan{.scale = 2}),
                           Plan(StopReportPlan{.epsilon = 0.5, .positions = 4})}) {
    expect_half(plan, Notion::kLocal);
  }
}

TEST(Plan, OfGaussianReportsPromisesUpToDelta) {
  const double sigma = gaussian_sigma(0.5, 1e-6, 1);
  EXPECT_EQ(sigma, privacy::gaussian_sigma(0.5, 1e-6, 1));
  const auto g =
      guarantee(GaussianReportPlan{.sigma = sigma, .delta = 1e-6}, kOneArm, Arithmetic::kIdealised);
  EXPECT_EQ(g.notion, Notion::kLocal);
  EXPECT_NEAR(g.epsilon, 0.5, 1e-6);
  EXPECT_EQ(g.delta, 1e-6);
}

TEST(Plan, OfSumsPromisesCentralPrivacy) {
  for (const Plan& plan : {Plan(PhasePlan{.scale = 2}), Plan(NoisySumsPlan{.scale = 2}),
                           Plan(NoisyLeaderPlan{.one_sided = false, .scale = 2}),
                           Plan(TreePlan{.horizon = 3, .scale = 4})}) {
    expect_half(plan, Notion::kCentral);
  }
}

TEST(Plan, OfAResponseSaysHowManyReportsAnOutcomeIsWorth) {
  const double kept = std::tanh(0.25);  // p - q
  EXPECT_DOUBLE_EQ(ResponsePlan{.epsilon = 0.5}.reports_worth_an_outcome(), 1 / (kept * kept));
}

TEST(Plan, OfStopsHasTheNumbersOfItsResponse) {
  for (const double epsilon : {0.1, 1.0, 8.0}) {
    for (const int positions : {1, 4, 20}) {
      const auto numbers = StopReportPlan{.epsilon = epsilon, .positions = positions}.numbers();
      const double p = numbers.q + numbers.gap;
      EXPECT_GT(numbers.q, 0);
      EXPECT_GT(numbers.gap, 0);
      EXPECT_LT(p, 1);
      if (numbers.response) {
        EXPECT_NEAR(p + positions * numbers.q, 1, 1e-12) << "one answer of positions + 1";
        EXPECT_NEAR(std::log(p / numbers.q), epsilon, 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace tacit::curators
