#include "tacit/audit/certified.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::audit {
namespace {

/// Runs of a randomised bit, guessed by its law.
double certified_of_a_bit(double epsilon, double about, double error, int runs,
                          std::uint64_t seed) {
  auto stream =
      random::SimulationKey(seed, "certified", "bit", 0).stream(random::Purpose::kOutcomes);
  Certified certified(about, 0, error);
  for (int i = 0; i < runs; ++i) {
    const bool one = random::bernoulli(stream, 0.5);
    const bool truth = random::bernoulli(stream, 1 / (1 + std::exp(-epsilon)));
    certified.add(one, {.by_law = one == truth ? epsilon : -epsilon, .learned = 0});
  }
  return certified.epsilon();
}

TEST(Certified, IsBelowTheTruthButForTheErrorAndComesNear) {
  for (const double epsilon : {0.1, 1.0, 5.0}) {
    int above = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed)
      above += certified_of_a_bit(epsilon, epsilon, 0.05, 2000, seed) >= epsilon ? 1 : 0;
    EXPECT_LE(above, 20) << "10 are expected at most";
  }
  EXPECT_GE(certified_of_a_bit(1, 1, 1e-3, 20000, 1), 0.9);
  EXPECT_EQ(certified_of_a_bit(1, 1, 1e-3, 10, 1), 0) << "ten runs tell nothing";
}

TEST(Certified, RefutesAClaimThatIsTooSmall) {
  EXPECT_GE(certified_of_a_bit(2, 1, 1e-3, 500, 1), 1);
  EXPECT_LE(certified_of_a_bit(2, 1, 1e-3, 100000, 1), 2);
  EXPECT_GE(certified_of_a_bit(20, 1, 1e-3, 100000, 1), 8) << "as far as so many runs tell";
}

TEST(Certified, TakesEitherGuess) {
  for (const bool learned : {false, true}) {
    Certified certified(1, 0, 1e-3);
    int runs = 0;
    for (; certified.epsilon() < 1; ++runs) {
      const bool one = runs % 2 == 0;
      const double odds = one ? 40 : -40;
      certified.add(one, {.by_law = learned ? 0 : odds, .learned = learned ? odds : 0});
    }
    // ln(2000) = 7.6, at ln(1 + 1/e) a run.
    EXPECT_EQ(runs, 25);
  }
}

TEST(Certified, GrantsADelta) {
  const auto runs_of_a_leak = [](double delta, double chance) {
    auto stream =
        random::SimulationKey(1, "certified", "leak", 0).stream(random::Purpose::kOutcomes);
    Certified certified(1, delta, 1e-3);
    int runs = 0;
    for (; certified.epsilon() < 1 && runs < 20000; ++runs) {
      const bool one = random::bernoulli(stream, 0.5);
      certified.add(one, {.by_law = one && random::bernoulli(stream, chance) ? 40.0 : 0.0});
    }
    return runs;
  };
  EXPECT_LT(runs_of_a_leak(0, 0.02), 10000);
  EXPECT_LT(runs_of_a_leak(0.01, 0.2), 10000);
  EXPECT_EQ(runs_of_a_leak(0.04, 0.02), 20000) << "which it may do";
}

}  // namespace
}  // namespace tacit::audit
