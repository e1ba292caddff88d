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

TEST(HybridParts, AreWhatTheSumIsMadeOf) {
  // By hand: after n = 4 (three additions to the total) 5, 6 and 7 are a tree of two levels.
  EXPECT_EQ(hybrid_parts(1).before, 0);
  EXPECT_EQ(hybrid_parts(1).totals(), 1);
  EXPECT_EQ(hybrid_parts(4).before, 2);
  EXPECT_TRUE(hybrid_parts(4).is_total);
  EXPECT_EQ(hybrid_parts(5).before, 4);
  EXPECT_EQ(hybrid_parts(6).before, 4);
  EXPECT_EQ(hybrid_parts(7).before, 6);
  EXPECT_EQ(hybrid_parts(7).nodes, 2);
  EXPECT_EQ(hybrid_parts(7).scale(), 2);
  EXPECT_EQ(hybrid_parts(8).scale(), 1);
  EXPECT_EQ(hybrid_parts(kLastRound).levels, 53);
  // Walking back over releases meets every one of the sum's once.
  for (Round n = 1; n <= 5000; ++n) {
    const HybridParts whole = hybrid_parts(n);
    int totals = 0;
    int nodes = 0;
    for (Round rest = n; rest > 0; rest = hybrid_parts(rest).before) {
      (hybrid_parts(rest).is_total ? totals : nodes) += 1;
      if (!hybrid_parts(rest).is_total) {
        ASSERT_EQ(hybrid_parts(rest).scale(), whole.levels) << n;
      }
    }
    ASSERT_EQ(totals, whole.totals()) << n;
    ASSERT_EQ(nodes, whole.nodes) << n;
  }
}

TEST(HybridNoise, DoesNotDependOnTheHorizonButForItsWorstSum) {
  double largest = 0;
  double widest = 0;
  int most = 0;
  for (Round horizon = 1; horizon <= 5000; ++horizon) {
    const CounterNoise noise(Counter::kHybrid, horizon);
    const HybridParts parts = hybrid_parts(horizon);
    EXPECT_EQ(noise.levels(), 2);
    EXPECT_EQ(noise.term_scale(), 2);
    EXPECT_EQ(noise.variance(3), 8 * 2 + 8);
    // 2 (2 scale)^2 a term.
    const double variance = 8 * parts.totals() + 8 * parts.levels * parts.levels * parts.nodes;
    ASSERT_EQ(noise.variance(horizon), variance);
    largest = std::max(largest, variance);
    widest = std::max(widest, 2.0 * parts.scale());
    most = std::max(most, parts.totals() + parts.nodes);
    ASSERT_EQ(noise.largest_variance(), largest) << horizon;
    ASSERT_GE(noise.largest_term_scale(), widest) << horizon;
    ASSERT_EQ(noise.most_terms(), most) << horizon;
  }
  EXPECT_EQ(CounterNoise(Counter::kHybrid, kMillion - 1).largest_variance(), 55032);
  EXPECT_EQ(CounterNoise(Counter::kHybrid, kMillion, 2).largest_variance(), 55032);
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
  EXPECT_THROW(CounterNoise(Counter::kHybrid, 100, 3), InvalidParameter);
}

}  // namespace
}  // namespace tacit::privacy
