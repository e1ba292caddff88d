// The mechanisms in exact arithmetic: the law of their idealised twins, released values on the grid, and a
// loss that their integers really have.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/privacy/gaussian.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/noisy_max.hpp"
#include "tacit/privacy/randomized_response.hpp"
#include "tacit/privacy/stop_response.hpp"

namespace tacit::privacy {
namespace {

constexpr double kAlpha = testing::kFamilyError / 100;
constexpr Sensitivity kOne = kOneOutcome;
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
  const Loss loss = Laplace(1, kExact).loss(Sensitivity::l1_ball(1, 2));
  EXPECT_GT(loss.epsilon, 1);
  EXPECT_LT(loss.epsilon, 1 + 1e-5);
}

TEST(ExactLaplace, HasTheSameLawWithSecureRandomness) {
  random::SecureSource source;
  const ExactLaplace mechanism(2);
  std::vector<double> noise;
  for (int i = 0; i < 100000; ++i) {
    noise.push_back(mechanism.release(seven_and_a_half(), source).value() - 7.5);
  }
  const auto cdf = [](double x) {
    return x < 0 ? 0.5 * std::exp(x / 2) : 1 - 0.5 * std::exp(-x / 2);
  };
  EXPECT_LT(testing::ks_distance(noise, cdf), testing::ks_critical(noise.size(), kAlpha));
}

template <class Exact, class Mechanism>
void expect_the_same_loss(const Exact& exact, const Mechanism& mechanism) {
  const Loss said = exact.loss(kOne);
  const Loss by_construction = mechanism.loss(kOne);
  EXPECT_EQ(said.arithmetic, kExact);
  EXPECT_EQ(said.epsilon, by_construction.epsilon);
  EXPECT_EQ(said.delta, by_construction.delta);
  EXPECT_EQ(said.mechanism, by_construction.mechanism);
}

TEST(ExactMechanisms, SayOfThemselvesWhatSecureRandomnessGets) {
  expect_the_same_loss(ExactLaplace(0.3), Laplace(0.3, kExact));
  expect_the_same_loss(ExactGaussian(0.3, 1e-6), Gaussian(0.3, 1e-6, kExact));
  expect_the_same_loss(ExactRandomizedResponse(0.3), RandomizedResponse(0.3, kExact));
  expect_the_same_loss(ExactStopResponse(0.3, 4), StopResponse(0.3, 4, kExact));
  expect_the_same_loss(ExactNoisyMax(NoisyMax::Noise::kLaplace, 0.3),
                       NoisyMax(NoisyMax::Noise::kLaplace, 0.3, kExact));
}

template <class Mechanism>
concept TakesSecureRandomness = requires(const Mechanism& m, random::SecureSource& source) {
  m.release(Secret<Sum>(), source);
}
|| requires(const Mechanism& m, random::SecureSource& source) {
  m.report(Secret<Outcome>(), source);
}
|| requires(const Mechanism& m, random::SecureSource& source,
            std::vector<Released<double>>& clicks) {
  m.report(Secret<Stop>(), source, clicks);
}
|| requires(const Mechanism& m, random::SecureSource& source) {
  m.select(SecretVector<Sum>(1), source);
};

TEST(ExactMechanisms, AloneTakeSecureRandomness) {
  static_assert(TakesSecureRandomness<ExactLaplace> && !TakesSecureRandomness<Laplace>);
  static_assert(TakesSecureRandomness<ExactGaussian> && !TakesSecureRandomness<Gaussian>);
  static_assert(TakesSecureRandomness<ExactRandomizedResponse> &&
                !TakesSecureRandomness<RandomizedResponse>);
  static_assert(TakesSecureRandomness<ExactStopResponse> && !TakesSecureRandomness<StopResponse>);
  static_assert(TakesSecureRandomness<ExactNoisyMax> && !TakesSecureRandomness<NoisyMax>);
}

TEST(ExactResponse, ProtectsNothingWhereSeveralEntriesMove) {
  const Sensitivity four = Sensitivity::entries(4);
  EXPECT_TRUE(std::isinf(RandomizedResponse(1, kExact).loss(four).epsilon));
}

TEST(ExactLaplace, ReportsWithSecureRandomnessAtItsScale) {
  random::SecureSource source;
  std::vector<double> noise;
  for (int i = 0; i < 100000; ++i) {
    noise.push_back(ExactLaplace(2).report(Secret<Outcome>(Outcome::one()), source).value() - 1);
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
    noise.push_back(ExactGaussian(3, 1e-6).release(seven_and_a_half(), source).value() - 7.5);
  }
  const auto cdf = [](double x) { return 0.5 * std::erfc(-x / 3 / std::sqrt(2.0)); };
  EXPECT_LT(testing::ks_distance(noise, cdf), testing::ks_critical(noise.size(), kAlpha));
}

TEST(ExactGaussian, RefusesAnEpsilonThatItsGridWouldNotKeep) {
  // Of 1e-12 the grid would have made 6e-8.
  const double sigma = gaussian_sigma(1e-12, 1e-6, 1);
  try {
    Gaussian(sigma, 1e-6, kExact);
    FAIL() << "accepted";
  } catch (const InvalidParameter& error) {
    EXPECT_EQ(error.parameter(), "sigma");
    const std::string text = error.what();
    EXPECT_NE(text.find("398942"), std::string::npos) << text;
    EXPECT_NE(text.find("to 1024"), std::string::npos) << text;
  }
  EXPECT_NO_THROW(ExactGaussian(1024, 1e-6));
  EXPECT_THROW(ExactGaussian(1024.5, 1e-6), InvalidParameter);
}

TEST(ExactGaussian, NeverCostsMoreThanItsIdealisedTwin) {
  for (double sigma = 0x1p-6; sigma <= 1024; sigma *= 1.19) {
    for (const int entries : {1, 4, 64, 10000}) {
      for (double delta = 3e-11 * entries; delta < 0.1; delta *= 9) {
        const Sensitivity s = Sensitivity::entries(entries);
        const double ideal = Gaussian(sigma, delta).loss(s).epsilon;
        EXPECT_LE(Gaussian(sigma, delta, kExact).loss(s).epsilon, ideal)
            << sigma << " " << delta << " " << entries;
      }
    }
  }
}

TEST(ExactGaussian, RefusesADeltaThatItsBoundCannotState) {
  EXPECT_THROW(Gaussian(3, 1e-13, kExact), InvalidParameter);
  EXPECT_THROW(Gaussian(3, 1e-9, kExact).loss(Sensitivity::entries(100)), InvalidParameter);
  // An entry that moves by a half may move by a whole one on the grid.
  const Sensitivity half = Sensitivity::l1_ball(0.5, 1);
  EXPECT_DOUBLE_EQ(Gaussian(3, 1e-6, kExact).loss(half).epsilon,
                   Gaussian(3, 1e-6, kExact).loss(kOne).epsilon);
}

TEST(ExactGaussian, HasTheLawOfItsTwin) {
  auto generator = stream(2);
  random::SecureSource source;
  const ExactGaussian mechanism(3, 1e-6);
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
    for (const int entries : {1, 4, 64}) {
      const Sensitivity s = Sensitivity::entries(entries);
      const double sigma = gaussian_sigma(epsilon, 1e-6, s.l2());
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

/// ln of how often the truth is said for every time that one of the others is, of 2^64 words.
double loss_by_counting(std::uint64_t threshold, int others) {
  const auto truth = static_cast<long double>(threshold);
  return static_cast<double>(std::log(truth * others / (0x1p64L - truth)));
}

TEST(IdealisedResponse, LiesHoweverLargeItsEpsilonIs) {
  for (const double epsilon : {30.0, 36.5, 37.0, 40.0, 43.9, 44.2, 50.0, 700.0, 1e6}) {
    SCOPED_TRACE(epsilon);
    // Words that are lies: at least one of 2^64, and e^eps to one while they can be counted.
    for (const int others : {1, 4, 100}) {
      const std::uint64_t threshold = truth_threshold(epsilon, others, Arithmetic::kIdealised);
      const double actual = loss_by_counting(threshold, others);
      const double most = 64 * std::log(2.0) + std::log(others);
      EXPECT_LE(actual, std::min(epsilon, most) * (1 + 1e-15));
      EXPECT_GE(actual, std::min(epsilon, most) - std::log(2.0));
    }
    const double said = RandomizedResponse(epsilon).loss(kOne).epsilon;
    EXPECT_LE(said, std::min(epsilon, 64 * std::log(2.0)) * (1 + 1e-14));
    EXPECT_GE(said, loss_by_counting(truth_threshold(epsilon, 1, Arithmetic::kIdealised), 1));
    EXPECT_EQ(StopResponse(epsilon, 4, StopResponse::Kind::kEncoding).loss(kOne).epsilon, said);
    const double of_four =
        StopResponse(epsilon, 4, StopResponse::Kind::kResponse).loss(kOne).epsilon;
    EXPECT_LE(of_four, std::min(epsilon, 64 * std::log(2.0) + std::log(4.0)) * (1 + 1e-14));
  }
  EXPECT_NEAR(RandomizedResponse(40).loss(kOne).epsilon, 40, 0.02);
  EXPECT_EQ(RandomizedResponse(2).loss(kOne).epsilon, 2);
  EXPECT_EQ(RandomizedResponse(2).loss(kOne).mechanism,
            "randomised response (true with probability 0.880797)");
  EXPECT_EQ(RandomizedResponse(50).loss(kOne).mechanism,
            "randomised response (false with probability 5.42e-20)");
}

TEST(ExactResponse, NeverExceedsItsEpsilon) {
  for (const double epsilon : {1e-9, 1e-3, 0.1, 1.0, 2.0, 10.0, 30.0, 60.0, 700.0}) {
    for (const int others : {1, 4, 100}) {
      SCOPED_TRACE(epsilon);
      const double actual = loss_by_counting(truth_threshold(epsilon, others, kExact), others);
      EXPECT_LE(actual, epsilon * (1 + 1e-15));
      EXPECT_GE(actual, std::min(epsilon * (1 - 1e-4), 40.0));
    }
  }
  EXPECT_THROW(truth_threshold(1e-12, 1, kExact), InvalidParameter);
}

TEST(ExactResponse, HasItsChancesForEveryOutcome) {
  const ExactRandomizedResponse response(1);
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

template <class Response, class Generator>
std::vector<double> report_of(const Response& response, const Secret<Stop>& stop,
                              Generator& generator) {
  std::vector<Released<double>> clicks;
  response.report(stop, generator, clicks);
  std::vector<double> values;
  for (const auto& click : clicks) values.push_back(click.value());
  return values;
}

TEST(ExactStopResponse, HasTheLawOfItsTwin) {
  for (const auto kind : {StopResponse::Kind::kResponse, StopResponse::Kind::kEncoding}) {
    const StopResponse ideal(1, 3, kind);
    const ExactStopResponse exact(1, 3, kind);
    EXPECT_NEAR(exact.loss(Sensitivity::entries(2)).epsilon, 1, 1e-12);
    EXPECT_EQ(exact.loss(Sensitivity::entries(2)).arithmetic, kExact);
    auto generator = stream(5);
    random::SecureSource source;
    for (int truth = 0; truth <= 3; ++truth) {
      std::map<std::vector<double>, std::int64_t> counts[3];
      for (int i = 0; i < 100000; ++i) {
        const Secret<Stop> stop(Stop{truth});
        ++counts[0][report_of(ideal, stop, generator)];
        ++counts[1][report_of(exact, stop, generator)];
        ++counts[2][report_of(exact, stop, source)];
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
    const ExactNoisyMax exact(noise, 2);
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
  EXPECT_THROW(ExactNoisyMax(NoisyMax::Noise::kGumbel, 1), InvalidParameter);
}

}  // namespace
}  // namespace tacit::privacy
