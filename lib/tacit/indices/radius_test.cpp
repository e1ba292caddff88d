#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include <boost/math/distributions/binomial.hpp>

#include "statistics/coverage.hpp"
#include "statistics/goodness_of_fit.hpp"
#include "tacit/estimators/phase_schedule.hpp"
#include "tacit/indices/radii_test.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::indices::radii {
namespace {

TEST(Radii, CoverTheMeanAsOftenAsTheyPromise) {
  for (const Row& r : rows_with_a_promise()) {
    for (std::size_t at = 0; at < kRounds.size(); ++at) {
      const auto t = static_cast<double>(kRounds[at]);
      EXPECT_LE(r.worst[at], r.promise(t)) << r.index << " at t = " << t << ": " << r.where[at];
      EXPECT_LE(r.worst[at], 1 / t) << r.index << " at t = " << t << ": " << r.where[at];
    }
  }
}

TEST(Radii, OfReportsNeedTheirTermForFewObservations) {
  // A few Laplace terms have a heavier tail than a normal: at long horizons 2 sqrt(2 L/n) (1 + scale)
  // alone does not cover.
  constexpr double kScale = 8;
  for (const double horizon : {1e6, 1e9}) {
    const double level = std::log(horizon);
    const LaplaceReportsUcb index(kScale, level);
    const FixedUcb without_the_term(8 * level * (1 + kScale) * (1 + kScale), 0);
    for (const int n : {1, 2, 3, 5, 10, 20, 30, 50}) {
      const LaplaceRace noise(n);
      const auto below = [&](double x) { return noise.below(x / kScale); };
      for (const double mean : kMeans) {
        EXPECT_LE(tacit::testing::failure(in_round(index, n, n, 1), n, mean, below), 1 / horizon)
            << n;
      }
      if (n == 1) {
        EXPECT_GT(tacit::testing::failure(in_round(without_the_term, n, n, 1), n, 0.5, below),
                  1 / horizon);
      }
    }
  }
}

TEST(Radii, ShrinkWithTheObservations) {
  // Covering is easy for a radius that stays wide; from every n on, four times as many observations must
  // be worth something, and enough of them must tell the mean.
  for (const double scale : {0.2, 4.0}) {
    for (const double horizon : {10.0, 1e3, 1e9}) {
      const double level = std::log(horizon);
      const LaplaceReportsUcb index(scale, level);
      for (double n = 1; n <= 1e3; ++n) ASSERT_LT(index.radius(n + 1), index.radius(n)) << n;
      for (double n = std::ceil(level); n < 1e12; n *= 4) {
        ASSERT_NEAR(index.radius(4 * n) / index.radius(n), 0.5, 1e-12) << n;
      }
    }
  }
  constexpr int kMany = 100'000'000;
  const auto above_the_mean = [](const auto& index) {
    return in_round(index, kMany, 12, 1'000'000)(0.25 * kMany) - 0.25;
  };
  constexpr double kClose = 0.006;  // the widest is 2 sqrt(2 ln 10^6/10^8) (1 + 4) = 0.0053
  EXPECT_LT(above_the_mean(LaplaceReportsUcb(4, std::log(1e6))), kClose);
  EXPECT_LT(above_the_mean(NoiseTailUcb(4, 12, std::log(1e6))), kClose);
  EXPECT_LT(above_the_mean(MgfUcb(4, Level::kSharp, kGrowth)), kClose);
  EXPECT_LT(above_the_mean(MgfUcb(4, Level::kJustified, kGrowth)), kClose);
  EXPECT_LT(above_the_mean(ScaledUcb(3, 12, 4)), kClose);
  EXPECT_LT(above_the_mean(ClippedUcb(1.5)), kClose);
  EXPECT_LT(above_the_mean(KlUcb({})), kClose);
}

TEST(Radii, AtTheJustifiedLevelPayForEveryPhaseByTheRound) {
  // Whatever the phase that an arm is in by round t: the failures of all of them add up to at most 1/t.
  for (const double scale : {0.2, 1.0, 8.0}) {
    for (const double growth : {1.1, 1.5, 2.0}) {
      const MgfUcb index(scale, Level::kJustified, growth);
      const auto schedule = estimators::PhaseSchedule::cumulative(scale, growth);
      for (const Round t : kRounds) {
        for (const double mean : kMeans) {
          double failures = 0;
          int phases = 0;
          for (Round n = schedule.length(0, 0); n <= t; n += schedule.length(phases, n)) {
            const LaplaceRace noise(++phases);
            failures += tacit::testing::failure(in_round(index, static_cast<int>(n), phases, t),
                                                static_cast<int>(n), mean,
                                                [&](double x) { return noise.below(x / scale); });
          }
          EXPECT_LE(failures, 1 / static_cast<double>(t)) << scale << " " << growth << " " << mean;
        }
      }
    }
  }
}

TEST(Radii, AsPrintedAreTooSmallForManyArmsOrForALargeEpsilon) {
  // Where the chance to fail first exceeds 1/T at T = 1000.
  const auto failure = [](int k, double epsilon) {
    return printed_reports("", {k}, {epsilon}).worst[2];
  };
  for (const double epsilon : {0.5, 1.0, 5.0}) {
    EXPECT_LT(failure(5, epsilon), 1e-3);
    EXPECT_GT(failure(6, epsilon), 1e-3);
  }
  EXPECT_GT(failure(16, 1), 1e-2);
  EXPECT_GT(failure(64, 1), 9e-2);
  EXPECT_LT(failure(1, 9), 1e-3);
  EXPECT_GT(failure(1, 10), 1e-3);
  EXPECT_GT(failure(1, 20), 9e-2);
}

TEST(Radii, OfTreesAsPrintedSayNothingForTenThousandObservations) {
  for (const Row& r : rows_as_printed()) {
    if (r.index != "`cucb-dp` as printed") continue;
    for (const double worst : r.worst) EXPECT_LT(worst, 1e-8);
  }
  // T = 10^6, K = 1, eps = 1, m = 2: an arm that never pays still has index 1.
  const double log_t = std::log(1e6);
  const FixedUcb index(4 * std::log(2e6), 12 * std::pow(log_t, 3));
  EXPECT_EQ(index.prepare({0, 1, 1}), 1);
  EXPECT_EQ(index.prepare({0, 10000, 5}), 1);
  EXPECT_EQ(index.prepare({0, 31000, 5}), 1);
  EXPECT_LT(index.prepare({0, 34000, 5}), 1);
}

TEST(Radii, ThatForgetNoiseAreFoundOut) {
  constexpr Round kT = 1000;
  constexpr int kN = 100;
  const double log_t = std::log(static_cast<double>(kT));
  const auto failure_if_told = [](const auto& index, int told, int terms, double scale) {
    const LaplaceRace noise(terms);
    return tacit::testing::failure(in_round(index, kN, told, kT), kN, 0.5,
                                   [&](double x) { return noise.below(x / scale); });
  };
  EXPECT_GT(failure_if_told(LaplaceReportsUcb(0, log_t), kN, kN, 4), 1e-3);
  EXPECT_GT(failure_if_told(NoiseTailUcb(8, 8, log_t), 1, 8, 8), 1e-3);
  EXPECT_LT(failure_if_told(NoiseTailUcb(8, 8, log_t), 8, 8, 8), 1e-3);
  EXPECT_GT(failure_if_told(MgfUcb(8, Level::kSharp, 2), 1, 12, 8), 1e-3);
  EXPECT_LT(failure_if_told(MgfUcb(8, Level::kSharp, 2), 12, 12, 8), 1e-3);
  EXPECT_GT(failure_if_told(ScaledUcb(3, 0, 1), 1, 1, 8), 1e-3);
  EXPECT_LT(failure_if_told(ScaledUcb(3, 24, 1), 1, 1, 8), 1e-9);
}

TEST(Radii, AreComputedAsTheySimulate) {
  auto random = random::SimulationKey(7, "indices", "radii", 0).stream(random::Purpose::kNoise);
  constexpr int kTrials = 20000;
  const auto expect_alike = [&](const auto& index, int n, int terms, double scale, double mean) {
    const auto at_sum = in_round(index, n, terms, 10);
    int failures = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      auto sum = static_cast<double>(random::binomial(random, n, mean));
      for (int i = 0; i < terms; ++i) sum += random::laplace(random, scale);
      failures += at_sum(sum) < mean ? 1 : 0;
    }
    const LaplaceRace noise(terms);
    const boost::math::binomial law(
        kTrials,
        tacit::testing::failure(at_sum, n, mean, [&](double x) { return noise.below(x / scale); }));
    constexpr double kOneSide = tacit::testing::kFamilyError / 6;
    EXPECT_GT(boost::math::cdf(law, failures), kOneSide);
    EXPECT_GT(boost::math::cdf(boost::math::complement(law, failures - 1)), kOneSide);
  };
  expect_alike(MgfUcb(0.2, Level::kSharp, 2), 5, 1, 0.2, 0.5);
  expect_alike(FixedUcb(32 * 16 * std::log(10) / 25, 0), 20, 20, 3.2, 0.1);
  expect_alike(NoiseTailUcb(2, 3, std::log(10)), 20, 3, 2, 0.9);
}

TEST(Radii, InTheDocumentationAreTheseOnes) {
  const std::string expected = table();
  if (std::getenv("TACIT_PRINT_RADII") != nullptr) std::cout << expected;
  std::ifstream page(std::string(TACIT_TEST_DATA) + "/../../docs/radii.md");
  ASSERT_TRUE(page);
  std::stringstream text;
  text << page.rdbuf();
  EXPECT_NE(text.str().find(expected), std::string::npos)
      << "docs/radii.md should have this table:\n"
      << expected;
}

}  // namespace
}  // namespace tacit::indices::radii
