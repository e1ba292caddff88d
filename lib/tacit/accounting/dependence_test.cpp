#include "tacit/accounting/dependence.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::accounting {
namespace {

using privacy::Notion;

/// The variation of n bits, all 1 or all 0, each through a randomised response that tells the truth with probability p.
double of_responses(int n, double p) {
  double variation = 0;
  for (int ones = 0; ones <= n; ++ones) {
    const double ways =
        std::exp(std::lgamma(n + 1.0) - std::lgamma(ones + 1.0) - std::lgamma(n - ones + 1.0));
    const double if_one = ways * std::pow(p, ones) * std::pow(1 - p, n - ones);
    const double if_zero = ways * std::pow(1 - p, ones) * std::pow(p, n - ones);
    variation += std::abs(if_one - if_zero) / 2;
  }
  return variation;
}

TEST(Dependence, OfReportsIsThatOfRandomisedResponsesOrMore) {
  for (const double epsilon : {1e-3, 0.01, 0.1, 0.5, 1.0, 3.0}) {
    const double truth = 1 / (1 + std::exp(-epsilon));
    for (const int rounds : {1, 2, 3, 10, 70, 500}) {
      const double exact = of_responses(rounds, truth);
      const double most = most_dependence({Notion::kLocal, epsilon, 0}, rounds);
      EXPECT_GE(most, exact * (1 - 1e-9)) << epsilon << " " << rounds;
      EXPECT_LE(most, 1);
      if (rounds == 1) {
        EXPECT_NEAR(most, exact, 1e-12);
      } else if (most < 0.9) {
        EXPECT_LE(most, 1.45 * exact) << "not far off either: " << epsilon << " " << rounds;
      }
    }
  }
}

/// The largest p_T - p_0 by trying every p_0 and growing as fast as one round allows.
double by_search(double epsilon, int rounds) {
  double most = 0;
  for (double log_p0 = -epsilon * rounds - 1; log_p0 < 0; log_p0 += 1e-4) {
    const double p0 = std::exp(log_p0);
    double p = p0;
    for (int i = 0; i < rounds; ++i) {
      p = std::min(std::exp(epsilon) * p, 1 - std::exp(-epsilon) * (1 - p));
    }
    most = std::max(most, p - p0);
  }
  return most;
}

TEST(Dependence, OfACentralPolicyIsTheLargestThereIs) {
  for (const double epsilon : {0.01, 0.2, 1.0, 3.0}) {
    for (const int rounds : {1, 2, 3, 4, 7, 10}) {
      const double most = most_dependence({Notion::kCentral, epsilon, 0}, rounds);
      const double found = by_search(epsilon, rounds);  // between grid points it may be more
      EXPECT_GE(most, found - 1e-12) << epsilon << " " << rounds;
      EXPECT_LE(most, found + 1e-4) << epsilon << " " << rounds;
    }
  }
  // Laplace noise on the sum of T outcomes, all 1 or all 0, and whether it is above T/2.
  const auto below_zero = [](double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; };
  EXPECT_NEAR(most_dependence({Notion::kCentral, 1e-4, 0}, 10000),
              below_zero(0.5) - below_zero(-0.5), 1e-12);
  EXPECT_NEAR(most_dependence({Notion::kCentral, 1e-4, 0}, 10000), 0.3934693, 1e-7);
}

TEST(Dependence, WithADelta) {
  // Worst case of (0, delta): all is told with probability delta. Of T rounds: at most T delta, and 1 - (1-delta)^T if local.
  EXPECT_NEAR(most_dependence({Notion::kCentral, 0, 1e-3}, 100), 0.1, 1e-12);
  EXPECT_NEAR(most_dependence({Notion::kLocal, 0, 1e-3}, 100), 1 - std::pow(0.999, 100), 1e-12);
  for (const Notion notion : {Notion::kCentral, Notion::kLocal}) {
    double last = 0;
    for (const double delta : {0.0, 1e-9, 1e-6, 1e-3, 0.5, 1.0}) {
      const double most = most_dependence({notion, 1e-3, delta}, 100);
      EXPECT_GE(most, last);
      EXPECT_LE(most, 1);
      last = most;
    }
    EXPECT_EQ(last, 1);
  }
  // One round of (eps, delta), by its definition: sets S with P(S) = e^eps Q(S) + delta and the same of the complements.
  const double q = (1 - 0.01) / (1 + std::exp(0.5));
  EXPECT_NEAR(most_dependence({Notion::kCentral, 0.5, 0.01}, 1), std::exp(0.5) * q + 0.01 - q,
              1e-12);
}

TEST(Dependence, ApproachesOneAndIsOneWhereNothingIsPromised) {
  EXPECT_EQ(most_dependence({}, 1), 1);
  EXPECT_EQ(most_dependence({Notion::kEnvironment, 1e-9, 0}, 1), 1);
  EXPECT_EQ(most_dependence({Notion::kInstantaneous, 1e-9, 0}, 1), 1);
  for (const Notion notion : {Notion::kCentral, Notion::kLocal}) {
    EXPECT_EQ(most_dependence({notion, 0, 0}, 1000000), 0);
    EXPECT_EQ(most_dependence({notion, 100, 0}, 1000000), 1);
    EXPECT_EQ(most_dependence({notion, 1e-3, 1e-6}, Round{1} << 53), 1);
    EXPECT_THROW(most_dependence({notion, 1, 0}, 0), InvalidParameter);
  }
  // Where the noise of reports is what counts.
  EXPECT_LT(most_dependence({Notion::kLocal, 1e-3, 0}, 100000), 0.5);
  EXPECT_GT(most_dependence({Notion::kCentral, 1e-3, 0}, 100000), 0.999);
}

}  // namespace
}  // namespace tacit::accounting
