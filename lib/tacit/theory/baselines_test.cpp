#include "tacit/theory/baselines.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/theory/basu.hpp"
#include "tacit/theory/bound.hpp"
#include "tacit/theory/classic.hpp"
#include "tacit/theory/tails.hpp"

namespace tacit::theory {
namespace {

// ln 1000000 = 13.815511; ln 1000 = 6.907755.
constexpr std::array kHalfAndQuarter = {0.5, 0.25};

TEST(ResponseUcb, IsAuerOnBits) {
  // e^eps = 3: s = 1/2. 0.25 (8 * 13.815511/(1/64) + 1 + 3.289868) = 1768.3854 + 1.072467.
  EXPECT_NEAR(response_ucb_upper(kHalfAndQuarter, std::log(3.0), 1000000), 1769.4579, 1e-3);
  EXPECT_DOUBLE_EQ(response_ucb_upper(kHalfAndQuarter, std::log(3.0), 10), 2.5);
  EXPECT_EQ(response_ucb_upper(std::array{0.5, 0.5}, 1, 1000), 0);
  EXPECT_THROW(response_ucb_upper(kHalfAndQuarter, 0, 10), InvalidParameter);
}

TEST(LaplaceUcb, OnTwoArms) {
  // eps = 4: sqrt 2 (1 + 1) = sqrt 8, c = 8: 4 * 8 * 13.815511/0.0625 + 1.32 = 7074.8616, times 0.25.
  EXPECT_NEAR(laplace_ucb_upper(kHalfAndQuarter, 4, 1000000), 1768.7154, 1e-3);
}

TEST(LaplaceUcb, StraysAsRarelyAsItsHeaderSays) {
  EXPECT_GT(32 * laplace_rate(std::sqrt(8.0)) / 8, 5.22);
  double sum = 0;
  for (int t = 2; t < 100000; ++t) sum += (t - 1) * (std::pow(t, -4) + std::pow(t, -5.22));
  EXPECT_LT(2 * sum, 0.32 - 1e-6);
}

TEST(KlUcb, IsOneOfItsGrid) {
  // The smallest over the grid is no more than at any point of it. g = h = Delta/4, worked out by adding up rounds.
  const double g = 0.0625;
  const Round horizon = 10000;
  const double rate = indices::kl(0.5 - g, 0.5);
  const double power = rate / -std::log1p(-(0.5 - g));
  double underrated = 0;
  for (Round t = 1; t <= horizon; ++t) {
    underrated += std::min(1.0, std::pow(t, -1 - power) / (1 - std::exp(-rate)));
  }
  const double pulls = 1 + std::log(1e4) / indices::kl(0.25 + g, 0.5 - g) +
                       1 / (std::exp(indices::kl(0.25 + g, 0.25)) - 1) + underrated;
  EXPECT_LE(kl_ucb_upper(kHalfAndQuarter, horizon), 0.25 * (pulls + 2));
}

TEST(KlUcb, TendsToLaiRobbins) {
  double last = 1e9;
  for (const Round horizon : {Round{1000000}, Round{1000000000000}, kLastRound}) {
    const double ratio = kl_ucb_upper(std::array{0.9, 0.1}, horizon) /
                         lai_robbins_lower(std::array{0.9, 0.1}, horizon);
    EXPECT_GT(ratio, 1);
    EXPECT_LT(ratio, last);
    last = ratio;
  }
  EXPECT_LT(last, 8);
}

TEST(KlUcb, OnBitsWithoutPrivacyIsWithThreeMoreLogarithms) {
  EXPECT_GE(kl_ucb_cf_upper(kHalfAndQuarter, 700, 1000000), kl_ucb_upper(kHalfAndQuarter, 1000000));
  EXPECT_LE(kl_ucb_cf_upper(kHalfAndQuarter, 700, 1000000),
            2 * kl_ucb_upper(kHalfAndQuarter, 1000000));
}

TEST(Elimination, OnTwoArms) {
  // Delta = 1/4: epochs 1 and 2 of both arms (after the second it is dropped). T = 10^6, beta = 10^-6, eps = 1:
  //   e = 1: 32 * 4 ln(16e6) = 2123.28 (the other is 8 * 2 ln(8e6) = 254): ceil(2124.28) = 2125
  //   e = 2: 32 * 16 ln(64e6) = 9202.89: 9204
  // 0.25 (2125 + 9204 + 0.822467).
  EXPECT_NEAR(elimination_upper(kHalfAndQuarter, 1, 1000000), 0.25 * (2125 + 9204) + 0.205617,
              1e-4);
  EXPECT_DOUBLE_EQ(elimination_upper(kHalfAndQuarter, 1, 100), 25);
  EXPECT_EQ(elimination_upper(std::array{0.5, 0.5}, 1, 100), 0);
}

TEST(DoublingEpisodes, OnTwoArms) {
  // a ln T = 3.1 * 13.815511 = 42.828084. n = 4096: sqrt(21.414042/4096) + 42.828084/4096 = 0.072305 + 0.010456 < 1/8;
  // n = 2048: 0.102256 + 0.020912 = 0.123168 < 0.125; n = 1024: 0.144611 + ... no. So 2 * 2048 pulls, and less than 1.7.
  const double regret = doubling_episodes_upper(kHalfAndQuarter, 1, 3.1, 1000000);
  EXPECT_GT(regret, 0.25 * 4096);
  EXPECT_LT(regret, 0.25 * (4096 + 1.7));
  EXPECT_THROW(doubling_episodes_upper(kHalfAndQuarter, 1, 1, 1000), InvalidParameter);
}

TEST(NoisyExp3, OnTwoArms) {
  // eps = 2, T = 10^6: 1 + 13.815511 = 14.815511; sqrt(1.7182818 * 2e6 * 0.69314718) = 1543.374; twice the product + 1/2.
  EXPECT_NEAR(noisy_exp3_upper(kHalfAndQuarter, 2, 1000000), 45732.2, 1);
}

TEST(DecreasingHedge, IsNeverAboveItsWorstCaseAndOfItsOrder) {
  for (const std::vector<double>& means :
       {std::vector<double>{0.6, 0.4}, {0.9, 0.1}, {0.5, 0.49}, {0.7, 0.6, 0.6, 0.5, 0.2}}) {
    const double arms = static_cast<double>(means.size());
    const double gap = smallest_gap(means);
    for (const Round horizon : {Round{1}, Round{10}, Round{1000}, Round{100000000}}) {
      const double bound = decreasing_hedge_upper(means, horizon);
      EXPECT_LE(bound, std::sqrt(static_cast<double>(horizon) * std::log(arms)) + 1e-9);
      EXPECT_LE(bound, (6 * std::log(arms) + 40) / gap);
    }
  }
  EXPECT_EQ(decreasing_hedge_upper(std::array{0.5, 0.5}, 1000), 0);
}

TEST(CorruptedFeedback, IsOffBasuByMoreThanTheySayAndOptimalAllTheSame) {
  for (const double epsilon : {0.01, 0.1, 0.5, 1.0, 2.0, 5.0}) {
    for (const auto& means : {std::array{0.5, 0.49}, std::array{0.9, 0.1}, std::array{0.99, 0.98},
                              std::array{0.02, 0.01}}) {
      // Section 6 of Basu et al., as a ratio to their own lower bound.
      EXPECT_GE(corrupted_feedback_ratio(means, epsilon), std::pow(1 + std::exp(-epsilon), 2));
      // No local policy can have less than what the two have.
      const Instance arms =
          single_arms(feedback::Kind::kBandit, {means.begin(), means.end()}, epsilon, 1000);
      EXPECT_DOUBLE_EQ(evaluate(find_bound("gajane-upper"), arms).value(),
                       evaluate(find_bound("local-response"), arms).value());
      EXPECT_GE(evaluate(find_bound("local-response"), arms).value(),
                evaluate(find_bound("basu-theorem-4"), arms).value());
    }
  }
  // At small gaps around 1/2 and e^eps = 3/2: 2 * 2.25 * 2.5^2 = 28.125.
  EXPECT_NEAR(corrupted_feedback_ratio(std::array{0.5005, 0.4995}, std::log(1.5)), 28.125, 1e-3);
}

/// Total variation apart, every eps-local report of a bit is made of the randomised response: its divergence is no more.
TEST(CorruptedFeedback, NoReportOfABitTellsMoreThanItsResponse) {
  const double epsilon = 1;
  const double response = indices::kl(response_mean(0.3, epsilon), response_mean(0.6, epsilon));
  // Reports of three values with chances x given 0 and y given 1, all with ratios within e^eps.
  const double e = std::exp(epsilon);
  int looked_at = 0;
  for (double x0 = 0.02; x0 < 1; x0 += 0.02) {
    for (double x1 = 0.02; x0 + x1 < 0.99; x1 += 0.02) {
      for (double y0 = 0.02; y0 < 1; y0 += 0.02) {
        for (double y1 = 0.02; y0 + y1 < 0.99; y1 += 0.02) {
          const std::array x{x0, x1, 1 - x0 - x1};
          const std::array y{y0, y1, 1 - y0 - y1};
          double divergence = 0;
          bool is_local = true;
          for (std::size_t i = 0; i < 3; ++i) {
            is_local = is_local && x[i] <= e * y[i] && y[i] <= e * x[i];
            const double low = 0.7 * x[i] + 0.3 * y[i];
            const double high = 0.4 * x[i] + 0.6 * y[i];
            divergence += low * std::log(low / high);
          }
          if (!is_local) continue;
          ++looked_at;
          ASSERT_LE(divergence, response + 1e-12);
        }
      }
    }
  }
  EXPECT_GT(looked_at, 10000);
}

TEST(AuerMinimax, IsWhatItsProofGives) {
  // gap (T - T/K - T/2 sqrt(-(T/K) ln(1 - 4 gap^2))) on the proof's instance is at least min(sqrt(KT), T)/20.
  const Bound& bound = find_bound("auer-minimax");
  for (const int arms : {2, 3, 10, 1000}) {
    for (const Round horizon : {Round{1}, Round{2}, Round{50}, Round{1000}, Round{1000000}}) {
      const double gap = bound.worst_gap(arms, 1, horizon);
      const auto t = static_cast<double>(horizon);
      const double proved =
          gap * (t - t / arms - t / 2 * std::sqrt(-t / arms * std::log(1 - 4 * gap * gap)));
      std::vector<double> means(static_cast<std::size_t>(arms), 0.5);
      const Instance instance = single_arms(feedback::Kind::kBandit, means, {}, horizon);
      EXPECT_GE(proved, evaluate(bound, instance).value()) << arms << " " << horizon;
      EXPECT_LE(evaluate(bound, instance).value(), gap * t);
    }
  }
  const auto means = worst_instance(bound, 4, 1, 10000);
  EXPECT_NEAR(means[0], 0.505, 1e-12);
  EXPECT_TRUE(is_worst_instance(bound, single_arms(feedback::Kind::kBandit, means, {}, 10000)));
}

TEST(Basu, Theorem2AsItsProofGivesIt) {
  // e^2eps = 2: x = 2 * 0.34657359 * 1 = 0.69314718, e^-x = 1/2: sqrt(4 * 2500) e^(-1/2)/32 = 1.895408.
  EXPECT_NEAR(instantaneous_minimax_corrected(5, std::log(2.0) / 2, 2500).value(), 1.895408, 1e-5);
  EXPECT_FALSE(instantaneous_minimax_corrected(5, 1, 3));
  // It never says more than what holds without privacy.
  for (const int arms : {2, 5, 100}) {
    const Instance instance =
        single_arms(feedback::Kind::kBandit,
                    std::vector<double>(static_cast<std::size_t>(arms), 0.5), {}, 250000);
    const double without = evaluate(find_bound("auer-minimax"), instance).value();
    for (const double epsilon : {1e-6, 0.1, 1.0}) {
      EXPECT_LT(instantaneous_minimax_corrected(arms, epsilon, 250000).value(), without) << arms;
    }
  }
}

TEST(Basu, Theorem3FallsWithItsSteepness) {
  Instance arms = single_arms(feedback::Kind::kBandit, {0.5, 0.4}, 1, 100000);
  const double flat = evaluate(find_bound("basu-theorem-3"), arms).value();
  arms.steepness = 0.5;
  EXPECT_NEAR(evaluate(find_bound("basu-theorem-3"), arms).value(), flat * std::exp(-1.5), 1e-9);
}

}  // namespace
}  // namespace tacit::theory
