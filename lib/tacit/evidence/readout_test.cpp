#include "tacit/evidence/readout.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/evidence/of_plan.hpp"

namespace tacit::evidence {
namespace {

/// Arms with these means, each seen n times in three phases, without luck.
Readout seen(const std::vector<double>& means, double n, Observed observed, double scale = 1) {
  Readout readout({.noise = laplace_of_either(scale)}, static_cast<int>(means.size()), observed);
  for (std::size_t i = 0; i < means.size(); ++i) {
    for (int phase = 0; phase < 3; ++phase) {
      readout.add(static_cast<Arm>(i), means[i] * n / 3, n / 3, 1);
    }
  }
  return readout;
}

TEST(Readout, AddsUpWhatWasReleased) {
  const Readout readout = seen({0.5, 0.25}, 300, Observed::kOneAtATime);
  EXPECT_DOUBLE_EQ(readout.of(1).sum, 75);
  EXPECT_EQ(readout.of(1).n, 300);
  EXPECT_EQ(readout.of(1).noises, 3);
}

TEST(Readout, KnowsTheBestOnceItIsFarEnough) {
  for (const Observed observed : {Observed::kOneAtATime, Observed::kTogether}) {
    const std::vector<double> means = {0.3, 0.7, 0.5, 0.6};
    EXPECT_TRUE(seen(means, 30, observed).best(1, 0.05).empty());
    EXPECT_EQ(seen(means, 30000, observed).best(1, 0.05), std::vector<Arm>{1});
    EXPECT_EQ(seen(means, 30000, observed).best(2, 0.05), (std::vector<Arm>{1, 3}));
    EXPECT_EQ(seen(means, 30000, observed).best(3, 0.05), (std::vector<Arm>{1, 3, 2}));
  }
}

TEST(Readout, NeedsMoreForASmallerErrorAndForMoreNoise) {
  const std::vector<double> means = {0.6, 0.5};
  const auto needed = [&](double error, double scale, Observed observed) {
    double n = 100;
    while (seen(means, n, observed, scale).best(1, error).empty()) n *= 1.05;
    return n;
  };
  const double usual = needed(0.05, 1, Observed::kOneAtATime);
  EXPECT_LT(usual, 5000);
  EXPECT_GT(needed(1e-6, 1, Observed::kOneAtATime), 1.5 * usual);
  EXPECT_GT(needed(0.05, 20, Observed::kOneAtATime), 1.2 * usual);
  // Evidence that does not multiply.
  EXPECT_GT(needed(0.05, 1, Observed::kTogether), 1.2 * usual);
}

TEST(Readout, EqualArmsAreNeverApart) {
  for (const double n : {300.0, 1e6, 1e12}) {
    EXPECT_TRUE(seen({0.5, 0.5, 0.2}, n, Observed::kOneAtATime).best(1, 0.05).empty());
    EXPECT_EQ(seen({0.5, 0.5, 0.2}, n, Observed::kOneAtATime).best(2, 0.05).size(), 2u);
  }
}

TEST(Readout, ArmsWithoutAReleaseAreNotBeaten) {
  Readout readout({}, 3, Observed::kOneAtATime);
  EXPECT_TRUE(readout.best(1, 0.05).empty());
  readout.add(1, 900, 1000, 0);
  EXPECT_TRUE(readout.best(1, 0.05).empty());
  EXPECT_EQ(readout.leaders(1), std::vector<Arm>{1});
  readout.add(0, 100, 1000, 0);
  EXPECT_TRUE(readout.best(1, 0.05).empty());
  readout.add(2, 100, 1000, 0);
  EXPECT_EQ(readout.best(1, 0.05), std::vector<Arm>{1});
}

TEST(Readout, SaysThatAnIntervalMissesExactlyWhenItDoes) {
  for (const Observed observed : {Observed::kOneAtATime, Observed::kTogether}) {
    const Readout readout = seen({0.6, 0.45}, 3000, observed);
    int missed = 0;
    for (double mean = 0.3; mean < 0.8; mean += 0.0097) {
      EXPECT_EQ(readout.interval_misses(0, mean, 0.05), !readout.interval(0, 0.05).holds(mean));
      for (double other = 0.3; other < 0.8; other += 0.031) {
        const bool misses = readout.difference_misses(0, 1, mean, other, 0.05);
        EXPECT_EQ(misses, !readout.difference(0, 1, 0.05).holds(mean - other))
            << mean << " " << other;
        missed += misses ? 1 : 0;
      }
    }
    EXPECT_GT(missed, 0);
  }
}

TEST(Readout, RefusesAnErrorThatIsNone) {
  const Readout readout = seen({0.6, 0.45}, 3000, Observed::kOneAtATime);
  for (const double error : {0.0, 1.0, -0.1, std::nan("")}) {
    EXPECT_THROW(readout.best(1, error), InvalidParameter);
    EXPECT_THROW(readout.interval(0, error), InvalidParameter);
    EXPECT_THROW(readout.difference(0, 1, error), InvalidParameter);
  }
}

}  // namespace
}  // namespace tacit::evidence
