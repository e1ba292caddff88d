#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/laplace.hpp>
#include <boost/math/distributions/normal.hpp>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/random/conditioned.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/secure.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::random {
namespace {

// 12 one-sample tests, 4 moment tests and 3 others share the family error.
constexpr double kAlpha = testing::kFamilyError / 20;
constexpr std::size_t kDraws = 200000;

SimulationStream stream(std::uint64_t seed) {
  return SimulationKey(seed, "policy", "problem", 0).stream(Purpose::kDecisions);
}

template <class Draw>
std::vector<double> sample(std::uint64_t seed, Draw draw) {
  auto generator = stream(seed);
  std::vector<double> values(kDraws);
  for (double& value : values) value = draw(generator);
  return values;
}

TEST(Philox, AgreesWithThePublishedVector) {
  // Random123 1.14, tests/kat_vectors, "philox4x64 10" with counter and key all zero.
  const Block block = philox({0, 0, 0, 0}, {0, 0});
  EXPECT_EQ(block[0], 0x16554d9eca36314cU);
  EXPECT_EQ(block[1], 0xdb20fe9d672d0fdcU);
  EXPECT_EQ(block[2], 0xd7e772cee186176bU);
  EXPECT_EQ(block[3], 0x7e68b68aec7ba23bU);
}

TEST(SimulationKey, SeparatesEveryPartOfItsName) {
  std::set<std::uint64_t> firsts;
  int keys = 0;
  for (const std::uint64_t seed : {1U, 2U}) {
    for (const char* policy : {"a", "b"}) {
      for (const char* problem : {"a", "b"}) {
        for (const std::uint64_t run : {0U, 1U}) {
          const SimulationKey key(seed, policy, problem, run);
          for (const Purpose purpose : {Purpose::kOutcomes, Purpose::kNoise, Purpose::kTies}) {
            firsts.insert(key.stream(purpose)());
            firsts.insert(key.at(purpose, 0)());
            firsts.insert(key.at(purpose, 1)());
            firsts.insert(key.at(purpose, 0, 1)());
            keys += 4;
          }
        }
      }
    }
  }
  EXPECT_EQ(firsts.size(), static_cast<std::size_t>(keys));
}

TEST(KeyedDraw, HasTheSameNumbersWhenTheyAreMadeBefore) {
  const SimulationKey key(1, "policy", "problem", 0);
  KeyedDraw lazy = key.at(Purpose::kNoise, 3, 4);
  KeyedDraw ready = key.at(Purpose::kNoise, 3, 4);
  for (int i = 0; i < 11; ++i) {
    ready.make_ready();
    ASSERT_EQ(lazy(), ready());
  }
}

TEST(KeyedDraw, RepeatsItself) {
  const SimulationKey key(7, "p", "q", 3);
  auto a = key.at(Purpose::kNoise, 5, 9);
  auto b = key.at(Purpose::kNoise, 5, 9);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 10; ++i) {
    const std::uint64_t word = a();
    EXPECT_EQ(word, b());
    seen.insert(word);
  }
  EXPECT_EQ(seen.size(), 10U);
}

TEST(Distributions, HaveTheirLaws) {
  namespace bm = boost::math;
  const auto expect_law = [](const std::vector<double>& values, auto cdf, const char* name) {
    EXPECT_LT(testing::ks_distance(values, cdf), testing::ks_critical(kDraws, kAlpha)) << name;
  };
  expect_law(
      sample(1, [](auto& g) { return uniform_open(g); }), [](double x) { return x; }, "uniform");
  expect_law(
      sample(2, [](auto& g) { return laplace(g, 2.5); }),
      [](double x) { return bm::cdf(bm::laplace(0, 2.5), x); }, "laplace");
  expect_law(
      sample(3, [](auto& g) { return exponential(g, 0.5); }),
      [](double x) { return -std::expm1(-x / 0.5); }, "exponential");
  expect_law(
      sample(4, [](auto& g) { return gumbel(g, 3); }),
      [](double x) { return std::exp(-std::exp(-x / 3)); }, "gumbel");
  expect_law(
      sample(5, [](auto& g) { return standard_normal(g); }),
      [](double x) { return bm::cdf(bm::normal(), x); }, "normal");
  for (const double shape : {1.0, 1.3, 40.0, 3e4}) {
    const GammaAtLeastOne gamma(shape);
    expect_law(
        sample(6, [&](auto& g) { return gamma(g); }),
        [&](double x) { return bm::cdf(bm::gamma_distribution<>(shape), x); }, "gamma");
  }
  expect_law(
      sample(7, [](auto& g) { return beta(g, 0.3, 2.0); }),
      [](double x) { return bm::cdf(bm::beta_distribution<>(0.3, 2.0), x); }, "beta");
}

TEST(Distributions, ABiasedLaplaceIsCaught) {
  const auto values = sample(2, [](auto& g) { return laplace(g, 2.5); });
  EXPECT_GT(
      testing::ks_distance(values, [](double x) { return cdf(boost::math::laplace(0, 2.6), x); }),
      testing::ks_critical(kDraws, kAlpha));
}

TEST(BetaBetween, IsBetaConditionedOnTheInterval) {
  struct Case {
    double a, b, low, high;
  };
  // Tails on both sides, slices of them, intervals about the mode, narrow and wide, modes at the ends, and a mode just
  // beyond a wide interval, where a tangent is nearly level.
  for (const Case c : {Case{30, 10, 0.9, 1}, Case{500, 700, 0.5, 1}, Case{10, 30, 0, 0.1},
                       Case{500, 700, 0.45, 0.46}, Case{500, 700, 0.38, 0.39},
                       Case{500, 700, 0.41, 0.42}, Case{500, 700, 0.3, 0.5}, Case{40, 0, 0.8, 0.95},
                       Case{0, 40, 0, 0.1}, Case{5000, 5000, 0.5001, 1}, Case{0, 0, 0.2, 0.7}}) {
    const boost::math::beta_distribution<> law(1 + c.a, 1 + c.b);
    const bool right = c.low > mean(law);  // the tail that is accurate
    const double below = cdf(law, c.low);
    const double above = cdf(complement(law, c.low));
    const double all = right ? above - cdf(complement(law, c.high)) : cdf(law, c.high) - below;
    const auto values = sample(8, [&](auto& g) {
      const double x = beta_between(g, c.a, c.b, c.low, c.high);
      EXPECT_TRUE(x >= c.low && x <= c.high);
      return x;
    });
    const double distance = testing::ks_distance(values, [&](double x) {
      return (right ? above - cdf(complement(law, x)) : cdf(law, x) - below) / all;
    });
    EXPECT_LT(distance, testing::ks_critical(kDraws, kAlpha))
        << c.a << " " << c.b << " " << c.low << " " << c.high;
  }
}

TEST(Binomial, CountsBeyondThirtyTwoBits) {
  // 3e9 is where a 32-bit count wraps; the mean and the variance of the draws are tested by
  // z-scores.
  for (const Round trials : {Round{3000000000}, Round{1000000000000000}, kLastRound}) {
    auto generator = stream(9);
    const double p = 0.3;
    const double mean = static_cast<double>(trials) * p;
    const double deviation = std::sqrt(mean * (1 - p));
    constexpr int kCount = 20000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kCount; ++i) {
      const double z = (static_cast<double>(binomial(generator, trials, p)) - mean) / deviation;
      sum += z;
      squares += z * z;
    }
    EXPECT_LT(std::abs(sum) / std::sqrt(kCount), testing::two_sided_z(kAlpha));
    EXPECT_LT(std::abs(squares - kCount) / std::sqrt(2.0 * kCount), testing::two_sided_z(kAlpha));
  }
}

TEST(Binomial, HasItsLawOnSmallCounts) {
  for (const int trials : {2, 20, 60}) {
    const boost::math::binomial law(trials, 0.35);
    auto generator = stream(10);
    // Cells: <= low, each value between, >= high, so that every cell expects many.
    const int low = static_cast<int>(quantile(law, 0.01));
    const int high = static_cast<int>(quantile(law, 0.99));
    std::vector<std::int64_t> counts(static_cast<std::size_t>(high - low + 1));
    std::vector<double> probabilities(counts.size());
    for (std::size_t i = 0; i < kDraws; ++i) {
      const auto k = static_cast<int>(binomial(generator, trials, 0.35));
      ++counts[static_cast<std::size_t>(std::clamp(k, low, high) - low)];
    }
    for (int k = low; k <= high; ++k) {
      probabilities[static_cast<std::size_t>(k - low)] =
          k == low ? cdf(law, k) : (k == high ? cdf(complement(law, k - 1)) : pdf(law, k));
    }
    EXPECT_LT(testing::chi_square(counts, probabilities),
              testing::chi_square_critical(counts.size(), kAlpha));
  }
}

TEST(Binomial, KnowsTheEdges) {
  auto generator = stream(11);
  EXPECT_EQ(binomial(generator, 0, 0.5), 0);
  EXPECT_EQ(binomial(generator, 1000, 0), 0);
  EXPECT_EQ(binomial(generator, kLastRound, 1), kLastRound);
}

TEST(Rejection, EndsWhateverTheParameters) {
  auto generator = stream(12);
  const std::vector<double> shapes = {5e-324, 1e-300, 1e-17, 0.3, 1, 1.5, 200, 1e9, 0x1p53, 1e300};
  for (const double a : shapes) {
    for (int i = 0; i < 100 && a >= 1; ++i) EXPECT_GE(GammaAtLeastOne(a)(generator), 0) << a;
    for (const double b : shapes) {
      for (int i = 0; i < 20; ++i) {
        const double x = beta(generator, a, b);
        EXPECT_TRUE(x >= 0 && x <= 1) << a << " " << b;
      }
    }
  }
  for (const Round trials :
       {Round{1}, Round{2}, Round{11}, Round{1000}, Round{1} << 31, kLastRound}) {
    for (const double p : {5e-324, 1e-300, 1e-17, 1e-9, 0.1, 0.5, 0.9, 1 - 1e-9, 1 - 0x1p-53}) {
      for (int i = 0; i < 20; ++i) {
        const Round successes = binomial(generator, trials, p);
        EXPECT_TRUE(successes >= 0 && successes <= trials) << trials << " " << p;
      }
    }
  }
}

}  // namespace
}  // namespace tacit::random
