#include "tacit/curators/hybrid_sum.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/curators/curators_test.hpp"
#include "tacit/curators/plans.hpp"

namespace tacit::curators {
namespace {

using Hybrid = HybridSum<Simulated>;

/// floor(log2 n), by counting.
int exponent_of(Round n) {
  int k = 0;
  while (Round{2} << k <= n) ++k;
  return k;
}
Round power_below(Round n) { return Round{1} << exponent_of(n); }

/// The first of the observations that are added up in the release after observation n: back to the
/// last power of two if n is one itself, else the block of the tree that n completes.
Round first_of_release(Round n) {
  if (n == power_below(n)) return n / 2 + 1;
  const Round m = n - power_below(n);
  Round size = 1;
  while (m % (2 * size) == 0) size *= 2;
  return n - size + 1;
}

/// The scale of that release's noise in units of the counter's: 2 for a total, 2 levels for a tree,
/// whose length is 2^k - 1 after the power 2^k, so that it has k levels.
double scale_of_release(Round n) { return n == power_below(n) ? 2 : 2.0 * exponent_of(n); }

/// The releases that make up the prefix of n: take the last off, and a prefix is left.
std::vector<Round> releases_in_prefix(Round n) {
  std::vector<Round> releases;
  for (; n > 0; n = first_of_release(n) - 1) releases.push_back(n);
  return releases;
}

/// All prefixes 0..n of a counter that was given these outcomes.
std::vector<double> prefixes(const std::vector<double>& outcomes, double scale,
                             std::uint64_t run = 0) {
  Hybrid hybrid(scale, 0);
  const auto releases = simulated(run);
  std::vector<double> sums{0};
  for (const double outcome : outcomes) {
    sums.push_back(hybrid.add(once(outcome), releases).value.value());
  }
  return sums;
}

/// What was released after observation n, read off the published prefixes.
double release_at(const std::vector<double>& sums, Round n) {
  return sums[static_cast<std::size_t>(n)] -
         sums[static_cast<std::size_t>(first_of_release(n) - 1)];
}

TEST(HybridSum, HoldOneNoiseTermForEveryPowerAndEverySetBitBeyondTheLast) {
  Hybrid hybrid(1, 0);
  for (Round n = 1; n <= 5000; ++n) {
    const int noises = hybrid.add(once(0), simulated()).noises;
    const auto beyond = static_cast<std::uint64_t>(n - power_below(n));
    ASSERT_EQ(noises, exponent_of(n) + 1 + std::popcount(beyond)) << n;
    ASSERT_EQ(noises, static_cast<int>(releases_in_prefix(n).size())) << n;
  }
}

TEST(HybridSum, RecoverTheSumWhenNoiseIsTiny) {
  std::array<Hybrid, 2> hybrids{Hybrid(1e-13, 0), Hybrid(1e-13, 1)};
  std::array<double, 2> totals{};
  for (Round n = 1; n <= 2500; ++n) {
    for (const Arm arm : {0, 1}) {
      if (arm == 1 && n % 3 == 0) continue;  // an arm's powers of two are its own
      // Multiples of 1/8, so that totals are exact.
      const double outcome = static_cast<double>((n * n + arm) % 9) / 8;
      const auto at = static_cast<std::size_t>(arm);
      totals[at] += outcome;
      ASSERT_NEAR(hybrids[at].add(once(outcome), simulated()).value.value(), totals[at], 1e-9) << n;
    }
  }
}

TEST(HybridSum, HaveTheVarianceOfTheReleasesInAPrefix) {
  // Laplace(b) has variance 2b^2 and fourth cumulant 12b^4, so with A = sum 2b^2 and F = sum 12b^4 the mean
  // of N squares has variance (2A^2 + F)/N.
  constexpr std::uint64_t kCounters = 4000;
  constexpr Round kPrefixes = 140;
  constexpr double kScale = 0.5;
  const double critical = testing::two_sided_z(testing::kFamilyError / kPrefixes);
  std::vector<double> squares(kPrefixes + 1);
  const std::vector<double> ones(kPrefixes, 1);
  for (std::uint64_t run = 0; run < kCounters; ++run) {
    const std::vector<double> sums = prefixes(ones, kScale, run);
    for (std::size_t n = 1; n <= kPrefixes; ++n) {
      const double noise = sums[n] - static_cast<double>(n);
      squares[n] += noise * noise;
    }
  }
  const auto z = [&](Round n, double wrong_levels) {
    double variance = 0;
    double fourth = 0;
    for (const Round release : releases_in_prefix(n)) {
      const bool total = release == power_below(release);
      const double b = kScale * (scale_of_release(release) + (total ? 0 : wrong_levels));
      variance += 2 * b * b;
      fourth += 12 * b * b * b * b;
    }
    return std::abs(squares[static_cast<std::size_t>(n)] / kCounters - variance) /
           std::sqrt((2 * variance * variance + fourth) / kCounters);
  };
  double largest_wrong = 0;
  for (Round n = 1; n <= kPrefixes; ++n) {
    EXPECT_LT(z(n, 0), critical) << n;
    largest_wrong = std::max(largest_wrong, z(n, 2));
  }
  EXPECT_GT(largest_wrong, critical) << "one level more must show somewhere";
}

TEST(HybridSum, DrawEveryReleaseAtItsScale) {
  // |Laplace(b)| has mean b and variance b^2.
  constexpr std::uint64_t kCounters = 4000;
  constexpr Round kReleases = 70;
  constexpr double kScale = 3;
  std::vector<double> sizes(kReleases + 1);
  const std::vector<double> zeros(kReleases, 0);
  for (std::uint64_t run = 0; run < kCounters; ++run) {
    const std::vector<double> sums = prefixes(zeros, kScale, run);
    for (Round n = 1; n <= kReleases; ++n) {
      sizes[static_cast<std::size_t>(n)] += std::abs(release_at(sums, n));
    }
  }
  const double critical = testing::two_sided_z(testing::kFamilyError / kReleases);
  for (Round n = 1; n <= kReleases; ++n) {
    const double b = kScale * scale_of_release(n);
    const double mean = sizes[static_cast<std::size_t>(n)] / kCounters;
    EXPECT_LT(std::abs(mean - b) / (b / std::sqrt(kCounters)), critical) << n;
  }
}

TEST(HybridSum, SpendNoMoreOnAnObservationThanTheirScaleSays) {
  // The same noise, once without and once with a click at one place: a release moves if it holds it. The
  // scales are those that the test above measures.
  constexpr Round kLength = 300;
  constexpr double kScale = 0.25;
  const std::vector<double> nothing = prefixes(std::vector<double>(kLength, 0), kScale);
  double dearest = 0;
  for (Round i = 1; i <= kLength; ++i) {
    std::vector<double> outcomes(kLength, 0);
    outcomes[static_cast<std::size_t>(i - 1)] = 1;
    const std::vector<double> sums = prefixes(outcomes, kScale);
    int totals = 0;
    int nodes = 0;
    double cost = 0;
    for (Round n = 1; n <= kLength; ++n) {
      const double moved = release_at(sums, n) - release_at(nothing, n);
      if (std::abs(moved) < 1e-9) continue;
      ASSERT_NEAR(moved, 1, 1e-9);
      (n == power_below(n) ? totals : nodes) += 1;
      cost += 1 / (kScale * scale_of_release(n));
    }
    const bool counted = i <= power_below(kLength);  // the last total is not out yet
    EXPECT_EQ(totals, counted ? 1 : 0) << i;
    EXPECT_LE(nodes, exponent_of(i)) << i;
    EXPECT_LE(cost, 1 / kScale + 1e-9) << i;
    dearest = std::max(dearest, cost);
  }
  EXPECT_NEAR(dearest, 1 / kScale, 1e-9) << "and all of it somewhere";
}

/// Of a counter whose rounds move so much in L1.
privacy::Guarantee guarantee_of(double epsilon, int l1) {
  const CounterPlan plan{.shape = {privacy::Counter::kHybrid, 1000, 2},
                         .epsilon = epsilon,
                         .delta = 0,
                         .share = 1.0 * l1};
  return plan.guarantee({privacy::Sensitivity::entries(l1), "some sums"},
                        privacy::Arithmetic::kIdealised);
}

TEST(HybridSum, GuaranteeTheirSensitivityOverTheirScale) {
  for (const double epsilon : {0.1, 1.0, 8.0}) {
    for (const int l1 : {1, 2, 5}) {
      const privacy::Guarantee g = guarantee_of(epsilon, l1);
      EXPECT_NEAR(g.epsilon, epsilon, 1e-12);
      EXPECT_EQ(g.delta, 0);
      EXPECT_EQ(g.notion, privacy::Notion::kCentral);
      EXPECT_NE(g.because.find("some sums"), std::string::npos) << g.because;
    }
  }
}

TEST(HybridSum, KeepArmsApart) {
  Hybrid first(1, 0);
  Hybrid second(1, 1);
  Hybrid alone(1, 1);
  int same = 0;
  for (int n = 1; n <= 50; ++n) {
    const double sum = first.add(once(1), simulated()).value.value();
    const double other = second.add(once(1), simulated()).value.value();
    ASSERT_EQ(other, alone.add(once(1), simulated()).value.value()) << n;
    same += sum == other ? 1 : 0;
  }
  EXPECT_EQ(same, 0) << "two arms must not share their noise";
}

TEST(HybridSum, RefuseAScaleThatIsNone) {
  EXPECT_THROW(Hybrid(0, 0), InvalidParameter);
  EXPECT_THROW(Hybrid(-1, 0), InvalidParameter);
  EXPECT_THROW(Hybrid(std::nan(""), 0), InvalidParameter);
}

TEST(HybridSum, PaysWhatItGuarantees) {
  accounting::Ledger ledger;
  Hybrid hybrid(0.5, 0);
  const auto releases = simulated(0, &ledger);
  for (int n = 1; n <= 1024; ++n) hybrid.add(once(1), releases);
  EXPECT_NEAR(ledger.worst_epsilon(), guarantee_of(2, 1).epsilon, 1e-9);
}

}  // namespace
}  // namespace tacit::curators
