// The mechanisms in exact arithmetic: the law of their idealised twins, released values on the grid, and a
// loss that their integers really have.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/privacy/gaussian.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/noise_reserve.hpp"
#include "tacit/privacy/noisy_max.hpp"
#include "tacit/privacy/randomized_response.hpp"
#include "tacit/privacy/stop_response.hpp"

namespace tacit::privacy {
namespace {

constexpr double kAlpha = testing::kFamilyError / 100;
constexpr Sensitivity kOne{.l0 = 1, .linf = 1, .l1 = 1, .l2 = 1, .monotone = true};
constexpr Arithmetic kExact = Arithmetic::kExact;

random::SimulationStream stream(std::uint64_t run) {
  return random::SimulationKey(3, "exact", "mechanisms", run).stream(random::Purpose::kNoise);
}

Secret<Sum> seven_and_a_half() {
  Sum sum = Sum::of_ones(7);
  sum += Sum(Outcome::nearest(0.5));
  return Secret<Sum>(sum);
}

TEST(Grid, HasAMillionStepsAScaleAndNeverLessNoise) {
  for (const double scale : {1e-3, 0.3, 1.0, 1.0 / 3, 7.7, 1e5, 1e6, 1e9}) {
    SCOPED_TRACE(scale);
    const Grid grid = Grid::for_scale(scale);
    EXPECT_GE(grid.actual_scale(), scale);
    EXPECT_LE(grid.actual_scale(), scale * (1 + 2e-6));
    EXPECT_GE(grid.scale, std::uint64_t{1} << 19);
  }
  EXPECT_THROW(Grid::for_scale(0x1p41), InvalidParameter);
  EXPECT_EQ(Grid::for_scale(2).actual_scale(), 2);
}

TEST(Grid, CutsSumsAtMostOneApartToAtMostAsManySteps) {
  const Grid grid = Grid::for_scale(3);
  for (const double x : {0.0, 0.1, 0.3337, 0.9999999}) {
    for (const double y : {0.0, 0.2, 0.77777, 1.0}) {
      Sum a(Outcome::nearest(x));
      a += Sum::of_ones(1000000);
      Sum b(Outcome::nearest(y));
      b += Sum::of_ones(1000000);
      const double steps = std::abs(static_cast<double>(a.steps(grid.bits) - b.steps(grid.bits)));
      EXPECT_LE(steps, std::ldexp(1.0, grid.bits));
    }
  }
}

TEST(ExactLaplace, HasTheLawOfItsTwinAndStaysOnItsGrid) {
  auto generator = stream(1);
  const Laplace mechanism(2, kExact);
  std::vector<double> noise;
  for (int i = 0; i < 200000; ++i) {
    const double released = mechanism.release(seven_and_a_half(), generator).value();
    noise.push_back(released - 7.5);
    const double steps = std::ldexp(released, Grid::for_scale(2).bits);
    ASSERT_EQ(steps, std::round(steps));
  }
  const auto cdf = [](double x) {
    return x < 0 ? 0.5 * std::exp(x / 2) : 1 - 0.5 * std::exp(-x / 2);
  };
  EXPECT_LT(testing::ks_distance(noise, cdf), testing::ks_critical(noise.size(), kAlpha));
  const Loss loss = mechanism.loss(kOne);
  EXPECT_DOUBLE_EQ(loss.epsilon, 0.5);
  EXPECT_EQ(loss.arithmetic, kExact);
  EXPECT_LE(Laplace(1.0 / 3, kExact).loss(kOne).epsilon, 3);
  EXPECT_NEAR(Laplace(1.0 / 3, kExact).loss(kOne).epsilon, 3, 1e-5);
}

TEST(ExactLaplace, ChargesForStepsThatCuttingAdds) {
  // Two entries that move by a half each: their cuts may move by a half and a step each.
  const Loss loss = Laplace(1, kExact).loss({.l0 = 2, .linf = 0.5, .l1 = 1, .l2 = 0.75});
  EXPECT_GT(loss.epsilon, 1);
  EXPECT_LT(loss.epsilon, 1 + 1e-5);
}

TEST(ExactLaplace, WithSecureRandomnessHasTheSameLawWhateverItsArithmetic) {
  random::SecureSource source;
  std::vector<double> noise;
  for (int i = 0; i < 100000; ++i) {
    noise.push_back(Laplace(2).release(seven_and_a_half(), source).value() - 7.5);
  }
  const auto cdf = [](double x) {
    return x < 0 ? 0.5 * std::exp(x / 2) : 1 - 0.5 * std::exp(-x / 2);
  };
  EXPECT_LT(testing::ks_distance(noise, cdf), testing::ks_critical(noise.size(), kAlpha));
}

TEST(NoiseReserve, IsDrawnAfreshInAChildProcess) {
  random::SecureSource source;
  NoiseReserve reserve(Laplace(2), 64, source);
  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const double theirs = reserve.release(seven_and_a_half()).value();
    _exit(write(ends[1], &theirs, sizeof theirs) == sizeof theirs ? 0 : 1);
  }
  double theirs = 0;
  ASSERT_EQ(read(ends[0], &theirs, sizeof theirs), static_cast<ssize_t>(sizeof theirs));
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_NE(reserve.release(seven_and_a_half()).value(), theirs);
}

TEST(ExactResponse, ProtectsNothingWhereSeveralEntriesMove) {
  const Sensitivity four{.l0 = 4, .linf = 1, .l1 = 4, .l2 = 2};
  EXPECT_TRUE(std::isinf(RandomizedResponse(1, kExact).loss(four).epsilon));
}

TEST(ExactLaplace, ReportsWithSecureRandomnessAtItsScale) {
  random::SecureSource source;
  std::vector<double> noise;
  for (int i = 0; i < 100000; ++i) {
    noise.push_back(Laplace(2).report(Secret<Outcome>(Outcome::one()), source).value() - 1);
  }
  const auto cdf = [](double x) {
    return x < 0 ? 0.5 * std::exp(x / 2) : 1 - 0.5 * std::exp(-x / 2);
  };
  EXPECT_LT(testing::ks_distance(noise, cdf), testing::ks_critical(noise.size(), kAlpha));
}

TEST(ExactGaussian, ReleasesWithSecureRandomnessAtItsSigma) {
  random::SecureSource source;
  std::vector<double> noise;
  for (int i = 0; i < 100000; ++i) {
    noise.push_back(Gaussian(3, 1e-6).release(seven_and_a_half(), source).value() - 7.5);
  }
  const auto cdf = [](double x) { return 0.5 * std::erfc(-x / 3 / std::sqrt(2.0)); };
  EXPECT_LT(testing::ks_distance(noise, cdf), testing::ks_critical(noise.size(), kAlpha));
}

TEST(ExactGaussian, RefusesADeltaThatItsBoundCannotState) {
  EXPECT_THROW(Gaussian(3, 1e-13, kExact).loss(kOne), InvalidParameter);
  // An entry that moves by a half may move by a whole one on the grid.
  const Sensitivity half{.l0 = 1, .linf = 0.5, .l1 = 0.5, .l2 = 0.5};
  EXPECT_DOUBLE_EQ(Gaussian(3, 1e-6, kExact).loss(half).epsilon,
                   Gaussian(3, 1e-6, kExact).loss(kOne).epsilon);
}

TEST(NoiseReserve, ReleasesWhatItDrewInAdvanceAndFillsUpWhenEmpty) {
  random::SecureSource source;
  NoiseReserve reserve(Laplace(2), 64, source);
  std::vector<double> noise;
  for (int i = 0; i < 100000; ++i) {
    EXPECT_EQ(reserve.left(), i % 64 == 0 && i > 0 ? 0U : 64U - static_cast<unsigned>(i % 64));
    noise.push_back(reserve.release(seven_and_a_half()).value() - 7.5);
  }
  const auto cdf = [](double x) {
    return x < 0 ? 0.5 * std::exp(x / 2) : 1 - 0.5 * std::exp(-x / 2);
  };
  EXPECT_LT(testing::ks_distance(noise, cdf), testing::ks_critical(noise.size(), kAlpha));
  EXPECT_EQ(reserve.loss(kOne).arithmetic, kExact);
  EXPECT_THROW(NoiseReserve(Laplace(2), 0, source), InvalidParameter);
}

TEST(ExactGaussian, HasTheLawOfItsTwin) {
  auto generator = stream(2);
  random::SecureSource source;
  const Gaussian mechanism(3, 1e-6, kExact);
  std::vector<double> noise;
  std::vector<double> secure;
  for (int i = 0; i < 100000; ++i) {
    noise.push_back(mechanism.release(seven_and_a_half(), generator).value() - 7.5);
    secure.push_back(mechanism.report(Secret<Outcome>(Outcome::one()), source).value() - 1);
  }
  const auto cdf = [](double x) { return 0.5 * std::erfc(-x / 3 / std::sqrt(2.0)); };
  EXPECT_LT(testing::ks_distance(noise, cdf), testing::ks_critical(noise.size(), kAlpha));
  EXPECT_LT(testing::ks_distance(secure, cdf), testing::ks_critical(secure.size(), kAlpha));
}

TEST(ExactGaussian, KeepsTheEpsilonThatSigmaWasChosenFor) {
  for (const double epsilon : {0.05, 0.5, 1.0, 4.0}) {
    for (const double entries : {1.0, 4.0, 64.0}) {
      const Sensitivity s{.l0 = entries, .linf = 1, .l1 = entries, .l2 = std::sqrt(entries)};
      const double sigma = gaussian_sigma(epsilon, 1e-6, s.l2);
      const Loss loss = Gaussian(sigma, 1e-6, kExact).loss(s);
      EXPECT_LE(loss.epsilon, epsilon);
      EXPECT_GE(loss.epsilon, epsilon * (1 - 3e-4));
      EXPECT_EQ(loss.arithmetic, kExact);
    }
  }
}

/// delta of one discrete Gaussian with an integer shift, by adding up its probabilities.
double delta_by_adding_up(double epsilon, double variance, int shift) {
  const int far = static_cast<int>(12 * std::sqrt(variance));
  double total = 0;
  double delta = 0;
  for (int x = -far; x <= far; ++x) total += std::exp(-static_cast<double>(x) * x / (2 * variance));
  for (int x = -far; x <= far; ++x) {
    const double here = std::exp(-static_cast<double>(x) * x / (2 * variance)) / total;
    const double there =
        std::exp(-static_cast<double>(x - shift) * (x - shift) / (2 * variance)) / total;
    delta += std::max(0.0, here - std::exp(epsilon) * there);
  }
  return delta;
}

TEST(ExactGaussian, BoundsItsDeltaFromAbove) {
  // 2^46 steps^2 is as coarse as the bound takes: sigma of 2^23 steps, a shift of sigma.
  const double variance = 0x1p46;
  const double shift = 0x1p23;
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    const double bound = discrete_gaussian_delta(epsilon, variance, shift, 1);
    // A grid that is 2^13 times coarser still has the same delta to a few per mille.
    EXPECT_NEAR(bound, delta_by_adding_up(epsilon, 0x1p20, 1 << 10), 5e-3 * bound);
    EXPECT_GT(bound, gaussian_delta(epsilon, std::sqrt(variance), shift));
  }
}

TEST(ExactResponse, NeverExceedsItsEpsilon) {
  for (const double epsilon : {1e-9, 1e-3, 0.1, 1.0, 2.0, 10.0, 30.0, 60.0, 700.0}) {
    for (const int others : {1, 4, 100}) {
      SCOPED_TRACE(epsilon);
      const std::uint64_t threshold = truth_threshold(epsilon, others);
      const double actual = threshold_epsilon(threshold, others);
      EXPECT_LE(actual, epsilon * (1 + 1e-15));
      EXPECT_GE(actual, std::min(epsilon * (1 - 1e-4), 40.0));
    }
  }
  EXPECT_THROW(truth_threshold(1e-12, 1), InvalidParameter);
}

TEST(ExactResponse, HasItsChancesForEveryOutcome) {
  const RandomizedResponse response(1, kExact);
  EXPECT_NEAR(response.loss(kOne).epsilon, 1, 1e-12);
  auto generator = stream(4);
  random::SecureSource source;
  constexpr int kReports = 200000;
  for (const double x : {0.0, 0.3, 1.0}) {
    const Secret<Outcome> outcome(Outcome::nearest(x));
    double ones = 0;
    double secure = 0;
    for (int i = 0; i < kReports; ++i) {
      ones += response.report(outcome, generator).value() ? 1 : 0;
      secure += response.report(outcome, source).value() ? 1 : 0;
    }
    const double p = response.reported_mean(x);
    const double error = std::sqrt(kReports * p * (1 - p));
    EXPECT_LT(std::abs(ones - kReports * p) / error, testing::two_sided_z(kAlpha));
    EXPECT_LT(std::abs(secure - kReports * p) / error, testing::two_sided_z(kAlpha));
  }
}

TEST(ExactStopResponse, HasTheLawOfItsTwin) {
  for (const auto kind : {StopResponse::Kind::kResponse, StopResponse::Kind::kEncoding}) {
    const StopResponse ideal(1, 3, kind);
    const StopResponse exact(1, 3, kind, kExact);
    EXPECT_NEAR(exact.loss({}).epsilon, 1, 1e-12);
    EXPECT_EQ(exact.loss({}).arithmetic, kExact);
    auto generator = stream(5);
    random::SecureSource source;
    for (int truth = 0; truth <= 3; ++truth) {
      std::map<std::vector<double>, std::int64_t> counts[3];
      for (int i = 0; i < 100000; ++i) {
        const Secret<Stop> stop(Stop{truth});
        ++counts[0][ideal.report(stop, generator).value()];
        ++counts[1][exact.report(stop, generator).value()];
        ++counts[2][exact.report(stop, source).value()];
      }
      for (const auto& [answer, count] : counts[0]) {
        for (const int other : {1, 2}) {
          const auto a = static_cast<double>(count);
          const auto b = static_cast<double>(counts[other][answer]);
          EXPECT_LT(std::abs(a - b) / std::sqrt(a + b), testing::two_sided_z(kAlpha));
        }
      }
      EXPECT_EQ(counts[0].size(), counts[1].size());
    }
  }
}

TEST(ExactNoisyMax, ChoosesAsOftenAsItsTwin) {
  SecretVector<Sum> scores(3);
  scores.set(1, Secret<Sum>(Sum::of_ones(1)));
  scores.set(2, Secret<Sum>(Sum::of_ones(2)));
  for (const auto noise : {NoisyMax::Noise::kLaplace, NoisyMax::Noise::kExponential}) {
    const NoisyMax ideal(noise, 2);
    const NoisyMax exact(noise, 2, kExact);
    EXPECT_EQ(exact.loss(kOne).epsilon, ideal.loss(kOne).epsilon);
    EXPECT_EQ(exact.loss(kOne).arithmetic, kExact);
    auto generator = stream(6);
    random::SecureSource source;
    std::vector<std::vector<double>> wins(3, std::vector<double>(3));
    for (int i = 0; i < 100000; ++i) {
      ++wins[0][static_cast<std::size_t>(ideal.select(scores, generator).value())];
      ++wins[1][static_cast<std::size_t>(exact.select(scores, generator).value())];
      ++wins[2][static_cast<std::size_t>(exact.select(scores, source).value())];
    }
    for (std::size_t arm = 0; arm < 3; ++arm) {
      for (const std::size_t other : {1U, 2U}) {
        const double difference = wins[0][arm] - wins[other][arm];
        EXPECT_LT(std::abs(difference) / std::sqrt(wins[0][arm] + wins[other][arm]),
                  testing::two_sided_z(kAlpha));
      }
    }
  }
  EXPECT_THROW(NoisyMax(NoisyMax::Noise::kGumbel, 1, kExact), InvalidParameter);
}

}  // namespace
}  // namespace tacit::privacy
