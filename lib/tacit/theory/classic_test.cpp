#include "tacit/theory/classic.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <algorithm>

#include "tacit/actions/top_k.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/theory/instance.hpp"

namespace tacit::theory {
namespace {

// ln 1000000 = 13.815511; ln 1000 = 6.907755.
constexpr std::array kHalfAndQuarter = {0.5, 0.25};

TEST(LaiRobbins, OnTwoCoins) {
  // kl(1/4, 1/2) = 0.25 ln 0.5 + 0.75 ln 1.5 = -0.1732868 + 0.3040988 = 0.1308120.
  // 0.25/0.1308120 = 1.911139, times 13.815511 = 26.40337.
  EXPECT_NEAR(lai_robbins_lower(kHalfAndQuarter, 1000000), 26.40337, 1e-4);
}

TEST(LaiRobbins, EqualArmsCostNothing) {
  EXPECT_EQ(lai_robbins_lower(std::array{0.5, 0.5, 0.5}, 1000), 0);
}

TEST(LaiRobbins, RefusesMeansOutsideTheUnitInterval) {
  EXPECT_THROW(lai_robbins_lower(std::array{0.5, 1.5}, 1000), InvalidParameter);
  EXPECT_THROW(lai_robbins_lower(std::array{0.5}, 1000), InvalidParameter);
  EXPECT_THROW(lai_robbins_lower(kHalfAndQuarter, 0), InvalidParameter);
}

TEST(Auer, OnTwoArms) {
  // 8 * 6.907755/0.25 = 221.04817; (1 + 3.2898681) * 0.25 = 1.0724670.
  EXPECT_NEAR(auer_upper(kHalfAndQuarter, 1000), 222.12064, 1e-4);
  EXPECT_THROW(auer_upper(std::array{0.5, -0.1}, 1000), InvalidParameter);
}

TEST(ShariffSheffet, CountsSuboptimalArms) {
  // Two suboptimal arms: 2 * 6.907755/(200 * 0.1) = 0.6907755, whatever their gaps.
  EXPECT_NEAR(shariff_sheffet_lower(std::array{0.9, 0.5, 0.2, 0.9}, 0.1, 1000), 0.6907755, 1e-6);
  EXPECT_THROW(shariff_sheffet_lower(kHalfAndQuarter, 0, 1000), InvalidParameter);
}

TEST(AzizeBasu, TakesTheSmallerDistance) {
  // eps = 0.05: 6 * 0.05 * 0.25 = 0.075 < 0.1308120, so 0.25/0.075 = 3.333333 times 6.907755.
  EXPECT_NEAR(azize_basu_lower(kHalfAndQuarter, 0.05, 1000), 23.02585, 1e-4);
  // eps = 1: the divergence, 1.911139 * 6.907755.
  EXPECT_NEAR(azize_basu_lower(kHalfAndQuarter, 1, 1000), 13.20168, 1e-4);
  EXPECT_THROW(azize_basu_lower(kHalfAndQuarter, -1, 1000), InvalidParameter);
}

TEST(AzizeBasu, OnTheWorstInstance) {
  // K = 10, T = 10000: sqrt(90000)/27 = 300/27 = 11.111111; 9/(131 * 0.001) = 68.702290.
  EXPECT_NEAR(azize_basu_minimax_lower(10, 1, 10000).value(), 11.111111, 1e-5);
  EXPECT_NEAR(azize_basu_minimax_lower(10, 0.001, 10000).value(), 68.702290, 1e-5);
}

TEST(AzizeBasu, NeverExceedsTheHorizon) {
  // At T eps < K-1 the privacy term alone would be 9/(131 * 1e-6) = 68702 > T.
  EXPECT_NEAR(azize_basu_minimax_lower(10, 1e-6, 100).value(), 1.1111111, 1e-6);
  EXPECT_FALSE(azize_basu_minimax_lower(10, 1, 8));
  EXPECT_THROW(azize_basu_minimax_lower(1, 1, 100), InvalidParameter);
}

TEST(DEpsilon, IsLinearForStrongPrivacy) {
  // eps = 0.1, x = 1/4, y = 1/2: z* = e^-0.1/(1 + e^-0.1) = 0.475 > x, so d = -0.025 - ln((1 + e^-0.1)/2)
  // = -0.025 + 0.0487503 = 0.0237503; 0.25/0.0237503 = 10.52618 times 6.907755 = 72.7122.
  EXPECT_NEAR(d_epsilon_lower(kHalfAndQuarter, 0.1, 1000), 72.712, 2e-3);
  EXPECT_THROW(d_epsilon_lower(kHalfAndQuarter, 0, 1000), InvalidParameter);
}

TEST(DEpsilon, ImpliesTheOlderBoundsEverywhere) {
  for (double epsilon : {0.01, 0.1, 0.5, 1.0, 3.0, 10.0}) {
    for (double best : {0.1, 0.5, 0.9, 0.999}) {
      for (double share : {0.01, 0.5, 0.9}) {
        const std::array means = {best, best * share};
        const double sharp = d_epsilon_lower(means, epsilon, 1000) * (1 + 1e-12);
        EXPECT_GE(sharp, 200 * shariff_sheffet_lower(means, epsilon, 1000));
        EXPECT_GE(sharp, azize_basu_lower(means, epsilon, 1000));
        EXPECT_GE(sharp, lai_robbins_lower(means, 1000));
      }
    }
  }
}

TEST(CorruptedFeedback, SeesBitsThatTellLess) {
  // e^eps = 3: b = (1 + 2 mu)/4, so 1/2 and 3/8. kl(3/8, 1/2) = 0.375 ln 0.75 + 0.625 ln 1.25
  // = -0.1078808 + 0.1394647 = 0.0315839; 0.25/0.0315839 = 7.915417 times 6.907755 = 54.6778.
  EXPECT_NEAR(corrupted_feedback_lower(kHalfAndQuarter, std::log(3.0), 1000), 54.678, 2e-3);
  EXPECT_THROW(corrupted_feedback_lower(kHalfAndQuarter, 0, 1000), InvalidParameter);
}

TEST(CorruptedFeedback, IsLaiRobbinsWithoutPrivacy) {
  EXPECT_NEAR(corrupted_feedback_lower(kHalfAndQuarter, 700, 1000),
              lai_robbins_lower(kHalfAndQuarter, 1000), 1e-9);
}

TEST(LeaderUpper, AddsUpHoeffding) {
  // Two arms: the sum of the smaller of Delta and Delta e^(-n Delta^2/2), by adding up.
  for (const std::vector<double>& means :
       {std::vector<double>{0.6, 0.4}, {0.9, 0.1}, {0.5, 0.5}, {0.7, 0.6, 0.6, 0.5, 0.2}}) {
    for (const Round horizon : {Round{1}, Round{7}, Round{1000}, Round{20000}}) {
      double sum = 0;
      const double best = *std::max_element(means.begin(), means.end());
      const double worst = *std::min_element(means.begin(), means.end());
      for (Round n = 0; n < horizon; ++n) {
        double next = 0;
        for (const double mean : means) {
          const double gap = best - mean;
          if (gap > 0) next += gap * std::exp(-static_cast<double>(n) * gap * gap / 2);
        }
        sum += std::min(best - worst, next);
      }
      // Where the two cross is known up to a round.
      EXPECT_NEAR(leader_upper(means, horizon), sum, 2 * (best - worst) + 1e-9 * sum);
      EXPECT_GE(leader_upper(means, horizon), sum - 1e-9);
    }
  }
}

TEST(RandomPlay, IsTheMeanOverAllArmsOrLists) {
  const Instance arms =
      single_arms(feedback::Kind::kBandit, {0.8, 0.5, 0.5, 0.5}, std::nullopt, 10000);
  EXPECT_NEAR(random_play(arms), 2250, 1e-9);
  // Lists of two of four: all six, by hand.
  const std::vector<double> w{0.9, 0.5, 0.2, 0.1};
  double missed = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) missed += (1 - w[i]) * (1 - w[j]) / 6;
  }
  const Instance lists =
      sets_of_arms(feedback::Kind::kCascade, w, actions::TopK(4, 2), std::nullopt, 100);
  EXPECT_NEAR(random_play(lists), 100 * (missed - 0.1 * 0.5), 1e-9);
  const Instance all =
      sets_of_arms(feedback::Kind::kCascade, w, actions::TopK(4, 4), std::nullopt, 100);
  EXPECT_NEAR(random_play(all), 0, 1e-9) << "there is one list of all";
}

}  // namespace
}  // namespace tacit::theory
