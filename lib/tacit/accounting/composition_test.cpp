#include "tacit/accounting/composition.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <boost/math/distributions/binomial.hpp>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/privacy/gaussian.hpp"

namespace tacit::accounting {
namespace {

TEST(Composition, OneThousandReleasesByEveryRule) {
  const Cost each{.epsilon = 0.01};
  EXPECT_NEAR(basic_composition(each, 1000).epsilon, 10, 1e-12);
  EXPECT_NEAR(zcdp_epsilon_simple(1000 * 0.01 * 0.01 / 2, 1e-6), 1.712258, 1e-6);
  EXPECT_NEAR(zcdp_epsilon(1000 * 0.01 * 0.01 / 2, 1e-6), 1.471595, 1e-6);
  EXPECT_NEAR(zcdp_epsilon(1000 * rho_of_pure(0.01), 1e-6), 1.471589, 1e-6);
  EXPECT_NEAR(optimal_epsilon(each, 1000, 1e-6), 1.365447, 1e-6);
  // The theorem's own points are multiples of 0.02: 1.36 does not reach 1e-6, and 1.38 is more than needed.
  EXPECT_GT(optimal_delta(each, 1000, 1.36), 1e-6);
  EXPECT_LT(optimal_delta(each, 1000, 1.38), 1e-6);
}

TEST(Composition, AddsOrTakesTheLargest) {
  const std::vector<Cost> costs = {{.epsilon = 0.5, .delta = 1e-3},
                                   {.epsilon = 0.25, .delta = 0.5}};
  EXPECT_EQ(basic_composition(costs), (Cost{.epsilon = 0.75, .delta = 0.501}));
  EXPECT_EQ(basic_composition({.epsilon = 0.5, .delta = 0.25}, 3),
            (Cost{.epsilon = 1.5, .delta = 0.75}));
  EXPECT_EQ(basic_composition({.epsilon = 0.5, .delta = 0.5}, 3).delta, 1);
  EXPECT_EQ(parallel_composition(costs), (Cost{.epsilon = 0.5, .delta = 0.5}));
  EXPECT_EQ(basic_composition(std::vector<Cost>{}), Cost{});
  EXPECT_EQ(parallel_composition(std::vector<Cost>{}), Cost{});
  EXPECT_THROW(basic_composition({.epsilon = -1}, 3), InvalidParameter);
  EXPECT_THROW(basic_composition({.epsilon = 1, .delta = 2}, 3), InvalidParameter);
  EXPECT_THROW(basic_composition({.epsilon = 1}, -1), InvalidParameter);
}

/// The largest gain of any test between the two laws, from the probabilities of every possible count.
double enumerated_delta(double each, int n, double epsilon) {
  const boost::math::binomial_distribution<double> truth(n, 1 / (1 + std::exp(-each)));
  const boost::math::binomial_distribution<double> other(n, 1 / (1 + std::exp(each)));
  double delta = 0;
  for (int l = 0; l <= n; ++l)
    delta += std::max(0.0, pdf(truth, l) - std::exp(epsilon) * pdf(other, l));
  return delta;
}

TEST(OptimalComposition, IsTheLargestGainOfAnyTest) {
  for (const int n : {1, 2, 7, 40}) {
    for (const double each : {0.05, 0.7, 2.0}) {
      for (const double share : {0.0, 0.13, 0.5, 0.77}) {
        const double epsilon = share * n * each;
        const double expected = enumerated_delta(each, n, epsilon);
        EXPECT_NEAR(optimal_delta({.epsilon = each}, n, epsilon), expected,
                    1e-11 * expected + 1e-15);
      }
    }
  }
}

TEST(OptimalComposition, EpsilonIsWhereDeltaIsReached) {
  for (const std::int64_t n : {1LL, 3LL, 1000LL, 1000000LL}) {
    for (const double each : {1e-6, 1e-3, 0.3, 10.0}) {
      const double delta = 1e-3 * optimal_delta({.epsilon = each}, n, 0);
      const double epsilon = optimal_epsilon({.epsilon = each}, n, delta);
      EXPECT_LT(epsilon, static_cast<double>(n) * each);
      EXPECT_NEAR(optimal_delta({.epsilon = each}, n, epsilon) / delta, 1, 1e-6)
          << n << ' ' << each;
      EXPECT_GT(optimal_delta({.epsilon = each}, n, epsilon * (1 - 1e-9)), delta)
          << n << ' ' << each;
    }
  }
  EXPECT_DOUBLE_EQ(optimal_epsilon({.epsilon = 0.25}, 8, 0), 2);
  EXPECT_EQ(optimal_epsilon({.epsilon = 0.01}, 10, 0.5), 0);
  EXPECT_THROW(optimal_epsilon({.epsilon = 0.1}, 0, 0.5), InvalidParameter);
}

/// A million small releases are Gaussian noise in the limit: mean n eps tanh(eps/2), variance n eps^2.
TEST(OptimalComposition, OfAMillionReleasesIsGaussian) {
  for (const double epsilon : {0.0, 1.0, 3.0, 6.0}) {
    const double gaussian = privacy::gaussian_delta(epsilon, 1, 1);
    EXPECT_NEAR(optimal_delta({.epsilon = 1e-3}, 1000000, epsilon) / gaussian, 1, 3e-4) << epsilon;
  }
}

TEST(OptimalComposition, CountsTheReleasesOwnDeltas) {
  const Cost each{.epsilon = 0.1, .delta = 1e-3};
  const double lost = 1 - std::pow(1 - 1e-3, 5);
  const double pure = optimal_delta({.epsilon = 0.1}, 5, 0.2);
  EXPECT_NEAR(optimal_delta(each, 5, 0.2), 1 - (1 - lost) * (1 - pure), 1e-15);
  EXPECT_NEAR(optimal_delta(each, 5, 0.5), lost, 1e-15);
  EXPECT_THROW(optimal_epsilon(each, 5, 0.99 * lost), InvalidParameter);
  EXPECT_NEAR(optimal_delta(each, 5, optimal_epsilon(each, 5, 0.01)), 0.01, 1e-12);
}

/// The divergences of orders just above 1 to 60 of two releases of epsilon, each divided by its order.
TEST(Concentrated, RhoOfPureAndLaplaceAreTheLargestDivergencePerOrder) {
  for (const double epsilon : {0.1, 1.0, 4.0}) {
    double response = 0;
    double laplace = 0;
    for (double x = 1e-5; x < 60; x *= 1.1) {
      const double alpha = 1 + x;
      response = std::max(
          response, std::log(std::cosh((2 * alpha - 1) * epsilon / 2) / std::cosh(epsilon / 2)) /
                        (x * alpha));
      laplace = std::max(
          laplace, std::log1p((alpha * std::expm1(x * epsilon) + x * std::expm1(-alpha * epsilon)) /
                              (2 * alpha - 1)) /
                       (x * alpha));
    }
    EXPECT_NEAR(response / rho_of_pure(epsilon), 1, 1e-4);
    EXPECT_NEAR(laplace / rho_of_laplace(2, 2 * epsilon), 1, 1e-4);
    EXPECT_LT(rho_of_laplace(1, epsilon), rho_of_pure(epsilon));
    EXPECT_LT(rho_of_pure(epsilon), epsilon * epsilon / 2);
  }
  // The series for a small epsilon, against more digits.
  for (const double epsilon : {1e-4, 9e-3}) {
    const long double digits = epsilon + std::expm1(-static_cast<long double>(epsilon));
    EXPECT_NEAR(rho_of_laplace(1, epsilon) / static_cast<double>(digits), 1, 1e-12);
  }
  EXPECT_DOUBLE_EQ(rho_of_gaussian(2, 3), 9.0 / 8);
}

TEST(Concentrated, ConversionIsTheBestOrderAndCoversTheGaussian) {
  for (const double rho : {1e-8, 1e-3, 0.05, 1.0, 30.0}) {
    for (const double delta : {1e-12, 1e-6, 0.1, 0.9}) {
      const double epsilon = zcdp_epsilon(rho, delta);
      double best = std::numeric_limits<double>::infinity();
      for (double x = 1e-8; x < 1e9; x *= 1.0005) {
        const double alpha = 1 + x;
        best = std::min(best, alpha * rho - std::log(delta * alpha) / x + std::log(x / alpha));
      }
      EXPECT_NEAR(epsilon, std::max(0.0, best), 2e-6 * epsilon + 1e-9) << rho << ' ' << delta;
      EXPECT_LE(epsilon, zcdp_epsilon_simple(rho, delta));
      EXPECT_GE(epsilon, privacy::gaussian_epsilon(std::sqrt(1 / (2 * rho)), delta, 1));
      if (epsilon > 0) {
        EXPECT_NEAR(zcdp_rho({.epsilon = epsilon, .delta = delta}) / rho, 1, 1e-9);
        EXPECT_LE(zcdp_delta(zcdp_rho({.epsilon = epsilon, .delta = delta}), epsilon), delta);
      }
    }
  }
  EXPECT_EQ(zcdp_epsilon(0, 1e-6), 0);
  EXPECT_THROW(zcdp_epsilon(-1, 1e-6), InvalidParameter);
  EXPECT_THROW(zcdp_epsilon(1, 0), InvalidParameter);
  EXPECT_THROW(zcdp_rho({.epsilon = 1, .delta = 0}), InvalidParameter);
}

TEST(GroupPrivacy, ChainsOneChangeAfterAnother) {
  const Cost each{.epsilon = 0.5, .delta = 1e-4};
  const Cost three = group_privacy(each, 3);
  EXPECT_DOUBLE_EQ(three.epsilon, 1.5);
  EXPECT_NEAR(three.delta, 1e-4 * (1 + std::exp(0.5) + std::exp(1.0)), 1e-18);
  EXPECT_EQ(group_privacy(each, 1), each);
  EXPECT_EQ(group_privacy({.epsilon = 0, .delta = 0.25}, 3).delta, 0.75);
  EXPECT_EQ(group_privacy({.epsilon = 800, .delta = 1e-9}, 2).delta, 1);
  EXPECT_EQ(group_privacy({.epsilon = 800, .delta = 0}, 2).delta, 0);
  EXPECT_DOUBLE_EQ(group_rho(0.1, 4), 1.6);
  // Never better than Gaussian noise, for which a group is three times the sensitivity.
  const double sigma = privacy::gaussian_sigma(0.5, 1e-4, 1);
  EXPECT_GE(three.delta, privacy::gaussian_delta(1.5, sigma, 3));
}

TEST(ClassicGaussian, IsRefusedOutsideItsProof) {
  EXPECT_NEAR(privacy::gaussian_sigma(2, 1e-3, 1), 1.445, 5e-4);
  EXPECT_NEAR(privacy::detail::classic_sigma_unchecked(2, 1e-3, 1), 1.888, 5e-4);
  const double at_ten = privacy::detail::classic_sigma_unchecked(10, 1e-3, 1);
  EXPECT_NEAR(privacy::gaussian_delta(10, at_ten, 1), 3.4e-3, 5e-5);
  EXPECT_THROW(privacy::classic_gaussian_sigma(2, 1e-3, 1), InvalidParameter);
  EXPECT_THROW(privacy::classic_gaussian_sigma(1, 1e-3, 1), InvalidParameter);
  EXPECT_THROW(privacy::classic_gaussian_sigma(0.5, 0, 1), InvalidParameter);
  for (const double epsilon : {0.1, 0.5, 0.99}) {
    for (const double delta : {1e-9, 1e-3, 0.5}) {
      EXPECT_LE(
          privacy::gaussian_delta(epsilon, privacy::classic_gaussian_sigma(epsilon, delta, 3), 3),
          delta);
    }
  }
}

}  // namespace
}  // namespace tacit::accounting
