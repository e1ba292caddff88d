#include "tacit/theory/hu.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::theory {
namespace {

constexpr std::array kFirstSetting = {0.75, 0.625, 0.5, 0.375, 0.25};

TEST(Hu, AnEpochTellsAGapOnceItsRadiusIsHalfOfIt) {
  // 24 * 13.815511/(0.125 * 0.125) = 21220.6, so 2^15 = 32768.
  EXPECT_EQ(epoch_that_tells(0.125, 1, std::log(1e6)), 32768);
  // At gap and eps 1 the quotient is 24 log_term: 63.6 and 64.8 lie on either side of 64.
  EXPECT_EQ(epoch_that_tells(1, 1, 2.65), 64);
  EXPECT_EQ(epoch_that_tells(1, 1, 2.7), 128);
  for (double gap : {0.01, 0.1, 0.5, 1.0}) {
    for (double epsilon : {0.01, 0.3, 5.0}) {
      const double log_term = 10;
      const double n = epoch_that_tells(gap, epsilon, log_term);
      EXPECT_LT(std::sqrt(3 * log_term / n) + 3 * log_term / (epsilon * n), gap / 2);
    }
  }
}

TEST(Hu, Theorem3OnTheFirstSettingOfTheFigures) {
  // eps = 1, T = 10^6, 24 ln T = 331.57226. Gap, its quotient, the power of two, Delta (2^(d+1) - 3/4):
  //   0.125  21220.6  32768  0.125 * 65535.25 = 8191.90625
  //   0.25    5305.2   8192  0.25  * 16383.25 = 4095.8125
  //   0.375   2357.8   4096  0.375 *  8191.25 = 3071.71875
  //   0.5     1326.3   2048  0.5   *  4095.25 = 2047.625
  EXPECT_NEAR(lazy_ucb_upper(kFirstSetting, 1, 1000000), 17407.0625, 1e-6);
}

TEST(Hu, Theorem3CountsNoMoreThanAllRounds) {
  EXPECT_DOUBLE_EQ(lazy_ucb_upper(std::array{0.5, 0.4, 0.5}, 1, 100), 0.1 * 100);
}

TEST(Hu, Theorem3OutsideItsRange) {
  EXPECT_THROW(lazy_ucb_upper(kFirstSetting, 0, 100), InvalidParameter);
  EXPECT_THROW(lazy_ucb_upper(std::array{0.5, 2.0}, 1, 100), InvalidParameter);
  EXPECT_THROW(lazy_ucb_upper(kFirstSetting, 1, 0), InvalidParameter);
}

TEST(Hu, StrayingEstimatesCostLessThanAQuarterOfAPull) {
  double sum = 0;
  for (int t = 3; t <= 1000000; ++t) {
    sum += 2 * std::floor(std::log2(t)) * (0.5 * std::pow(t, -3) + std::pow(t, -6));
  }
  // What is left: the integral of log2(t) t^-3 beyond 10^6 is below 10^-10.
  EXPECT_LT(sum, 0.25 - 1e-10);
}

TEST(Hu, Theorem3OnAnyInstance) {
  // K = 2, T = 10^6, eps = 1: 96 ln T = 1326.2891; 2 sqrt(1326.2891 * 10^6) = 72836.503; 72836.503 + 1326.289 +
  // 0.25.
  EXPECT_NEAR(lazy_ucb_worst_upper(2, 1, 1000000), 74163.04, 0.05);
  EXPECT_THROW(lazy_ucb_worst_upper(1, 1, 1000), InvalidParameter);
}

TEST(Hu, Theorem9SumsOverBrackets) {
  // Gaps 0.125 | 0.25, 0.375 | 0.5 in brackets 1, 2, 3 of 1, 2, 1 actions; eps = 0.3.
  //   256/0.125 = 2048;  256 (1 + 0.6931472)/0.25 = 1733.7827;  256/0.3 = 853.3333
  EXPECT_NEAR(noisy_leader_upper(kFirstSetting, 0.3, 1000000000), 4635.1160, 1e-3);
  EXPECT_DOUBLE_EQ(noisy_leader_upper(kFirstSetting, 0.3, 100), 50);
  EXPECT_THROW(noisy_leader_upper(kFirstSetting, -0.3, 100), InvalidParameter);
}

TEST(Hu, Theorem9CostsNothingWithoutSuboptimalActions) {
  EXPECT_EQ(noisy_leader_upper(std::array{0.5, 0.5}, 1, 100), 0);
}

TEST(Hu, Corollary10ForSmallGaps) {
  // K = 5: 1 + ln 4 = 2.3862944; 512 * 2.3862944/0.125 = 9774.262.
  EXPECT_NEAR(noisy_leader_small_gaps_upper(kFirstSetting, 0.5).value(), 9774.262, 1e-3);
  EXPECT_FALSE(noisy_leader_small_gaps_upper(kFirstSetting, 0.49));
}

TEST(Hu, Corollary10ForSimilarGaps) {
  // K = 3, gaps 0.25 and 0.5: 512 (1 + ln 2)/min(0.25, 0.1) = 512 * 1.6931472/0.1 = 8668.914.
  EXPECT_NEAR(noisy_leader_similar_gaps_upper(std::array{0.75, 0.5, 0.25}, 0.1).value(), 8668.914,
              1e-3);
  EXPECT_FALSE(noisy_leader_similar_gaps_upper(std::array{0.75, 0.5, 0.125}, 0.1));
}

TEST(Hu, Corollary10IsImpliedByTheorem9) {
  const std::array similar = {0.75, 0.5, 0.375, 0.25};
  EXPECT_LE(noisy_leader_upper(similar, 0.1, kLastRound),
            noisy_leader_similar_gaps_upper(similar, 0.1).value());
  EXPECT_LE(noisy_leader_upper(kFirstSetting, 0.5, kLastRound),
            noisy_leader_small_gaps_upper(kFirstSetting, 0.5).value());
}

TEST(Hu, Corollary11OnAnyInstance) {
  // K = 2, T = 10^6: D = sqrt(0.6931472e-6) = 8.325546e-4, T D = 832.5546, 512/D = 614974.7. eps = 0.5:
  // brackets above 0.5 up to 1: floor(1) + 1 = 2, 256 * 2/0.5 = 1024.
  EXPECT_NEAR(noisy_leader_worst_upper(2, 0.5, 1000000).value(), 832.5546 + 614974.7 + 1024, 0.5);
  EXPECT_NEAR(noisy_leader_worst_upper(2, 1, 1000000).value(), 832.5546 + 614974.7, 0.5);
  EXPECT_FALSE(noisy_leader_worst_upper(100, 1, 4));
}

TEST(Hu, Theorem12HasTwoTerms) {
  // K = 8, ln 8 = 2.0794415, D = 0.125: 2.0794415/0.25 = 8.32, floor 8; eps = 0.01: 2.0794415/0.0125 = 166.4,
  // floor 166.
  EXPECT_NEAR(full_information_lower(8, 0.125, 1, 1000).value(), 0.098 * 0.125 * 8, 1e-12);
  EXPECT_NEAR(full_information_lower(8, 0.125, 0.01, 1000).value(), 0.098 * 0.125 * 166, 1e-12);
}

TEST(Hu, Theorem12OutsideItsRange) {
  EXPECT_FALSE(full_information_lower(3, 0.125, 1, 1000));
  EXPECT_FALSE(full_information_lower(8, 0.25, 1, 1000));
  EXPECT_FALSE(full_information_lower(8, 0, 1, 1000));
  EXPECT_FALSE(full_information_lower(8, 0.125, 0.01, 166));
}

TEST(Hu, FanoHoldsForItsInstances) {
  // The divergence of two of them, kl(1/2, 1/2 + D) + kl(1/2 + D, 1/2), over D^2, for K = 4: error at least
  // 1 - (4.4/16 + ln 2/ln 4) = 0.225.
  for (double gap = 0.001; gap < 0.25; gap += 0.001) {
    const double one = -0.5 * std::log(1 - 4 * gap * gap);
    const double other = (0.5 + gap) * std::log(1 + 2 * gap) + (0.5 - gap) * std::log(1 - 2 * gap);
    EXPECT_LT(one + other, 4.4 * gap * gap);
  }
}

TEST(Hu, Theorem9HasNoLogarithmOfTheArmsWhereGapsDouble) {
  // Gaps 1/64, 1/32, ..., 1/4, one to a bracket: 256 (1 + ln 1)/min(D_l, 1/64) of each.
  const std::array means = {0.875, 0.859375, 0.84375, 0.8125, 0.75, 0.625};
  EXPECT_NEAR(noisy_leader_upper(means, 1.0 / 64, 1000000000), 5 * 256 * 64, 1e-6);
}

/// Lemma 7: the expectation, over s rewards, of P(theta <= y)/P(theta > y), theta a posterior sample. P(theta > y) is the chance
/// of at most as many successes as there were among s + 1 trials with y (Fact 18).
double odds_of_a_low_sample(int s, double mean, double y) {
  const auto chance = [](int trials, int successes, double p) {
    return std::exp(std::lgamma(trials + 1) - std::lgamma(successes + 1) -
                    std::lgamma(trials - successes + 1) + successes * std::log(p) +
                    (trials - successes) * std::log1p(-p));
  };
  double expected = 0;
  for (int k = 0; k <= s; ++k) {
    double above = 0;
    for (int i = 0; i <= k; ++i) above += chance(s + 1, i, y);
    double below = 0;
    for (int i = k + 1; i <= s + 1; ++i) below += chance(s + 1, i, y);
    expected += chance(s, k, mean) * below / above;
  }
  return expected;
}

TEST(Hu, Lemma7HoldsOfBothPosteriorsThatAreWideAndThatAreNarrow) {
  for (const double mean : {0.1, 0.5, 0.9, 0.99}) {
    for (const double gap : {0.05, 0.2, 0.5}) {
      const double y = mean - gap;
      if (y <= 0) continue;
      for (const int s : {1, 2, 4, 8, 16, 32, 64, 128, 160}) {
        const double square = gap * gap * s;
        const double order = s < 8 / gap ? 3 / gap
                                         : std::exp(-square / 2) +
                                               std::exp(-2 * square) / ((s + 1) * gap * gap) +
                                               1 / std::expm1(square / 4);
        EXPECT_LE(odds_of_a_low_sample(s, mean, y), order) << mean << " " << y << " " << s;
      }
    }
  }
}

}  // namespace
}  // namespace tacit::theory
