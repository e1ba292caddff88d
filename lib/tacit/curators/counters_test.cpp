// Every counter: exact sums under its noise, the variance that its function says at every length, noise of its
// own for every arm, and the guarantee that its budget asks for.
#include "tacit/curators/counters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/curators/curators_test.hpp"

namespace tacit::curators {
namespace {

using privacy::CounterNoise;
using Kind = privacy::Counter;

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
          {"hybrid", Kind::kHybrid, 0},
          {"hybrid, exact", Kind::kHybrid, 2, privacy::Arithmetic::kExact},
          {"toeplitz", Kind::kToeplitz, 0}};
}

/// Curators of counters whose every outcome is released at once.
class Counting {
 public:
  Counting(const CounterPlan& plan, int arms, std::uint64_t run,
           privacy::Arithmetic arithmetic = privacy::Arithmetic::kIdealised,
           accounting::Ledger* ledger = nullptr)
      : counters_(plan, arms, {Simulated(key(run), arithmetic), ledger}), counted_(arms, 0) {}

  Release add(Arm arm, const privacy::Secret<Sum>& outcome) {
    const Slot slot{arm, counted_[arm]++};
    counters_.add(slot, outcome);
    return counters_.release(slot, 1);
  }
  double sum(Arm arm, bool bit = true) { return add(arm, ones(bit ? 1 : 0)).value.value(); }

 private:
  Counters<Simulated> counters_;
  PerArm<Round> counted_;
};

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

TEST(Counters, HasTheVarianceThatItsFunctionSaysAtEveryLength) {
  constexpr int kRuns = 1500;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const CounterNoise shape(c.kind, kLength, c.arity);
    const CounterPlan plan{.shape = shape, .epsilon = 0.5, .delta = 1e-4, .share = 2};
    const double scale = plan.term_scale() / shape.term_scale();
    const auto squares = mean_squares(kRuns, [&](std::uint64_t run, auto visit) {
      Counting counting(plan, 1, run, c.arithmetic);
      for (Round n = 1; n <= kLength; ++n) visit(n, counting.sum(0) - static_cast<double>(n));
    });
    expect_variances(squares, kRuns, [&](Round n) { return scale * scale * shape.variance(n); });
  }
}

TEST(Counters, AddsNothingButItsNoise) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    // At this epsilon the noise is far below a half and the sum can be read off.
    const CounterPlan plan{
        .shape = {c.kind, kLength, c.arity}, .epsilon = 1e6, .delta = 0.5, .share = 1};
    Counting counting(plan, 2, 1, c.arithmetic);
    double sum = 0;
    for (Round n = 1; n <= kLength; ++n) {
      const bool bit = n % 3 == 0;
      sum += bit ? 1 : 0;
      ASSERT_NEAR(counting.sum(1, bit), sum, 0.1) << n;
    }
    EXPECT_NEAR(counting.sum(0, false), 0, 0.1) << "the other arm counted nothing";
  }
}

TEST(Counters, GivesEveryArmNoiseOfItsOwn) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const CounterPlan plan{
        .shape = {c.kind, 100, c.arity}, .epsilon = 1, .delta = 1e-4, .share = 1};
    Counting counting(plan, 2, 2, c.arithmetic);
    EXPECT_NE(counting.sum(0), counting.sum(1));
  }
}

TEST(Counters, KeepsToItsBudget) {
  const privacy::Sensitivity kTwoArms = privacy::Sensitivity::entries(2);
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const CounterPlan plan{
        .shape = {c.kind, 1000, c.arity}, .epsilon = 0.7, .delta = 1e-4, .share = 2};
    accounting::Ledger ledger;
    Counting counting(plan, 2, 3, c.arithmetic, &ledger);
    for (Round n = 1; n <= 1000; ++n) {
      ledger.set_round(n, 2);
      counting.sum(0);
      counting.sum(1);
    }
    const privacy::Guarantee guarantee = plan.guarantee({kTwoArms, "two arms"}, c.arithmetic);
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
  Counting counting({.shape = shape, .epsilon = 1, .delta = 0, .share = 1}, 1, 4);
  for (Round n = 1; n <= kLength; ++n) {
    ASSERT_EQ(counting.add(0, ones(1)).noises, privacy::signed_terms(n, 5)) << n;
  }
}

TEST(Counters, HaveNoExactToeplitzNoise) {
  const CounterPlan plan{
      .shape = CounterNoise(Kind::kToeplitz, 10), .epsilon = 1, .delta = 1e-6, .share = 1};
  EXPECT_THROW(Counting(plan, 1, 5, privacy::Arithmetic::kExact), InvalidParameter);
  random::SecureSource source;
  EXPECT_THROW(Counters<privacy::SecureNoise>(plan, 1, privacy::SecureNoise(source)),
               InvalidParameter);
  const Counters<Simulated> counters(plan, 1, {Simulated(key(1)), nullptr});
  privacy::SealingWriter writer;
  EXPECT_THROW(writer(counters), InvalidParameter) << "nor are they half saved";
}

TEST(Counters, HaveNoToeplitzNoiseForMoreRoundsThanTheyCanKeep) {
  const auto of = [](Round horizon) {
    return CounterPlan{
        .shape = CounterNoise(Kind::kToeplitz, horizon), .epsilon = 1, .delta = 1e-6, .share = 1};
  };
  EXPECT_NO_THROW(Counting(of(Round{1} << 26), 1, 5));
  EXPECT_THROW(Counting(of((Round{1} << 26) + 1), 1, 5), InvalidParameter);
}

TEST(Counters, RefuseANoiseThatTheyWouldOnlyNeedLater) {
  // Exact noise has scales up to 2^40: the totals' is below that, the last tree's is not.
  const auto of = [](Round horizon) {
    return CounterPlan{
        .shape = CounterNoise(Kind::kHybrid, horizon), .epsilon = 0x1p-36, .delta = 0, .share = 1};
  };
  EXPECT_NO_THROW(Counting(of(255), 1, 5, privacy::Arithmetic::kExact));
  EXPECT_THROW(Counting(of(1 << 10), 1, 5, privacy::Arithmetic::kExact), InvalidParameter);
}

TEST(Counters, OfSecureNoiseReleaseToo) {
  random::SecureSource source;
  for (const Kind kind : {Kind::kTree, Kind::kSigned, Kind::kRefined, Kind::kHybrid}) {
    Counters<privacy::SecureNoise> counters(
        CounterPlan{.shape = CounterNoise(kind, 100), .epsilon = 1e6, .delta = 0, .share = 1}, 1,
        privacy::SecureNoise(source));
    for (Round n = 0; n < 100; ++n) {
      counters.add({0, n}, ones(1));
      ASSERT_NEAR(counters.release({0, n}, 1).value.value(), static_cast<double>(n + 1), 0.1);
    }
  }
}

TEST(Counters, OfAGivenScaleAreTreesOfIt) {
  Counters<Simulated> counters(TreePlan{.horizon = 500, .scale = 3}, 2, simulated());
  std::vector<TreeSum<Simulated>> trees;
  for (const Arm arm : {0, 1}) trees.emplace_back(500, 2, 3, arm, simulated().noise());
  for (Round n = 0; n < 500; ++n) {
    for (const Arm arm : {0, 1}) {
      counters.add({arm, n}, once(0.3));
      const Release release = counters.release({arm, n}, 1);
      const Release expected = trees[static_cast<std::size_t>(arm)].add(once(0.3), simulated());
      ASSERT_EQ(release.value.value(), expected.value.value());
      ASSERT_EQ(release.noises, expected.noises);
    }
  }
}

TEST(Counters, KeepOutcomesApartUntilThoseBeforeThemAreReleased) {
  Counters<Simulated> counters(TreePlan{.horizon = 8, .scale = kTiny}, 1, simulated());
  counters.add({0, 2}, ones(1));  // answers come late, and out of order
  counters.add({0, 0}, once(0.25));
  EXPECT_NEAR(counters.release({0, 0}, 1).value.value(), 0.25, 1e-6);
  counters.add({0, 0}, ones(1));  // too late
  counters.add({0, 1}, once(0.5));
  EXPECT_NEAR(counters.release({0, 1}, 1).value.value(), 0.75, 1e-6);
  EXPECT_NEAR(counters.release({0, 2}, 1).value.value(), 1.75, 1e-6);
  EXPECT_NEAR(counters.release({0, 3}, 1).value.value(), 1.75, 1e-6) << "nobody answered";
}

TEST(Counters, ReleaseNoSlotTwiceNorOutOfTurn) {
  Counters<Simulated> counters(TreePlan{.horizon = 8, .scale = 1}, 2, simulated());
  counters.add({0, 0}, once(0.25));
  counters.add({0, 1}, once(0.5));
  EXPECT_THROW(counters.release({0, 1}, 1), InvalidParameter);
  counters.release({0, 0}, 1);
  EXPECT_THROW(counters.release({0, 0}, 1), InvalidParameter);
  EXPECT_NO_THROW(counters.release({0, 1}, 1)) << "what was refused is still there";
}

/// Toeplitz noise is for simulations, which are not saved.
std::vector<Case> saved_cases() {
  std::vector<Case> saved;
  for (const Case& c : cases()) {
    if (c.kind != Kind::kToeplitz) saved.push_back(c);
  }
  return saved;
}

TEST(Counters, GoOnWhereTheyWereSavedAtAnyObservation) {
  constexpr Round kHorizon = 200;
  for (const Case& c : saved_cases()) {
    SCOPED_TRACE(c.name);
    const CounterPlan plan{
        .shape = {c.kind, kHorizon, c.arity}, .epsilon = 1, .delta = 0, .share = 1};
    const accounting::Releases<Simulated> releases(Simulated(key(6), c.arithmetic));
    for (const Round saved_at : {0, 1, 2, 7, 16, 31, 63, 64, 100, 199}) {
      Counters<Simulated> counters(plan, 2, releases);
      const auto add = [](Counters<Simulated>& to, Arm arm, Round n) {
        to.add({arm, n}, once(static_cast<double>(n % 7) / 7));
      };
      for (Round n = 0; n < saved_at; ++n) {
        add(counters, 1, n);
        counters.release({1, n}, 1);
      }
      if (saved_at + 1 < kHorizon) add(counters, 1, saved_at + 1);  // waits for the one before it
      Counters<Simulated> again(plan, 2, releases);
      load(again, counters);
      for (Counters<Simulated>* each : {&counters, &again}) {
        for (Round n = saved_at; n < kHorizon; ++n) {
          if (n != saved_at + 1) add(*each, 1, n);
        }
      }
      for (Round n = saved_at; n < kHorizon; ++n) {
        const Release expected = counters.release({1, n}, 1);
        const Release release = again.release({1, n}, 1);
        ASSERT_EQ(release.value.value(), expected.value.value()) << saved_at << " " << n;
        ASSERT_EQ(release.noises, expected.noises) << saved_at << " " << n;
      }
      ASSERT_EQ(again.release({0, 0}, 1).value.value(), counters.release({0, 0}, 1).value.value());
    }
  }
}

}  // namespace
}  // namespace tacit::curators
