#include "tacit/estimators/tree_counter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::estimators {
namespace {

using privacy::Laplace;
using privacy::Secret;

constexpr privacy::Sensitivity kOneArm{.l0 = 1, .linf = 1, .l1 = 1, .l2 = 1, .monotone = true};

random::SimulationKey key(std::uint64_t run = 0) { return {2, "estimators", "trees", run}; }
Secret<Sum> once(double x) { return Secret<Sum>(Sum(Outcome::nearest(x))); }

int digit_sum(Round n, int arity) {
  int sum = 0;
  for (; n > 0; n /= arity) sum += static_cast<int>(n % arity);
  return sum;
}

/// The size of the block that observation n completes: the largest power of the arity in n.
Round block_ending_at(Round n, int arity) {
  Round size = 1;
  while (n % (size * arity) == 0) size *= arity;
  return size;
}

/// The noise that the tree draws when observation n completes a block.
double noise_at(Arm arm, Round n, double scale) {
  auto draw = key().at(random::Purpose::kNoise, static_cast<std::uint64_t>(arm),
                       static_cast<std::uint64_t>(n));
  return random::laplace(draw, scale);
}

TEST(TreeCounters, HoldAsManyNoiseTermsAsTheDigitSum) {
  for (const int arity : {2, 3, 5, 16, 64}) {
    // Ends with the first observation that fills a new level.
    Round horizon = 1;
    while (horizon * arity <= 5000) horizon *= arity;
    TreeCounter tree(1, horizon, Laplace(1), key(), arity);
    for (Round n = 1; n <= horizon; ++n) {
      tree.learn(0, 1, once(0));
      ASSERT_EQ(tree.estimate(0).noises, digit_sum(n, arity)) << n << " in base " << arity;
      ASSERT_EQ(tree.estimate(0).n, static_cast<double>(n));
    }
  }
}

TEST(TreeCounters, RecoverTheSumWhenNoiseIsTiny) {
  for (const int arity : {2, 3, 16}) {
    TreeCounter tree(2, 5000, Laplace(1e-12), key(), arity);
    std::array<double, 2> totals{};
    for (Round n = 1; n <= 2500; ++n) {
      for (const Arm arm : {0, 1}) {
        // Multiples of 1/8, so that totals are exact.
        const double outcome = static_cast<double>((n * n + arm) % 9) / 8;
        totals[static_cast<std::size_t>(arm)] += outcome;
        tree.learn(arm, 1, once(outcome));
        ASSERT_NEAR(tree.estimate(arm).sum, totals[static_cast<std::size_t>(arm)], 1e-9)
            << n << " in base " << arity;
      }
    }
  }
}

TEST(TreeCounters, AddUpTheNoiseOfTheBlocksThatMakeUpAPrefix) {
  // Taking the last block off a prefix leaves a prefix: the noise is what the ends of these blocks drew.
  constexpr double kScale = 3;
  for (const int arity : {2, 3, 10, 16}) {
    TreeCounter tree(2, 3000, Laplace(kScale), key(), arity);
    for (Round n = 1; n <= 1500; ++n) {
      for (const Arm arm : {0, 1}) {
        tree.learn(arm, 1, once(0));
        double noise = 0;
        for (Round end = n; end > 0; end -= block_ending_at(end, arity)) {
          noise += noise_at(arm, end, kScale);
        }
        ASSERT_NEAR(tree.estimate(arm).sum, noise, 1e-9) << n << " in base " << arity;
      }
    }
  }
}

TEST(TreeCounters, HaveTheVarianceOfTheirDigitSum) {
  // A sum of k Laplace(b) has variance 2kb^2 and fourth cumulant 12kb^4, so the mean of N squares has
  // variance (8k^2 + 12k)b^4/N. From n to n+1 observations with c carries, c(arity-1) terms go and one
  // comes: as many terms has the difference of the two prefixes.
  constexpr std::uint64_t kTrees = 4000;
  constexpr Round kPrefixes = 100;
  constexpr double kScale = 0.5;
  const std::vector<int> arities{2, 3, 16};
  const double critical = testing::two_sided_z(
      testing::kFamilyError / (2.0 * kPrefixes * static_cast<double>(arities.size())));
  for (const int arity : arities) {
    std::vector<double> squares(kPrefixes + 1);
    std::vector<double> steps(kPrefixes + 1);
    for (std::uint64_t run = 0; run < kTrees; ++run) {
      TreeCounter tree(1, kPrefixes, Laplace(kScale), key(run), arity);
      double before = 0;
      for (std::size_t n = 1; n <= kPrefixes; ++n) {
        tree.learn(0, 1, once(1));
        const double noise = tree.estimate(0).sum - static_cast<double>(n);
        squares[n] += noise * noise;
        steps[n] += (noise - before) * (noise - before);
        before = noise;
      }
    }
    const auto z = [](double squared, double k) {
      const double spread = std::sqrt((8 * k * k + 12 * k) / kTrees) * kScale * kScale;
      return std::abs(squared / kTrees - 2 * k * kScale * kScale) / spread;
    };
    double largest_wrong = 0;
    for (Round n = 1; n <= kPrefixes; ++n) {
      const int terms = digit_sum(n, arity);
      const int gone = digit_sum(n - 1, arity) + 1 - terms;
      EXPECT_LT(z(squares[static_cast<std::size_t>(n)], terms), critical) << n;
      EXPECT_LT(z(steps[static_cast<std::size_t>(n)], gone + 1), critical) << n;
      largest_wrong = std::max(largest_wrong, z(squares[static_cast<std::size_t>(n)], terms + 1));
    }
    EXPECT_GT(largest_wrong, critical) << "a formula that is off by one term must fail somewhere";
  }
}

TEST(TreeCounters, ChargeForEveryLevelThatTheHorizonCanFill) {
  for (const int arity : {2, 3, 16, 64}) {
    const Round b = arity;
    for (const Round horizon : {Round{1}, b - 1, b, b * b - 1, b * b, Round{1000000}, kLastRound}) {
      int levels = 0;  // floor(log_b horizon) + 1: the smallest power of b above the horizon
      for (Round power = 1; power <= horizon; power *= b) ++levels;
      EXPECT_EQ(tree_levels(horizon, arity), levels) << horizon << " in base " << arity;
      const TreeCounter tree(1, horizon, Laplace(8), key(), arity);
      EXPECT_DOUBLE_EQ(tree.guarantee(kOneArm, "one sum").epsilon, levels / 8.0);
    }
  }
}

TEST(TreeCounters, ChargeForTheMostBlocksThatAnObservationIsIn) {
  for (const int arity : {2, 3, 7}) {
    for (const Round horizon : {1, 2, 6, 7, 8, 9, 26, 27, 49, 342, 343, 512}) {
      std::vector<int> blocks(static_cast<std::size_t>(horizon) + 1);
      for (Round end = 1; end <= horizon; ++end) {
        for (Round n = end - block_ending_at(end, arity) + 1; n <= end; ++n) {
          ++blocks[static_cast<std::size_t>(n)];
        }
      }
      EXPECT_EQ(tree_levels(horizon, arity), *std::max_element(blocks.begin(), blocks.end()))
          << horizon << " in base " << arity;
    }
  }
}

TEST(TreeCounters, OfArityTwoAreTheBinaryMechanism) {
  // Algorithm 2 of Chan, Shi & Song 2011: at step n, with i the lowest set bit of n, node i takes over
  // all nodes below it, and the output adds the noisy nodes of the set bits.
  constexpr double kScale = 2;
  TreeCounter tree(1, 4096, Laplace(kScale), key());  // 2 unless said otherwise
  std::array<double, 13> exact{};
  std::array<double, 13> noisy{};
  for (std::uint64_t n = 1; n <= 4096; ++n) {
    const double outcome = static_cast<double>(n % 5) / 4;
    const auto lowest = static_cast<std::size_t>(std::countr_zero(n));
    exact[lowest] = outcome;
    for (std::size_t below = 0; below < lowest; ++below) exact[lowest] += exact[below];
    noisy[lowest] = exact[lowest] + noise_at(0, static_cast<Round>(n), kScale);
    double output = 0;
    for (std::size_t bit = 0; bit < noisy.size(); ++bit)
      output += (n >> bit & 1U) != 0 ? noisy[bit] : 0;
    tree.learn(0, 1, once(outcome));
    ASSERT_NEAR(tree.estimate(0).sum, output, 1e-9) << n;
    ASSERT_EQ(tree.estimate(0).noises, std::popcount(n));
  }
}

}  // namespace
}  // namespace tacit::estimators
