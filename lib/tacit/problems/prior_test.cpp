#include "tacit/problems/prior.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>
#include <boost/math/special_functions/beta.hpp>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::problems {
namespace {

struct Averages {
  std::vector<double> means;
  double best = 0;
};

Averages averages(const Prior& prior, int draws) {
  Averages found{std::vector<double>(static_cast<std::size_t>(prior.arms()), 0)};
  for (int i = 0; i < draws; ++i) {
    auto stream = random::SimulationKey(1, "", prior.name(), static_cast<std::uint64_t>(i))
                      .stream(random::Purpose::kEnvironment);
    const std::vector<double> means = prior.draw(stream);
    EXPECT_EQ(means.size(), found.means.size());
    for (std::size_t arm = 0; arm < means.size(); ++arm) {
      EXPECT_GE(means[arm], 0);
      EXPECT_LE(means[arm], 1);
      found.means[arm] += means[arm] / draws;
    }
    found.best += *std::max_element(means.begin(), means.end()) / draws;
  }
  return found;
}

TEST(Prior, WhatIsExpectedIsWhatIsDrawnOnAverage) {
  constexpr int kDraws = 40000;
  const double error = 4.5 * 0.5 / std::sqrt(kDraws);  // a mean's deviation is at most 1/2
  for (const auto& prior :
       {beta_prior(1, 1, 1), beta_prior(1, 1, 10), beta_prior(0.3, 0.7, 3), beta_prior(50, 2, 4),
        beta_prior(0.01, 0.01, 2), beta_prior(1e-6, 1e-6, 3), beta_prior(1e-6, 1e9, 2),
        beta_prior(1e9, 1e9, 2), two_point_prior(2, 0.25), two_point_prior(7, 0.1)}) {
    const Averages found = averages(*prior, kDraws);
    const std::vector<double> expected = prior->expected_means();
    for (std::size_t arm = 0; arm < expected.size(); ++arm) {
      EXPECT_NEAR(found.means[arm], expected[arm], error) << prior->name() << " arm " << arm;
    }
    EXPECT_NEAR(found.best, prior->expected_best(), error) << prior->name();
  }
}

TEST(Prior, ExpectedBestByHand) {
  // The largest of K uniform numbers is K/(K+1) on average.
  for (const int arms : {1, 2, 10, 1000}) {
    EXPECT_NEAR(beta_prior(1, 1, arms)->expected_best(), arms / (arms + 1.0), 1e-8) << arms;
  }
  EXPECT_DOUBLE_EQ(two_point_prior(5, 0.1)->expected_best(), 0.65);
}

/// From laws of two points to points, over laws that crowd at either end.
const std::vector<double> kShapes = {1e-6, 1e-3, 0.1, 0.5, 1,   2,   7,  100,
                                     1000, 9999, 1e4, 5e4, 1e5, 1e8, 1e9};

/// What the best is above the mean counts: random play falls short by that.
void expect_best(double a, double b, int arms, double exact) {
  const auto prior = beta_prior(a, b, arms);
  const double mean = prior->expected_means()[0];
  EXPECT_NEAR(prior->expected_best(), exact, 1e-6 * (exact - mean) + 2e-15 * exact)
      << prior->name() << ", " << exact - mean << " above the mean";
}

TEST(Prior, ExpectedBestOfNarrowAndWideLawsInClosedForm) {
  for (const double shape : kShapes) {
    for (const int arms : {2, 3, 20, 200, 1000, 1000000}) {
      // F = x^a, so that the largest of K is Beta(K a, 1).
      expect_best(shape, 1, arms, arms * shape / (arms * shape + 1));
      // F = 1 - (1-x)^b: 1 - E max = K B(1 + 1/b, K), the product of k/(k + 1/b).
      double log_short = 0;
      for (int k = arms; k >= 1; --k) log_short -= std::log1p(1 / (shape * k));
      expect_best(1, shape, arms, -std::expm1(log_short));
    }
  }
}

TEST(Prior, ExpectedBestOfOneAndOfTwoForEveryShape) {
  const auto half = [](double shape) { return boost::math::beta(0.5, shape); };
  for (const double a : kShapes) {
    for (const double b : kShapes) {
      const double mean = a / (a + b);
      EXPECT_NEAR(beta_prior(a, b, 1)->expected_best(), mean, 1e-10 * mean) << a << " " << b;
      // Half the mean difference, 4 B(a+b, a+b)/((a+b) B(a, a) B(b, b)), where B(s, s) = 2^(1-2s) B(1/2, s).
      expect_best(a, b, 2, mean + half(a + b) / ((a + b) * half(a) * half(b)));
    }
  }
}

TEST(Prior, MoreArmsHaveABetterBest) {
  for (const double a : kShapes) {
    for (const double b : kShapes) {
      double before = beta_prior(a, b, 1)->expected_best();
      for (const int arms : {5, 1000, 1000000}) {
        const double best = beta_prior(a, b, arms)->expected_best();
        EXPECT_GE(best, before) << a << " " << b << " " << arms;
        EXPECT_LE(best, 1) << a << " " << b << " " << arms;
        before = best;
      }
    }
  }
}

TEST(Prior, OfLowerBoundsHasTwoKindsOfEnvironments) {
  const auto prior = two_point_prior(3, 0.1);
  int first = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    auto stream = random::SimulationKey(1, "", "", i).stream(random::Purpose::kEnvironment);
    std::vector<double> means = prior->draw(stream);
    EXPECT_DOUBLE_EQ(means[0], 0.6);
    std::sort(means.begin(), means.end());
    EXPECT_DOUBLE_EQ(means[0], 0.5);
    if (means[2] < 0.65) {
      ++first;
      EXPECT_DOUBLE_EQ(means[1], 0.5);
    } else {
      EXPECT_DOUBLE_EQ(means[2], 0.7);
    }
  }
  EXPECT_NEAR(first, 500, 80);
}

TEST(Prior, RefusesWhatIsNoLaw) {
  EXPECT_THROW(beta_prior(0, 1, 2), InvalidParameter);
  EXPECT_THROW(beta_prior(1, -1, 2), InvalidParameter);
  EXPECT_THROW(beta_prior(1, 1, 0), InvalidParameter);
  for (const double beyond : {9e-7, 1.1e9, 1e308, std::nan("")}) {
    EXPECT_THROW(beta_prior(beyond, 1, 2), InvalidParameter) << beyond;
    EXPECT_THROW(beta_prior(1, beyond, 2), InvalidParameter) << beyond;
  }
  EXPECT_THROW(two_point_prior(1, 0.1), InvalidParameter);
  EXPECT_THROW(two_point_prior(2, 0.26), InvalidParameter);
  EXPECT_THROW(two_point_prior(2, 0), InvalidParameter);
}

TEST(DrawnEnvironment, HasNoOutcomesOfItsOwn) {
  const DrawnEnvironment problem(beta_prior(1, 1, 3), Rewards::kBernoulli);
  auto stream = random::SimulationKey(1, "", "", 0).stream(random::Purpose::kEnvironment);
  EXPECT_THROW(problem.draw_outcome(0, 1, stream), std::logic_error);
  EXPECT_THROW(problem.draw_sum(0, 1, 1, stream), std::logic_error);
  const std::vector<Arm> list = {0, 1};
  EXPECT_THROW(problem.draw_stop(list, 1, stream), std::logic_error);
  const auto one = problem.draw_environment(stream);
  const auto other = problem.draw_environment(stream);
  EXPECT_NE(one->means(), other->means());
  EXPECT_EQ(one->arms(), 3);
  EXPECT_EQ(one->draw_environment(stream), nullptr);
}

}  // namespace
}  // namespace tacit::problems
