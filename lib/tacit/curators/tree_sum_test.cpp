#include "tacit/curators/tree_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/curators/curators_test.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::curators {
namespace {

using privacy::tree_levels;

const Movement kOneArm{privacy::kOneOutcome, "one sum"};

/// A tree for each of several arms, and where they release.
class Trees {
 public:
  Trees(int arms, Round horizon, int arity, double scale, std::uint64_t run = 0)
      : releases_(simulated(run)) {
    for (Arm arm = 0; arm < arms; ++arm) {
      trees_.emplace_back(horizon, arity, scale, arm, releases_.noise());
    }
  }
  Release add(Arm arm, const privacy::Secret<Sum>& outcome) {
    return trees_[static_cast<std::size_t>(arm)].add(outcome, releases_);
  }
  double sum(Arm arm, double outcome) { return add(arm, once(outcome)).value.value(); }

 private:
  accounting::Releases<Simulated> releases_;
  std::vector<TreeSum<Simulated>> trees_;
};

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
  // Four releases share a place.
  auto draw = key().at(random::Purpose::kNoise, static_cast<std::uint64_t>(arm),
                       static_cast<std::uint64_t>(n / 4));
  for (Round before = n / 4 * 4; before < n; ++before) random::laplace(draw, scale);
  return random::laplace(draw, scale);
}

TEST(TreeSum, HoldAsManyNoiseTermsAsTheDigitSum) {
  for (const int arity : {2, 3, 5, 16, 64}) {
    // Ends with the first observation that fills a new level.
    Round horizon = 1;
    while (horizon * arity <= 5000) horizon *= arity;
    Trees trees(1, horizon, arity, 1);
    for (Round n = 1; n <= horizon; ++n) {
      ASSERT_EQ(trees.add(0, once(0)).noises, digit_sum(n, arity)) << n << " in base " << arity;
    }
  }
}

TEST(TreeSum, RecoverTheSumWhenNoiseIsTiny) {
  for (const int arity : {2, 3, 16}) {
    Trees trees(2, 5000, arity, 1e-12);
    std::array<double, 2> totals{};
    for (Round n = 1; n <= 2500; ++n) {
      for (const Arm arm : {0, 1}) {
        // Multiples of 1/8, so that totals are exact.
        const double outcome = static_cast<double>((n * n + arm) % 9) / 8;
        totals[static_cast<std::size_t>(arm)] += outcome;
        ASSERT_NEAR(trees.sum(arm, outcome), totals[static_cast<std::size_t>(arm)], 1e-9)
            << n << " in base " << arity;
      }
    }
  }
}

TEST(TreeSum, AddUpTheNoiseOfTheBlocksThatMakeUpAPrefix) {
  // Taking the last block off a prefix leaves a prefix: the noise is what the ends of these blocks drew.
  constexpr double kScale = 3;
  for (const int arity : {2, 3, 10, 16}) {
    Trees trees(2, 3000, arity, kScale);
    for (Round n = 1; n <= 1500; ++n) {
      for (const Arm arm : {0, 1}) {
        double noise = 0;
        for (Round end = n; end > 0; end -= block_ending_at(end, arity)) {
          noise += noise_at(arm, end, kScale);
        }
        ASSERT_NEAR(trees.sum(arm, 0), noise, 1e-9) << n << " in base " << arity;
      }
    }
  }
}

TEST(TreeSum, HaveTheVarianceOfTheirDigitSum) {
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
      Trees trees(1, kPrefixes, arity, kScale, run);
      double before = 0;
      for (std::size_t n = 1; n <= kPrefixes; ++n) {
        const double noise = trees.sum(0, 1) - static_cast<double>(n);
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

TEST(TreeSum, ChargeForEveryLevelThatTheHorizonCanFill) {
  for (const int arity : {2, 3, 16, 64}) {
    const Round b = arity;
    for (const Round horizon : {Round{1}, b - 1, b, b * b - 1, b * b, Round{1000000}, kLastRound}) {
      int levels = 0;  // floor(log_b horizon) + 1: the smallest power of b above the horizon
      for (Round power = 1; power <= horizon; power *= b) ++levels;
      EXPECT_EQ(tree_levels(horizon, arity), levels) << horizon << " in base " << arity;
      const CounterPlan plan{.shape = {privacy::Counter::kTree, horizon, arity},
                             .epsilon = levels / 8.0,
                             .delta = 0,
                             .share = 1};
      EXPECT_DOUBLE_EQ(plan.term_scale(), 8) << horizon << " in base " << arity;
      EXPECT_DOUBLE_EQ(plan.guarantee(kOneArm, privacy::Arithmetic::kIdealised).epsilon,
                       levels / 8.0);
      if (arity != 2) continue;
      const TreePlan given{.horizon = horizon, .scale = 8};
      EXPECT_DOUBLE_EQ(given.guarantee(kOneArm, privacy::Arithmetic::kIdealised).epsilon,
                       levels / 8.0);
    }
  }
}

TEST(TreeSum, ChargeForTheMostBlocksThatAnObservationIsIn) {
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

TEST(TreeSum, OfArityTwoAreTheBinaryMechanism) {
  // Algorithm 2 of Chan, Shi & Song 2011: at step n, with i the lowest set bit of n, node i takes over
  // all nodes below it, and the output adds the noisy nodes of the set bits.
  constexpr double kScale = 2;
  Trees trees(1, 4096, 2, kScale);
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
    const Release release = trees.add(0, once(outcome));
    ASSERT_NEAR(release.value.value(), output, 1e-9) << n;
    ASSERT_EQ(release.noises, std::popcount(n));
  }
}

TEST(TreeSum, LevelsAreTheBitsOfTheHorizon) {
  EXPECT_EQ(tree_levels(1), 1);
  EXPECT_EQ(tree_levels(2), 2);
  EXPECT_EQ(tree_levels(1000000), 20);
  EXPECT_EQ(tree_levels(1 << 20), 21);
}

TEST(TreeSum, PrefixSumsAreExactUpToTheirNoise) {
  Trees trees(1, 1000, 2, kTiny);
  Round total = 0;
  for (Round n = 1; n <= 1000; ++n) {
    const Round outcome = (n * n) % 3 == 1 ? 1 : 0;
    total += outcome;
    const Release release = trees.add(0, ones(outcome));
    ASSERT_NEAR(release.value.value(), static_cast<double>(total), 1e-6);
    ASSERT_EQ(release.noises, std::popcount(static_cast<std::uint64_t>(n)));
  }
}

TEST(TreeSum, VarianceOfEveryPrefixIsItsFormula) {
  // A sum of k Laplace(b) has variance 2kb^2 and fourth cumulant 12kb^4, so the mean of N squares
  // has variance (8k^2 + 12k)b^4/N. One z-test a prefix.
  constexpr int kTrees = 4000;
  constexpr Round kPrefixes = 256;
  constexpr double kScale = 3;
  std::vector<double> squares(kPrefixes + 1);
  for (std::uint64_t run = 0; run < kTrees; ++run) {
    Trees trees(1, kPrefixes, 2, kScale, run);
    for (Round n = 1; n <= kPrefixes; ++n) {
      const double noise = trees.sum(0, 1) - static_cast<double>(n);
      squares[static_cast<std::size_t>(n)] += noise * noise;
    }
  }
  const double critical = testing::two_sided_z(testing::kFamilyError / kPrefixes);
  double largest_wrong = 0;
  for (Round n = 1; n <= kPrefixes; ++n) {
    const double k = std::popcount(static_cast<std::uint64_t>(n));
    const double spread = std::sqrt((8 * k * k + 12 * k) / kTrees) * kScale * kScale;
    const double measured = squares[static_cast<std::size_t>(n)] / kTrees;
    EXPECT_LT(std::abs(measured - 2 * k * kScale * kScale) / spread, critical) << n;
    // A formula that is off by one term must fail somewhere.
    largest_wrong =
        std::max(largest_wrong, std::abs(measured - 2 * (k + 1) * kScale * kScale) / spread);
  }
  EXPECT_GT(largest_wrong, critical);
}

TEST(TreeSum, EveryBlockHasNoiseOfItsOwn) {
  // Observation n completes one block; its noise shows as what it adds beyond blocks known before.
  Trees trees(2, 16, 2, 1);
  std::set<double> noises;
  for (Arm arm = 0; arm < 2; ++arm) {
    double before = 0;
    for (Round n = 1; n <= 16; ++n) {
      const double noise = trees.sum(arm, 1) - static_cast<double>(n);
      // After an odd n the newest block is the single observation n, on top of n - 1's prefix.
      noises.insert(n % 2 == 1 ? noise - before : noise);
      before = noise;
    }
  }
  EXPECT_EQ(noises.size(), 32U);
}

TEST(TreeSum, ParticipationIsTheNumberOfLevels) {
  const TreePlan plan{.horizon = 1000000, .scale = 20};
  EXPECT_DOUBLE_EQ(plan.guarantee(kOneArm, privacy::Arithmetic::kIdealised).epsilon, 1);
}

}  // namespace
}  // namespace tacit::curators
