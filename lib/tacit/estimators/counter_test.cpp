// Every counter: exact sums under its noise, the variance that its function says at every length, noise of its
// own for every arm, and the guarantee that its budget asks for.
#include "tacit/estimators/counter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/estimators/hybrid_counter.hpp"

namespace tacit::estimators {
namespace {

using privacy::CounterNoise;
using Kind = privacy::Counter;

random::SimulationKey key(std::uint64_t run) { return {8, "counter", "test", run}; }
privacy::Secret<Sum> one() { return privacy::Secret<Sum>(Sum::of_ones(1)); }

constexpr Round kLength = 4096;

struct Case {
  const char* name;
  Kind kind;
  int arity;
  privacy::Arithmetic arithmetic = privacy::Arithmetic::kIdealised;
};

std::vector<Case> cases() {
  return {{"binary tree", Kind::kTree, 2},
          {"wide tree", Kind::kTree, 16},
          {"signed, 3", Kind::kSigned, 3},
          {"signed, best", Kind::kSigned, 0},
          {"signed, best, exact", Kind::kSigned, 0, privacy::Arithmetic::kExact},
          {"refined, 2", Kind::kRefined, 2},
          {"refined, 5", Kind::kRefined, 5},
          {"refined, exact", Kind::kRefined, 2, privacy::Arithmetic::kExact},
          {"toeplitz", Kind::kToeplitz, 0}};
}

/// Mean square of the noise at every length, over many runs of `noise(run, visit(n, noise))`.
template <class NoiseOfARun>
std::vector<double> mean_squares(int runs, NoiseOfARun noise_of_a_run) {
  std::vector<double> squares(kLength + 1);
  for (int run = 0; run < runs; ++run) {
    noise_of_a_run(static_cast<std::uint64_t>(run), [&](Round n, double noise) {
      squares[static_cast<std::size_t>(n)] += noise * noise / runs;
    });
  }
  return squares;
}

/// Laplace noise has a kurtosis of 6, sums of it less: a mean square of `runs` of them errs by
/// sqrt(5/runs) relative at most.
template <class Variance>
void expect_variances(const std::vector<double>& squares, int runs, Variance variance) {
  const double error = std::sqrt(5.0 / runs);
  const double z = testing::two_sided_z(testing::kFamilyError / (20 * kLength));
  double ratios = 0;
  for (Round n = 1; n <= kLength; ++n) {
    const double ratio = squares[static_cast<std::size_t>(n)] / variance(n);
    ASSERT_NEAR(ratio, 1, z * error) << n;
    ratios += ratio / kLength;
  }
  EXPECT_NEAR(ratios, 1, 0.03) << "all lengths together";
}

TEST(Counter, HasTheVarianceThatItsFunctionSaysAtEveryLength) {
  constexpr int kRuns = 1500;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const CounterNoise shape(c.kind, kLength, c.arity);
    const Counter::Budget budget{
        .epsilon = 0.5, .delta = 1e-4, .share = 2, .arithmetic = c.arithmetic};
    const double scale = Counter::scale_of_a_term(shape, budget) / shape.term_scale();
    const auto squares = mean_squares(kRuns, [&](std::uint64_t run, auto visit) {
      Counter counter(1, shape, budget, key(run));
      for (Round n = 1; n <= kLength; ++n) {
        counter.learn(0, 1, one());
        visit(n, counter.estimate(0).sum - static_cast<double>(n));
      }
    });
    expect_variances(squares, kRuns, [&](Round n) { return scale * scale * shape.variance(n); });
  }
}

TEST(HybridCounter, HasTheVarianceThatItsFunctionSaysAtEveryLength) {
  constexpr int kRuns = 1500;
  const auto squares = mean_squares(kRuns, [&](std::uint64_t run, auto visit) {
    HybridCounter counter(1, 3, key(run));
    for (Round n = 1; n <= kLength; ++n) {
      counter.learn(0, 1, one());
      visit(n, counter.estimate(0).sum - static_cast<double>(n));
    }
  });
  expect_variances(squares, kRuns, [](Round n) { return 9 * HybridCounter::variance(n); });
  EXPECT_DOUBLE_EQ(HybridCounter::variance((Round{1} << 20) - 1), 55032);
}

TEST(Counter, AddsNothingButItsNoise) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    // At this epsilon the noise is far below a half and the sum can be read off.
    const Counter::Budget budget{.epsilon = 1e6, .delta = 0.5, .arithmetic = c.arithmetic};
    Counter counter(2, CounterNoise(c.kind, kLength, c.arity), budget, key(1));
    double sum = 0;
    for (Round n = 1; n <= kLength; ++n) {
      const bool bit = n % 3 == 0;
      sum += bit ? 1 : 0;
      counter.learn(1, 1, privacy::Secret<Sum>(Sum::of_ones(bit ? 1 : 0)));
      ASSERT_NEAR(counter.estimate(1).sum, sum, 0.1) << n;
      ASSERT_EQ(counter.estimate(1).n, static_cast<double>(n));
    }
    EXPECT_EQ(counter.estimate(0).n, 0);
  }
}

TEST(Counter, GivesEveryArmNoiseOfItsOwn) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Counter::Budget budget{.epsilon = 1, .delta = 1e-4, .arithmetic = c.arithmetic};
    Counter counter(2, CounterNoise(c.kind, 100, c.arity), budget, key(2));
    counter.learn(0, 1, one());
    counter.learn(1, 1, one());
    EXPECT_NE(counter.estimate(0).sum, counter.estimate(1).sum);
  }
}

TEST(Counter, KeepsToItsBudget) {
  constexpr privacy::Sensitivity kTwoArms{.l0 = 2, .linf = 1, .l1 = 2, .l2 = 1.4142135623730951};
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Counter::Budget budget{
        .epsilon = 0.7, .delta = 1e-4, .share = 2, .arithmetic = c.arithmetic};
    privacy::Ledger ledger;
    Counter counter(2, CounterNoise(c.kind, 1000, c.arity), budget, {key(3), &ledger});
    for (Round n = 1; n <= 1000; ++n) {
      ledger.set_round(n, 2);
      counter.learn(0, 1, one());
      counter.learn(1, 1, one());
    }
    const privacy::Guarantee guarantee = counter.guarantee(kTwoArms, "two arms");
    EXPECT_LE(guarantee.epsilon, 0.7 * (1 + 1e-12));
    EXPECT_GE(guarantee.epsilon, 0.7 * (1 - 1e-5));
    EXPECT_EQ(guarantee.delta, c.kind == Kind::kToeplitz ? 1e-4 : 0);
    EXPECT_EQ(guarantee.arithmetic, c.arithmetic);
    if (c.kind == Kind::kToeplitz) continue;
    EXPECT_LE(ledger.worst_epsilon(), guarantee.epsilon * (1 + 1e-9)) << "what really happened";
    EXPECT_GE(ledger.worst_epsilon(), guarantee.epsilon * 0.6) << "and not much less";
  }
}

TEST(SignedTree, HoldsAsManyTermsAsItsDigits) {
  const CounterNoise shape(Kind::kSigned, kLength, 5);
  Counter counter(1, shape, {.epsilon = 1}, key(4));
  for (Round n = 1; n <= kLength; ++n) {
    counter.learn(0, 1, one());
    ASSERT_EQ(counter.estimate(0).noises, privacy::signed_terms(n, 5)) << n;
  }
}

TEST(Counter, HasNoExactToeplitzNoise) {
  EXPECT_THROW(
      Counter(1, CounterNoise(Kind::kToeplitz, 10),
              {.epsilon = 1, .delta = 1e-6, .arithmetic = privacy::Arithmetic::kExact}, key(5)),
      InvalidParameter);
}

}  // namespace
}  // namespace tacit::estimators
