#include "tacit/privacy/counter_noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::privacy {
namespace {

constexpr Round kMillion = Round{1} << 20;

TEST(CounterNoise, HasThePublishedVariancesAt2To20) {
  EXPECT_DOUBLE_EQ(CounterNoise(Counter::kTree, kMillion, 2).largest_variance(), 17640);
  const CounterNoise nineteen(Counter::kSigned, kMillion);
  EXPECT_EQ(nineteen.arity(), 19) << "the best of all";
  EXPECT_EQ(nineteen.levels(), 5);
  EXPECT_DOUBLE_EQ(nineteen.largest_variance(), 2200);
  // In units of 1/(2 rho): a binary tree's nodes have variance `levels`, and 20 of them make a prefix.
  EXPECT_EQ(tree_levels(kMillion) * tree_terms(kMillion - 1, 2), 420);
  EXPECT_NEAR(CounterNoise(Counter::kToeplitz, kMillion).largest_variance(), 30.0, 0.05);
}

TEST(CounterNoise, KnowsItsLargestVariance) {
  for (const Counter kind : {Counter::kTree, Counter::kSigned, Counter::kRefined}) {
    for (const int arity : {3, 5, 9}) {
      for (const Round horizon : {Round{1}, Round{2}, Round{13}, Round{14}, Round{100}, Round{729},
                                  Round{1000}, Round{4096}}) {
        const CounterNoise noise(kind, horizon, arity);
        double largest = 0;
        for (Round n = 1; n <= horizon; ++n) largest = std::max(largest, noise.variance(n));
        EXPECT_DOUBLE_EQ(noise.largest_variance(), largest)
            << static_cast<int>(kind) << " " << arity << " " << horizon;
      }
    }
  }
}

TEST(CounterNoise, HasAsManyTermsAsTheWorstSumForEveryArityAndHorizon) {
  constexpr Round kLongest = 3000;
  for (const Counter kind : {Counter::kTree, Counter::kSigned, Counter::kRefined}) {
    const bool has_signs = kind == Counter::kSigned;
    for (int arity = has_signs ? 3 : 2; arity <= 64; arity += has_signs ? 2 : 1) {
      int most = 0;
      for (Round horizon = 1; horizon <= kLongest; ++horizon) {
        most =
            std::max(most, has_signs ? signed_terms(horizon, arity) : tree_terms(horizon, arity));
        ASSERT_EQ(CounterNoise(kind, horizon, arity).most_terms(), most)
            << static_cast<int>(kind) << " " << arity << " " << horizon;
      }
    }
  }
}

TEST(CounterNoise, HasAsManyTermsAsItCanAtTheLongestHorizon) {
  EXPECT_EQ(CounterNoise(Counter::kTree, kLastRound, 2).most_terms(), 53);
  // 3^34 less a one at every lower level is (3^34 + 1)/2, which is below 2^53.
  EXPECT_EQ(CounterNoise(Counter::kSigned, kLastRound, 3).most_terms(), 35);
  EXPECT_EQ(CounterNoise(Counter::kSigned, Round{8338590849833284}, 3).most_terms(), 34);
}

TEST(CounterNoise, ChoosesTheArityWhoseWorstSumHasTheLeastNoise) {
  for (const Round horizon : {Round{5}, Round{16}, Round{40}, Round{100}, Round{1000}}) {
    double least = std::numeric_limits<double>::infinity();
    for (int arity = 3; arity <= 63; arity += 2) {
      const CounterNoise noise(Counter::kSigned, horizon, arity);
      double largest = 0;
      for (Round n = 1; n <= horizon; ++n) largest = std::max(largest, noise.variance(n));
      least = std::min(least, largest);
    }
    const CounterNoise chosen(Counter::kSigned, horizon);
    double largest = 0;
    for (Round n = 1; n <= horizon; ++n) largest = std::max(largest, chosen.variance(n));
    EXPECT_DOUBLE_EQ(largest, least) << horizon << " " << chosen.arity();
  }
}

TEST(SignedDigits, WriteEveryNumberWithAsManyLevelsAsTheySay) {
  for (const int arity : {3, 5, 19}) {
    const int half = (arity - 1) / 2;
    Round reach = 0;
    for (int levels = 1; levels <= 4; ++levels) {
      reach = arity * reach + half;
      EXPECT_EQ(signed_levels(reach, arity), levels);
      EXPECT_EQ(signed_levels(reach + 1, arity), levels + 1);
      EXPECT_EQ(signed_terms(reach, arity), half * levels);
    }
  }
  EXPECT_EQ(signed_terms(18, 19), 2);  // 19 - 1
  EXPECT_EQ(signed_levels(kLastRound, 3), 35);
}

TEST(TreeLevels, AreTheDigitsOfTheHorizon) {
  EXPECT_EQ(tree_levels(1), 1);
  EXPECT_EQ(tree_levels(2), 2);
  EXPECT_EQ(tree_levels(1000000), 20);
  EXPECT_EQ(tree_levels(kMillion), 21);
  EXPECT_EQ(tree_terms(kMillion - 1, 2), 20);
}

TEST(Toeplitz, SquaresAddUpBeyondTheTable) {
  double sum = 0;
  double c = 1;
  for (Round k = 0; k < 200000; ++k) {
    if (k == 1 || k == 4096 || k == 4097 || k == 5000 || k == 100000) {
      EXPECT_NEAR(toeplitz_squares(k), sum, 1e-12 * sum) << k;
    }
    sum += c * c;
    c *= (static_cast<double>(k) + 0.5) / (static_cast<double>(k) + 1);
  }
  EXPECT_EQ(toeplitz_squares(1), 1);
  EXPECT_EQ(toeplitz_squares(2), 1.25);
}

TEST(CounterNoise, RefinesABinaryTreeToAlmostHalfItsVariance) {
  const CounterNoise refined(Counter::kRefined, kMillion, 2);
  EXPECT_EQ(refined.refined_share(0), 1);
  EXPECT_DOUBLE_EQ(refined.refined_share(1), 2.0 / 3);
  EXPECT_NEAR(refined.refined_share(20), 0.5, 1e-6);
  EXPECT_LT(refined.largest_variance(), 0.6 * 17640);
}

TEST(CounterNoise, RefusesAritiesThatACounterCannotHave) {
  EXPECT_THROW(CounterNoise(Counter::kSigned, 100, 4), InvalidParameter);
  EXPECT_THROW(CounterNoise(Counter::kTree, 100, 1), InvalidParameter);
  EXPECT_THROW(CounterNoise(Counter::kTree, 100, 65), InvalidParameter);
  EXPECT_THROW(CounterNoise(Counter::kTree, 0, 2), InvalidParameter);
}

}  // namespace
}  // namespace tacit::privacy
