#include "tacit/theory/basu.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/theory/classic.hpp"

namespace tacit::theory {
namespace {

const double kLog2 = std::log(2.0);

TEST(Basu, Theorem1AtEpsilonLogTwo) {
  // e^eps = 2: min(2, 2)(2 - 1) = 2. K = 5, T = 2500: sqrt(4 * 2500) = 100; 4 e^4 = 218.3926; 100/(218.3926 *
  // 2).
  EXPECT_NEAR(local_minimax_lower(5, kLog2, 2500).value(), 0.2289455, 1e-6);
}

TEST(Basu, Theorem1NeedsTheHorizonOfItsGap) {
  // 4 (K-1)/(4 * 1) = 4 rounds.
  EXPECT_TRUE(local_minimax_lower(5, kLog2, 4));
  const Number short_of_it = local_minimax_lower(5, kLog2, 3);
  ASSERT_FALSE(short_of_it);
  EXPECT_EQ(short_of_it.why_not().in_words(), "horizon = 3: must be at least 4 here");
  EXPECT_THROW(local_minimax_lower(1, 1, 100), InvalidParameter);
  EXPECT_THROW(local_minimax_lower(5, 0, 100), InvalidParameter);
}

TEST(Basu, Theorem1IsBelowWhatItsProofGivesWithTheBestGap) {
  // sqrt((K-1) T) e^-1/2/(8 sqrt a), a = (min(2, e^eps)(e^eps - 1))^2: at e^eps = 2, 100 * 0.6065307/16 =
  // 3.790817.
  EXPECT_LT(local_minimax_lower(5, kLog2, 2500).value(), 3.790817);
}

TEST(Basu, Theorem2AsPrinted) {
  // eps = ln 2: 2 eps (e^2eps - 1) = 1.3862944 * 3 = 4.1588831. K = 5, T = 2500: 100/sqrt(4.1588831) =
  // 49.03571.
  EXPECT_NEAR(instantaneous_minimax_lower(5, kLog2, 2500, 1), 49.0357, 1e-3);
  EXPECT_THROW(instantaneous_minimax_lower(5, kLog2, 2500, 0), InvalidParameter);
}

TEST(Basu, Theorem3WithoutItsLastStep) {
  // eps = 1: ln 2/1 over 2^1: 0.6931472/2 = 0.3465736, root 0.5887050; 8 e^3 = 160.6843; K = 5, T = 2500:
  // 58.87050/160.6843.
  EXPECT_NEAR(central_minimax_lower(5, 1, 2500).value(), 0.3663736, 1e-6);
  // c = 1: e^-3 of it.
  EXPECT_NEAR(central_minimax_lower(5, 1, 2500, 1).value(), 0.0182406, 1e-6);
}

TEST(Basu, Theorem3OutsideItsRange) {
  // T >= 400 ln 2/e^2 = 37.52.
  EXPECT_TRUE(central_minimax_lower(401, 1, 38));
  EXPECT_FALSE(central_minimax_lower(401, 1, 37));
  EXPECT_THROW(central_minimax_lower(5, 1, 2500, -1), InvalidParameter);
}

TEST(Basu, Theorem3IsBelowAzizeAndBasuAtEveryEpsilon) {
  for (double epsilon = 1e-3; epsilon < 30; epsilon *= 1.05) {
    EXPECT_LT(central_minimax_lower(11, epsilon, 1000000).value(),
              azize_basu_minimax_lower(11, epsilon, 1000000).value());
  }
}

TEST(Basu, Theorem4IsLaiRobbinsOverTheContraction) {
  // e^eps = 2: 2 * 4 * 1 = 8; Lai & Robbins for 1/2 and 1/4 at T = 10^6 is 26.40337.
  EXPECT_NEAR(local_instance_lower(std::array{0.5, 0.25}, kLog2, 1000000), 3.300421, 1e-5);
  EXPECT_THROW(local_instance_lower(std::array{0.5, 0.25}, 0, 1000000), InvalidParameter);
}

TEST(Basu, Lemma3AddsUpPulls) {
  // 10 * 0.1 + 5 * 0.4 = 3, and 0.5 of the policy's own.
  const std::array pulls = {10.0, 5.0};
  const std::array divergences = {0.1, 0.4};
  EXPECT_DOUBLE_EQ(history_divergence(pulls, divergences), 3);
  EXPECT_DOUBLE_EQ(history_divergence(pulls, divergences, 0.5), 3.5);
  EXPECT_THROW(history_divergence(pulls, std::array{0.1}), InvalidParameter);
  EXPECT_THROW(history_divergence(std::array{-1.0, 5.0}, divergences), InvalidParameter);
}

TEST(Basu, Lemma4ContractsForSmallEpsilon) {
  // e^eps = 1.1: 2 * 1.21 * 0.01 = 0.0242, times 3.
  EXPECT_NEAR(local_history_divergence(std::array{10.0, 5.0}, std::array{0.1, 0.4}, std::log(1.1)),
              0.0726, 1e-9);
  EXPECT_THROW(local_history_divergence(std::array{10.0}, std::array{0.1}, -1), InvalidParameter);
}

TEST(Basu, Lemma5AddsThePolicysShare) {
  // T = 15, l = 5: e^-3 = 0.04978707, share (1 - 0.09957414)/(1 - 0.04978707) = 0.9476043.
  // e^eps = 2: 2 eps (e^2eps - 1) = 4.1588831; 3 + 4.1588831 * 0.9476043 = 6.940976.
  EXPECT_NEAR(
      instantaneous_history_divergence(std::array{10.0, 5.0}, std::array{0.1, 0.4}, kLog2, 5),
      6.940976, 1e-5);
  EXPECT_THROW(
      instantaneous_history_divergence(std::array{10.0, 5.0}, std::array{0.1, 0.4}, kLog2, 8),
      InvalidParameter);
}

/// The least and the largest chance of one of two outcomes, within a factor e^a of p, as that of the other is of 1 - p.
std::array<double, 2> ends(double p, double a) {
  return {std::max(p * std::exp(-a), 1 - (1 - p) * std::exp(a)),
          std::min(p * std::exp(a), 1 - (1 - p) * std::exp(-a))};
}

/// A divergence is convex in both laws, so that of all laws within e^a of two others those at the ends are the farthest apart.
TEST(Basu, Lemma6HoldsInTheFormOfTheTextAndInThatOfTheAppendix) {
  const auto divergence = [](double p, double q) {
    return p * std::log(p / q) + (1 - p) * std::log((1 - p) / (1 - q));
  };
  double closest = 0;
  for (const double a : {0.01, 0.1, 0.5, 1.0, 2.0, 5.0}) {
    for (double one = -8; one <= 8; one += 0.25) {
      for (double other = -8; other <= 8; other += 0.25) {
        const double p = 1 / (1 + std::exp(-one));
        const double q = 1 / (1 + std::exp(-other));
        const double neighbour = std::max(0.0, divergence(p, q));
        const double text = central_history_divergence(neighbour, a, 0);
        const double appendix = std::exp(a) * (2 * a + neighbour);
        for (const double from : ends(p, a)) {
          for (const double to : ends(q, a)) {
            const double here = divergence(from, to);
            EXPECT_LE(here, text) << a << " " << p << " " << q;
            EXPECT_LE(here, appendix) << a << " " << p << " " << q;
            closest = std::max(closest, here / text);
          }
        }
      }
    }
  }
  EXPECT_GT(closest, 0.9);
}

TEST(Basu, Lemma6PaysForTheNeighbour) {
  // eps + c = 0.5: 1 + e * 2 = 6.436564.
  EXPECT_NEAR(central_history_divergence(2, 0.3, 0.2), 6.436564, 1e-5);
  EXPECT_THROW(central_history_divergence(-1, 0.3, 0.2), InvalidParameter);
}

}  // namespace
}  // namespace tacit::theory
