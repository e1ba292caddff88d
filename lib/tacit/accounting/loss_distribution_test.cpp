#include "tacit/accounting/loss_distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include <boost/math/quadrature/gauss_kronrod.hpp>

#include "tacit/accounting/composition.hpp"
#include "tacit/core/fourier.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/privacy/gaussian.hpp"

namespace tacit::accounting {
namespace {

constexpr auto kUp = LossDistribution::Rounding::kUp;
constexpr auto kDown = LossDistribution::Rounding::kDown;

TEST(Fourier, IsTheDefinitionAndBack) {
  fourier::Spectrum x(16);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = {std::sin(1.0 + 3.0 * static_cast<double>(i)), 0.25};
  fourier::Spectrum y = x;
  fourier::transform(y);
  for (std::size_t k = 0; k < x.size(); ++k) {
    std::complex<double> sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      sum += x[j] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k) / 16);
    }
    EXPECT_LT(std::abs(y[k] - sum), 1e-13);
  }
  fourier::transform_back(y);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_LT(std::abs(y[k] - x[k]), 1e-15);
}

/// The truth lies between the two roundings, and they are within `width` of it. One release on a point of
/// the grid is exact, so its rounding error shows.
void expect_bracket(const LossDistribution& up, const LossDistribution& down, double epsilon,
                    double truth, double width) {
  EXPECT_GE(up.delta(epsilon), truth - 1e-14) << epsilon;
  EXPECT_LE(down.delta(epsilon), truth + 1e-14) << epsilon;
  EXPECT_LE(up.delta(epsilon), truth * (1 + width) + 1e-11) << epsilon;
  EXPECT_GE(down.delta(epsilon), truth * (1 - width) - 1e-11) << epsilon;
}

TEST(LossDistribution, OfOneLaplaceReleaseIsItsClosedForm) {
  for (const double most : {0.01, 0.5, 3.0}) {
    const double grid = most / 500;
    const auto up = LossDistribution::laplace(2, 2 * most, grid, kUp);
    const auto down = LossDistribution::laplace(2, 2 * most, grid, kDown);
    for (const double share : {0.0, 0.1234, 0.5, 0.9}) {
      const double truth = -std::expm1((share - 1) * most / 2);
      expect_bracket(up, down, share * most, truth, 1e-4);
      EXPECT_NEAR(up.epsilon(truth), share * most, 1e-4 * most);
    }
    EXPECT_EQ(up.delta(most * 1.0000001), 0);
    EXPECT_NEAR(up.epsilon(0), most, 1e-12);
  }
}

TEST(LossDistribution, OffTheGridAtomsStillBracket) {
  const auto up = LossDistribution::laplace(1, 1, 0.0123, kUp).repeated(5);
  const auto down = LossDistribution::laplace(1, 1, 0.0123, kDown).repeated(5);
  const auto fine = LossDistribution::laplace(1, 1, 0.0001, kUp).repeated(5);
  for (const double epsilon : {0.0, 1.0, 2.5, 4.0}) {
    EXPECT_GE(up.delta(epsilon), fine.delta(epsilon));
    EXPECT_LE(down.delta(epsilon), fine.delta(epsilon));
  }
}

TEST(LossDistribution, OfGaussianReleasesIsOneGaussian) {
  for (const std::int64_t n : {1LL, 2LL, 10LL, 1000LL}) {
    const double sigma = 2 * std::sqrt(static_cast<double>(n));
    const double grid = 1e-3 / std::sqrt(static_cast<double>(n)) / 4;
    const auto up = LossDistribution::gaussian(3 * sigma, 3, grid, kUp).repeated(n);
    const auto down = LossDistribution::gaussian(3 * sigma, 3, grid, kDown).repeated(n);
    for (const double epsilon : {0.0, 0.5, 1.5, 2.5}) {
      expect_bracket(up, down, epsilon, privacy::gaussian_delta(epsilon, 2, 1), 1e-3);
    }
    EXPECT_NEAR(up.epsilon(1e-6), privacy::gaussian_epsilon(2, 1e-6, 1), 1e-3);
    EXPECT_GE(up.epsilon(1e-6), privacy::gaussian_epsilon(2, 1e-6, 1));
    EXPECT_LE(down.epsilon(1e-6), privacy::gaussian_epsilon(2, 1e-6, 1));
  }
}

TEST(LossDistribution, OfALaplaceAndAGaussianReleaseIsTheirMixture) {
  const double most = 0.5;
  const double sigma = 2;
  const auto up = LossDistribution::laplace(2, 1, 1e-3, kUp)
                      .then(LossDistribution::gaussian(sigma, 1, 1e-3, kUp));
  const auto down = LossDistribution::gaussian(sigma, 1, 1e-3, kDown)
                        .then(LossDistribution::laplace(2, 1, 1e-3, kDown));
  for (const double epsilon : {0.5, 1.0, 2.0}) {
    const auto part = [=](double loss) {
      return std::exp((loss - most) / 2) / 4 * privacy::gaussian_delta(epsilon - loss, sigma, 1);
    };
    const double truth =
        privacy::gaussian_delta(epsilon - most, sigma, 1) / 2 +
        std::exp(-most) * privacy::gaussian_delta(epsilon + most, sigma, 1) / 2 +
        boost::math::quadrature::gauss_kronrod<double, 31>::integrate(part, -most, most, 10, 1e-12);
    expect_bracket(up, down, epsilon, truth, 1e-3);
  }
  EXPECT_THROW(up.then(down), InvalidParameter);
  EXPECT_THROW(up.then(LossDistribution::laplace(2, 1, 2e-3, kUp)), InvalidParameter);
}

TEST(LossDistribution, RepeatingIsComposingAgainAndAgain) {
  for (const auto rounding : {kUp, kDown}) {
    const auto one = LossDistribution::laplace(4, 1, 1e-3, rounding);
    auto chain = one;
    for (int i = 1; i < 7; ++i) chain = chain.then(one);
    for (const double epsilon : {0.0, 0.3, 0.9}) {
      EXPECT_NEAR(one.repeated(7).delta(epsilon), chain.delta(epsilon), 2e-11);
    }
  }
  EXPECT_THROW(LossDistribution::laplace(1, 1, 1e-3, kUp).repeated(0), InvalidParameter);
  EXPECT_THROW(LossDistribution::laplace(1, 1, 1e-12, kUp), InvalidParameter);
  EXPECT_THROW(LossDistribution::gaussian(1, 0, 1e-3, kUp), InvalidParameter);
}

TEST(LossDistribution, OneThousandLaplaceReleases) {
  const auto up = LossDistribution::laplace(100, 1, 2e-5, kUp).repeated(1000);
  const auto down = LossDistribution::laplace(100, 1, 2e-5, kDown).repeated(1000);
  const double high = up.epsilon(1e-6);
  const double low = down.epsilon(1e-6);
  EXPECT_LE(low, high);
  EXPECT_LT(high / low, 1.0001);
  EXPECT_LT(up.delta(1) / down.delta(1), 1.001);
  // Laplace noise is less than the worst release of its epsilon, and no less than its zCDP promises.
  EXPECT_NEAR(high, 1.3629, 1e-4);
  EXPECT_LT(high, optimal_epsilon({.epsilon = 0.01}, 1000, 1e-6));
  EXPECT_LT(high, zcdp_epsilon(1000 * rho_of_laplace(100, 1), 1e-6));
  EXPECT_LT(up.mass_at_infinity(), 1e-11);
}

TEST(LossDistribution, NoEpsilonBelowTheMassAtInfinity) {
  const auto up = LossDistribution::gaussian(1, 1, 1e-2, kUp).repeated(100);
  EXPECT_TRUE(std::isinf(up.epsilon(up.mass_at_infinity() / 2)));
  EXPECT_EQ(LossDistribution::laplace(100, 1, 1e-4, kUp).epsilon(0.9), 0);
  EXPECT_THROW(up.repeated(1000000000), InvalidParameter);  // more points than memory
}

TEST(LossDistribution, RefusesLossesWhoseExponentialIsNoDouble) {
  using Rounding = LossDistribution::Rounding;
  EXPECT_THROW(LossDistribution::laplace(0.001, 1, 0.5, Rounding::kUp), InvalidParameter);
  EXPECT_THROW(LossDistribution::gaussian(0.025, 1, 0.1, Rounding::kUp), InvalidParameter);
}

}  // namespace
}  // namespace tacit::accounting
