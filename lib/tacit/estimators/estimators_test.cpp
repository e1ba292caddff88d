#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/estimators/averaged_reports.hpp"
#include "tacit/estimators/interval_releases.hpp"
#include "tacit/estimators/lazy_phases.hpp"
#include "tacit/estimators/tree_counter.hpp"
#include "tacit/privacy/composition.hpp"

namespace tacit::estimators {
namespace {

using privacy::Laplace;
using privacy::Secret;

constexpr privacy::Sensitivity kOneArm{.l0 = 1, .linf = 1, .l1 = 1, .l2 = 1, .monotone = true};
// Noise so small that a released sum shows which outcomes are in it.
constexpr double kTiny = 1e-9;

random::SimulationKey key(std::uint64_t run = 0) { return {1, "estimators", "test", run}; }
Secret<Sum> ones(Round n) { return Secret<Sum>(Sum::of_ones(n)); }

TEST(PhaseSchedule, Doubles) {
  const auto schedule = PhaseSchedule::doubling();
  EXPECT_EQ(schedule.length(0, 0), 1);
  EXPECT_EQ(schedule.length(3, 7), 8);
  EXPECT_EQ(schedule.length(60, kLastRound), kLastRound);
}

TEST(PhaseSchedule, GrowsTheTotal) {
  const auto schedule = PhaseSchedule::cumulative(1, 2);
  EXPECT_EQ(schedule.length(0, 0), 1);
  EXPECT_EQ(schedule.length(1, 1), 1);
  EXPECT_EQ(schedule.length(2, 2), 2);
  EXPECT_EQ(schedule.length(3, 4), 4);
  EXPECT_EQ(PhaseSchedule::cumulative(7, 1.5).length(1, 7), 4);
  EXPECT_EQ(PhaseSchedule::cumulative(1, 1.01).length(1, 1), 1);
  EXPECT_THROW(PhaseSchedule::cumulative(0, 2), InvalidParameter);
  EXPECT_THROW(PhaseSchedule::cumulative(1, 1), InvalidParameter);
}

TEST(LazyPhases, ReleasesNothingUntilAPhaseEnds) {
  LazyPhases<Forget> lazy(2, PhaseSchedule::doubling(), Laplace(kTiny), key());
  EXPECT_EQ(lazy.estimate(0).n, 0);
  EXPECT_TRUE(lazy.learn(0, 1, ones(1)));
  EXPECT_NEAR(lazy.estimate(0).mean(), 1, 1e-6);
  EXPECT_EQ(lazy.remaining(0), 2);
  EXPECT_FALSE(lazy.learn(0, 1, ones(0)));
  EXPECT_NEAR(lazy.estimate(0).mean(), 1, 1e-6);
  EXPECT_TRUE(lazy.in_phase(0));
  EXPECT_TRUE(lazy.learn(0, 1, ones(0)));
  EXPECT_NEAR(lazy.estimate(0).mean(), 0, 1e-6);
  EXPECT_EQ(lazy.estimate(0).n, 2);
  EXPECT_EQ(lazy.estimate(1).n, 0);
}

TEST(LazyPhases, ForgetsOrAccumulates) {
  LazyPhases<Forget> forget(1, PhaseSchedule::doubling(), Laplace(kTiny), key());
  LazyPhases<Accumulate> accumulate(1, PhaseSchedule::doubling(), Laplace(kTiny), key());
  LazyPhases<KeepPhases> keep(1, PhaseSchedule::doubling(), Laplace(kTiny), key());
  for (const auto& [n, sum] : {std::pair{1, 1}, {2, 0}, {4, 3}}) {
    forget.learn(0, n, ones(sum));
    accumulate.learn(0, n, ones(sum));
    keep.learn(0, n, ones(sum));
  }
  EXPECT_NEAR(forget.estimate(0).sum, 3, 1e-6);
  EXPECT_EQ(forget.estimate(0).n, 4);
  EXPECT_EQ(forget.estimate(0).noises, 1);
  EXPECT_NEAR(accumulate.estimate(0).sum, 4, 1e-6);
  EXPECT_EQ(accumulate.estimate(0).n, 7);
  EXPECT_EQ(accumulate.estimate(0).noises, 3);
  ASSERT_EQ(keep.estimate(0).phases.size(), 3U);
  EXPECT_NEAR(keep.estimate(0).phases[2].sum, 3, 1e-6);
}

TEST(LazyPhases, NoiseDependsOnArmAndPhaseOnly) {
  LazyPhases<Forget> at_once(2, PhaseSchedule::doubling(), Laplace(1), key());
  LazyPhases<Forget> one_by_one(2, PhaseSchedule::doubling(), Laplace(1), key());
  at_once.learn(1, 1, ones(1));
  at_once.learn(1, 2, ones(2));
  one_by_one.learn(0, 1, ones(0));
  for (int i = 0; i < 3; ++i) one_by_one.learn(1, 1, ones(1));
  EXPECT_EQ(at_once.estimate(1).sum, one_by_one.estimate(1).sum);
}

TEST(LazyPhases, EveryReleaseHasNoiseOfItsOwn) {
  // Shared noise would cancel in a difference of two arms, or of two phases.
  LazyPhases<KeepPhases> lazy(3, PhaseSchedule::doubling(), Laplace(1), key());
  std::set<double> noises;
  for (Arm arm = 0; arm < 3; ++arm) {
    for (const Round length : {1, 2, 4, 8}) lazy.learn(arm, length, ones(length));
    for (const auto& phase : lazy.estimate(arm).phases) noises.insert(phase.sum - phase.n);
  }
  EXPECT_EQ(noises.size(), 12U);
}

TEST(LazyPhases, OneRoundEntersOneRelease) {
  const LazyPhases<Forget> lazy(3, PhaseSchedule::doubling(), Laplace(4), key());
  const auto g = lazy.guarantee(kOneArm, "one sum");
  EXPECT_EQ(g.notion, privacy::Notion::kCentral);
  EXPECT_DOUBLE_EQ(g.epsilon, 0.25);
}

TEST(AveragedReports, CountsReportsOfSingleRounds) {
  AveragedReports<ExactReport> reports(2, {}, key());
  reports.learn(1, 1, Secret<Outcome>(Outcome::nearest(0.25)));
  reports.learn(1, 1, Secret<Outcome>(Outcome::one()));
  EXPECT_EQ(reports.estimate(1).n, 2);
  EXPECT_EQ(reports.estimate(1).sum, 1.25);
  EXPECT_EQ(reports.guarantee(kOneArm, "one outcome").notion, privacy::Notion::kNone);
  const AveragedReports<privacy::RandomizedResponse> bits(2, privacy::RandomizedResponse(0.5),
                                                          key());
  const auto g = bits.guarantee(kOneArm, "one outcome");
  EXPECT_EQ(g.notion, privacy::Notion::kLocal);
  EXPECT_DOUBLE_EQ(g.epsilon, 0.5);
}

TEST(TreeCounter, LevelsAreTheBitsOfTheHorizon) {
  EXPECT_EQ(tree_levels(1), 1);
  EXPECT_EQ(tree_levels(2), 2);
  EXPECT_EQ(tree_levels(1000000), 20);
  EXPECT_EQ(tree_levels(1 << 20), 21);
}

TEST(TreeCounter, PrefixSumsAreExactUpToTheirNoise) {
  TreeCounter tree(1, 1000, Laplace(kTiny), key());
  Round total = 0;
  for (Round n = 1; n <= 1000; ++n) {
    const Round outcome = (n * n) % 3 == 1 ? 1 : 0;
    total += outcome;
    tree.learn(0, 1, ones(outcome));
    ASSERT_NEAR(tree.estimate(0).sum, static_cast<double>(total), 1e-6);
    ASSERT_EQ(tree.estimate(0).noises, std::popcount(static_cast<std::uint64_t>(n)));
  }
}

TEST(TreeCounter, VarianceOfEveryPrefixIsItsFormula) {
  // A sum of k Laplace(b) has variance 2kb^2 and fourth cumulant 12kb^4, so the mean of N squares
  // has variance (8k^2 + 12k)b^4/N. One z-test a prefix.
  constexpr int kTrees = 4000;
  constexpr Round kPrefixes = 256;
  constexpr double kScale = 3;
  std::vector<double> squares(kPrefixes + 1);
  for (std::uint64_t run = 0; run < kTrees; ++run) {
    TreeCounter tree(1, kPrefixes, Laplace(kScale), key(run));
    for (Round n = 1; n <= kPrefixes; ++n) {
      tree.learn(0, 1, ones(1));
      const double noise = tree.estimate(0).sum - static_cast<double>(n);
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

TEST(TreeCounter, EveryBlockHasNoiseOfItsOwn) {
  // Observation n completes one block; its noise shows as what it adds beyond blocks known before.
  TreeCounter tree(2, 16, Laplace(1), key());
  std::set<double> noises;
  for (Arm arm = 0; arm < 2; ++arm) {
    double before = 0;
    for (Round n = 1; n <= 16; ++n) {
      tree.learn(arm, 1, ones(1));
      const double noise = tree.estimate(arm).sum - static_cast<double>(n);
      // After an odd n the newest block is the single observation n, on top of n - 1's prefix.
      noises.insert(n % 2 == 1 ? noise - before : noise);
      before = noise;
    }
  }
  EXPECT_EQ(noises.size(), 32U);
}

TEST(TreeCounter, ParticipationIsTheNumberOfLevels) {
  const TreeCounter tree(4, 1000000, Laplace(20), key());
  EXPECT_DOUBLE_EQ(tree.guarantee(kOneArm, "one sum").epsilon, 1);
}

TEST(IntervalReleases, ReleasesTheWholeMeanEveryInterval) {
  IntervalReleases releases(1, 4, 1.1, 1000, 1e-6, key());
  EXPECT_EQ(releases.remaining(0), 4);
  EXPECT_FALSE(releases.learn(0, 3, ones(3)));
  EXPECT_EQ(releases.estimate(0).n, 0);
  EXPECT_TRUE(releases.learn(0, 1, ones(1)));
  EXPECT_EQ(releases.estimate(0).n, 4);
  EXPECT_TRUE(releases.learn(0, 4, ones(0)));
  EXPECT_EQ(releases.estimate(0).n, 8);
}

TEST(IntervalReleases, EveryReleaseHasNoiseOfItsOwn) {
  IntervalReleases releases(2, 1, 1.1, 1000, 1e-6, key());
  std::set<double> standardised;
  for (Arm arm = 0; arm < 2; ++arm) {
    for (Round n = 1; n <= 5; ++n) {
      releases.learn(arm, 1, ones(1));
      const auto count = static_cast<double>(n);
      standardised.insert((releases.estimate(arm).sum - count) / std::pow(count, 0.55));
    }
  }
  EXPECT_EQ(standardised.size(), 10U);
}

TEST(IntervalReleases, HaveNoiseOfTheirScale) {
  // Laplace(b) noise is b away from 0 on average, give or take b.
  constexpr int kRuns = 20000;
  double size = 0;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    IntervalReleases releases(1, 4, 1.1, 1000, 1e-6, key(run));
    releases.learn(0, 4, ones(4));
    size += std::abs(releases.estimate(0).sum - 4) / kRuns;
  }
  EXPECT_NEAR(size / std::pow(4, 0.55), 1, 6 / std::sqrt(double{kRuns}));
}

TEST(IntervalReleases, ComposesWhatItReleased) {
  // Two releases at n = 4 and 8: plain addition 4^-.55 + 8^-.55 is below the concentrated bound.
  const IntervalReleases two(1, 4, 1.1, 8, 1e-6, key());
  EXPECT_NEAR(two.guarantee(kOneArm, "one sum").epsilon, std::pow(4, -0.55) + std::pow(8, -0.55),
              1e-12);
  EXPECT_EQ(two.guarantee(kOneArm, "one sum").delta, 0);
  // Many releases: rho = sum k^-1.1/2, by hand for a million terms 8.0809/2.
  const IntervalReleases many(1, 1, 1.1, 1000000, 1e-6, key());
  double rho = 0;
  for (int k = 1; k <= 1000000; ++k) rho += 0.5 * std::pow(k, -1.1);
  const auto g = many.guarantee(kOneArm, "one sum");
  EXPECT_NEAR(g.epsilon, privacy::zcdp_epsilon(rho, 1e-6), 1e-4);
  EXPECT_LT(g.epsilon, rho + 2 * std::sqrt(rho * std::log(1e6)));
  EXPECT_EQ(g.delta, 1e-6);
}

}  // namespace
}  // namespace tacit::estimators
