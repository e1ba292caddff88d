// A million draws of each exact sampler: its law, its symmetry, its tail, and the ratio of neighbouring
// probabilities that privacy rests on. Each check also turns down a sampler with one wrong constant.
#include "tacit/random/exact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/random/wiped_on_fork.hpp"

namespace tacit::random::exact {
namespace {

constexpr int kDraws = 1000000;
/// All checks of this file share the family's error.
constexpr double kAlpha = testing::kFamilyError / 100;

using Counts = std::map<std::int64_t, std::int64_t>;

template <class Sampler>
Counts draws_of(Sampler sampler) {
  SecureSource source;
  Counts counts;
  for (int i = 0; i < kDraws; ++i) ++counts[sampler(source)];
  return counts;
}

/// Cells -width..width and both tails, against weights known up to their total.
bool has_law(const Counts& counts, std::int64_t width,
             const std::function<double(std::int64_t)>& weight) {
  constexpr std::int64_t kFar = 4000;
  double total = 0;
  for (std::int64_t x = -kFar; x <= kFar; ++x) total += weight(x);
  const auto cell = [&](std::int64_t x) {
    return static_cast<std::size_t>(std::clamp(x, -width - 1, width + 1) + width + 1);
  };
  std::vector<std::int64_t> observed(static_cast<std::size_t>(2 * width + 3));
  std::vector<double> expected(observed.size());
  for (const auto& [x, count] : counts) observed[cell(x)] += count;
  for (std::int64_t x = -kFar; x <= kFar; ++x) expected[cell(x)] += weight(x) / total;
  for (std::size_t i = 0; i < observed.size();) {
    if (expected[i] > 0) {
      ++i;
      continue;
    }
    if (observed[i] > 0) return false;
    observed.erase(observed.begin() + static_cast<std::ptrdiff_t>(i));
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return testing::chi_square(observed, expected) <
         testing::chi_square_critical(observed.size(), kAlpha);
}

bool is_symmetric(const Counts& counts) {
  double positive = 0;
  double negative = 0;
  for (const auto& [x, count] : counts) {
    (x > 0 ? positive : negative) += x == 0 ? 0 : static_cast<double>(count);
  }
  const double z = (positive - negative) / std::sqrt(positive + negative);
  return std::abs(z) < testing::two_sided_z(kAlpha);
}

/// P(|x| >= far) against the truth.
bool has_tail(const Counts& counts, std::int64_t far, double chance) {
  double beyond = 0;
  for (const auto& [x, count] : counts) {
    if (std::abs(x) >= far) beyond += static_cast<double>(count);
  }
  const double z = (beyond - kDraws * chance) / std::sqrt(kDraws * chance * (1 - chance));
  return std::abs(z) < testing::two_sided_z(kAlpha);
}

/// ln(P(x)/P(x + 1)) at x >= 0 for Laplace noise is 1/scale wherever it is taken.
bool has_log_ratio(const Counts& counts, std::int64_t x, double ratio) {
  const auto here = static_cast<double>(counts.at(x));
  const auto next = static_cast<double>(counts.at(x + 1));
  const double error = std::sqrt(1 / here + 1 / next);
  return std::abs(std::log(here / next) - ratio) < error * testing::two_sided_z(kAlpha);
}

TEST(Below, IsUniform) {
  const auto uniform = [](const Counts& counts, std::size_t cells) {
    std::vector<std::int64_t> observed(cells);
    for (const auto& [x, count] : counts) observed[static_cast<std::size_t>(x)] += count;
    return testing::chi_square(observed, std::vector<double>(cells, 1.0 / double(cells))) <
           testing::chi_square_critical(cells, kAlpha);
  };
  const auto narrow = [](std::uint64_t bound) {
    return [bound](SecureSource& s) { return static_cast<std::int64_t>(below(s, bound)); };
  };
  EXPECT_TRUE(uniform(draws_of(narrow(7)), 7));
  EXPECT_FALSE(uniform(draws_of([](SecureSource& s) {
                         return static_cast<std::int64_t>(below(s, std::uint64_t{67}) % 7);
                       }),
                       7));
  // Three quarters of 2^64, where one word in four is turned away, told apart by thirds.
  constexpr std::uint64_t kHuge = std::uint64_t{3} << 62;
  EXPECT_TRUE(uniform(
      draws_of([](SecureSource& s) { return static_cast<std::int64_t>(below(s, kHuge) >> 62); }),
      3));
  constexpr Wide kWide = static_cast<Wide>(5) << 70;
  EXPECT_TRUE(uniform(
      draws_of([](SecureSource& s) { return static_cast<std::int64_t>(below(s, kWide) >> 70); }),
      5));
  EXPECT_TRUE(uniform(draws_of([](SecureSource& s) {
                        return static_cast<std::int64_t>(below(s, static_cast<Wide>(7)));
                      }),
                      7));
}

bool has_chance(const std::function<bool(SecureSource&)>& sampler, double p) {
  const Counts counts = draws_of([&](SecureSource& s) { return sampler(s) ? 1 : 0; });
  const double heads = counts.contains(1) ? static_cast<double>(counts.at(1)) : 0;
  return std::abs(heads - kDraws * p) / std::sqrt(kDraws * p * (1 - p)) <
         testing::two_sided_z(kAlpha);
}

TEST(BernoulliExp, HasItsChance) {
  const auto sampler = [](std::uint64_t a, std::uint64_t b) {
    return [a, b](SecureSource& s) { return bernoulli_exp(s, a, b); };
  };
  EXPECT_TRUE(has_chance(sampler(1, 3), std::exp(-1.0 / 3)));
  EXPECT_TRUE(has_chance(sampler(7, 7), std::exp(-1)));
  EXPECT_FALSE(has_chance(sampler(100, 290), std::exp(-1.0 / 3)));  // a wrong constant
  EXPECT_TRUE(has_chance(
      [](SecureSource& s) {
        return bernoulli_exp(s, static_cast<Wide>(3) << 80, static_cast<Wide>(4) << 80);
      },
      std::exp(-0.75)));
  EXPECT_TRUE(has_chance([](SecureSource& s) { return bernoulli_one_in_e(s); }, std::exp(-1)));
  SecureSource source;
  EXPECT_TRUE(bernoulli_exp(source, std::uint64_t{0}, std::uint64_t{5}));
}

TEST(Chance, IsTheThresholdOver2To64) {
  constexpr auto kThreshold = static_cast<std::uint64_t>(0.3 * 0x1p64);
  EXPECT_TRUE(has_chance([](SecureSource& s) { return chance(s, kThreshold); }, 0.3));
  EXPECT_FALSE(has_chance([](SecureSource& s) { return chance(s, kThreshold / 100 * 103); }, 0.3));
}

TEST(Geometric, HasItsLaw) {
  const auto law = [](std::int64_t k) { return k < 0 ? 0 : std::exp(-static_cast<double>(k) / 5); };
  EXPECT_TRUE(has_law(draws_of([](SecureSource& s) { return geometric(s, 5); }), 40, law));
  EXPECT_FALSE(has_law(draws_of([](SecureSource& s) { return geometric(s, 6); }), 40, law));
}

TEST(DiscreteLaplace, HasItsLawItsSymmetryItsTailAndItsRatio) {
  for (const std::uint64_t scale : {1U, 3U, 20U}) {
    SCOPED_TRACE(scale);
    const double b = static_cast<double>(scale);
    const auto law = [b](std::int64_t x) {
      return std::exp(-static_cast<double>(std::abs(x)) / b);
    };
    const Counts counts = draws_of([scale](SecureSource& s) { return discrete_laplace(s, scale); });
    EXPECT_TRUE(has_law(counts, static_cast<std::int64_t>(6 * scale), law));
    EXPECT_TRUE(is_symmetric(counts));
    const auto far = static_cast<std::int64_t>(8 * scale);
    EXPECT_TRUE(has_tail(counts, far,
                         2 * std::exp(-static_cast<double>(far) / b) / (1 + std::exp(-1 / b))));
    for (std::int64_t x = 0; x < static_cast<std::int64_t>(3 * scale); ++x) {
      EXPECT_TRUE(has_log_ratio(counts, x, 1 / b)) << x;
    }
  }
}

TEST(DiscreteLaplace, WithOneWrongConstantIsFoundOut) {
  constexpr std::uint64_t kScale = 20;
  const auto law = [](std::int64_t x) { return std::exp(-static_cast<double>(std::abs(x)) / 20); };
  const auto fails = [&](const auto& sampler) { return !has_law(draws_of(sampler), 120, law); };
  // A scale off by one.
  EXPECT_TRUE(fails([](SecureSource& s) { return discrete_laplace(s, kScale + 1); }));
  // Zero counted twice.
  EXPECT_TRUE(fails([](SecureSource& s) {
    const std::int64_t magnitude = geometric(s, kScale);
    return coin(s) ? -magnitude : magnitude;
  }));
  // A sign that is 1.5% off.
  EXPECT_FALSE(is_symmetric(draws_of([](SecureSource& s) {
    const std::int64_t x = std::abs(discrete_laplace(s, kScale));
    return below(s, std::uint64_t{200}) < 103 ? x : -x;
  })));
  // Magnitudes by 1/e^0.95 a step instead of 1/e: the tail tells.
  const Counts slow = draws_of([](SecureSource& s) {
    std::uint64_t rest = 0;
    do {
      rest = below(s, kScale);
    } while (!bernoulli_exp(s, rest, kScale));
    std::uint64_t whole = 0;
    while (bernoulli_exp(s, std::uint64_t{95}, std::uint64_t{100})) ++whole;
    const auto magnitude = static_cast<std::int64_t>(rest + kScale * whole);
    return coin(s) ? magnitude : -magnitude;
  });
  EXPECT_FALSE(has_tail(slow, 100, 2 * std::exp(-5.0) / (1 + std::exp(-1.0 / 20))));
}

TEST(DiscreteGaussian, HasItsLawItsSymmetryAndItsTail) {
  for (const std::uint64_t variance : {1U, 7U, 100U, 2500U}) {
    SCOPED_TRACE(variance);
    const auto v = static_cast<double>(variance);
    const auto law = [v](std::int64_t x) {
      return std::exp(-static_cast<double>(x * x) / (2 * v));
    };
    const Counts counts =
        draws_of([variance](SecureSource& s) { return discrete_gaussian(s, variance); });
    EXPECT_TRUE(has_law(counts, static_cast<std::int64_t>(3.5 * std::sqrt(v)) + 1, law));
    EXPECT_TRUE(is_symmetric(counts));
    const auto far = static_cast<std::int64_t>(3 * std::sqrt(v)) + 1;
    double tail = 0;
    double total = 0;
    for (std::int64_t x = -2000; x <= 2000; ++x) {
      total += law(x);
      if (std::abs(x) >= far) tail += law(x);
    }
    EXPECT_TRUE(has_tail(counts, far, tail / total));
  }
  const auto law = [](std::int64_t x) { return std::exp(-static_cast<double>(x * x) / 200); };
  EXPECT_FALSE(
      has_law(draws_of([](SecureSource& s) { return discrete_gaussian(s, 105); }), 36, law));
}

TEST(DiscreteGaussian, TakesVariancesUpTo2To50) {
  constexpr std::uint64_t kVariance = std::uint64_t{1} << 50;
  SecureSource source;
  std::vector<double> sample;
  for (int i = 0; i < 100000; ++i) {
    sample.push_back(static_cast<double>(discrete_gaussian(source, kVariance)) * 0x1p-25);
  }
  const auto normal = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  EXPECT_LT(testing::ks_distance(sample, normal), testing::ks_critical(sample.size(), kAlpha));
}

TEST(DiscreteLaplace, TakesScalesUpTo2To40) {
  constexpr std::uint64_t kScale = std::uint64_t{1} << 40;
  SecureSource source;
  std::vector<double> sample;
  for (int i = 0; i < 100000; ++i) {
    sample.push_back(static_cast<double>(discrete_laplace(source, kScale)) * 0x1p-40);
  }
  const auto cdf = [](double x) { return x < 0 ? 0.5 * std::exp(x) : 1 - 0.5 * std::exp(-x); };
  EXPECT_LT(testing::ks_distance(sample, cdf), testing::ks_critical(sample.size(), kAlpha));
}

TEST(ExactSamplers, DrawTheSameLawFromASimulatedStream) {
  auto stream = SimulationKey(5, "exact", "law", 0).stream(Purpose::kNoise);
  Counts counts;
  for (int i = 0; i < kDraws; ++i) ++counts[discrete_laplace(stream, 3)];
  EXPECT_TRUE(has_law(
      counts, 18, [](std::int64_t x) { return std::exp(-static_cast<double>(std::abs(x)) / 3); }));
}

TEST(IntegerRoot, IsTheFloorOfTheRoot) {
  for (const std::uint64_t x : {0U, 1U, 3U, 4U, 8U, 9U, 99U, 100U}) {
    EXPECT_EQ(integer_root(x), static_cast<std::uint64_t>(std::sqrt(static_cast<double>(x))));
  }
  EXPECT_EQ(integer_root((std::uint64_t{1} << 62) - 1), (std::uint64_t{1} << 31) - 1);
}

TEST(SecureSource, NeverRepeatsAWordOverManyPages) {
  SecureSource source;
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 100000; ++i) seen.insert(source.word());
  EXPECT_EQ(seen.size(), 100000U);
}

TEST(SecureSource, HasAKeyOfItsOwn) {
  std::set<std::uint64_t> first;
  for (int i = 0; i < 100; ++i) first.insert(SecureSource().word());
  EXPECT_EQ(first.size(), 100U);
  EXPECT_FALSE(first.contains(0));
}

/// A word that is drawn again only when below() turns the first one away.
TEST(Below, TurnsAwayWordsThatWouldBeOneTooMany) {
  // Bound 3: the one word whose product's low half is below 2^64 mod 3 = 1 is turned away, which is 0. With a
  // bound of 2^63 + 1 almost half of all words are: without it even numbers would come up too often.
  constexpr std::uint64_t kBound = (std::uint64_t{1} << 63) + 1;
  SecureSource source;
  std::int64_t low = 0;
  for (int i = 0; i < kDraws; ++i) low += below(source, kBound) < kBound / 3 ? 1 : 0;
  const double z = (static_cast<double>(low) - kDraws / 3.0) / std::sqrt(kDraws * 2.0 / 9);
  EXPECT_LT(std::abs(z), testing::two_sided_z(kAlpha));
  std::int64_t odd = 0;
  for (int i = 0; i < kDraws; ++i) odd += static_cast<std::int64_t>(below(source, kBound) & 1U);
  const double z_odd = (static_cast<double>(odd) - kDraws / 2.0) / std::sqrt(kDraws / 4.0);
  EXPECT_LT(std::abs(z_odd), testing::two_sided_z(kAlpha));
}

TEST(WipedOnFork, IsEmptyInAChildProcessAndUntouchedInItsParent) {
  constexpr std::size_t kBytes = 10000;  // several pages
  const WipedOnFork memory(kBytes);
  if (!memory.works()) GTEST_SKIP() << "this kernel cannot";
  auto* const bytes = static_cast<unsigned char*>(memory.memory());
  std::fill_n(bytes, kBytes, 7);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(std::count(bytes, bytes + kBytes, 0) == kBytes ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(std::count(bytes, bytes + kBytes, 7), kBytes);
}

TEST(ExactSamplers, EndAtBothEndsOfWhatTheyAreMadeFor) {
  // Noise beyond a thousand scales is as likely as e^-1000.
  SecureSource source;
  for (int i = 0; i < 2000; ++i) {
    for (const std::uint64_t scale :
         {std::uint64_t{1}, std::uint64_t{1} << 20, std::uint64_t{1} << 40}) {
      const auto most = static_cast<std::int64_t>(1000 * scale);
      EXPECT_LE(std::abs(discrete_laplace(source, scale)), most) << scale;
    }
    for (const std::uint64_t root :
         {std::uint64_t{1}, std::uint64_t{1} << 12, std::uint64_t{1} << 25}) {
      const auto most = static_cast<std::int64_t>(50 * root);
      EXPECT_LE(std::abs(discrete_gaussian(source, root * root)), most) << root;
    }
    for (const Wide bound : {Wide{1}, Wide{1} << 64, (Wide{1} << 64) + 1, ~Wide{0}}) {
      EXPECT_TRUE(below(source, bound) < bound);
    }
  }
}

TEST(SecureSource, DropsWhatItHasBufferedInAChildProcess) {
  SecureSource source;
  source.word();
  ASSERT_GT(source.waiting(), 0U);
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::uint64_t theirs = source.word();
    const bool sent = write(ends[1], &theirs, sizeof theirs) == sizeof theirs;
    _exit(sent ? 0 : 1);
  }
  std::uint64_t theirs = 0;
  ASSERT_EQ(read(ends[0], &theirs, sizeof theirs), static_cast<ssize_t>(sizeof theirs));
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  std::set<std::uint64_t> ours;
  for (int i = 0; i < 2000; ++i) ours.insert(source.word());
  EXPECT_FALSE(ours.contains(theirs));
  EXPECT_FALSE(ours.contains(0));
}

}  // namespace
}  // namespace tacit::random::exact
