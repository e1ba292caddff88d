#include "tacit/theory/optimistic_sets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/actions/counting_matroids.hpp"
#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/matroid.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::theory {
namespace {

using feedback::Kind::kSemi;

/// The two best of four: {0.9, 0.8}, the others 0.5 and 0.2.
Instance two_of_four(std::optional<double> epsilon, Round horizon) {
  return sets_of_arms(kSemi, {0.9, 0.8, 0.5, 0.2}, actions::TopK(4, 2), epsilon, horizon);
}

TEST(Radius, FallsToWhatItReaches) {
  for (const Radius radius : {Radius{3, 0}, Radius{0, 7}, Radius{3, 7}, Radius{1e-3, 1e6}}) {
    for (const double level : {1e-3, 0.5, 10.0}) {
      EXPECT_NEAR(radius.at(radius.reaches(level)) / level, 1, 1e-9);
    }
  }
}

/// What the integrals stand for: the sum over n = 1, 2, ... of what an arm pays.
TEST(OptimisticSets, AddUpWhatArmsPay) {
  const Instance instance = two_of_four({}, 1000000000);
  const Radius radius{20, 30};
  const SetGaps& gaps = *instance.sets;
  double every = 0;
  double least = 0;
  for (const double gap : gaps.smallest) {
    for (double n = 1; n < 3e5; ++n) {
      every += std::max(0.0, 2 * std::min(1.0, 2 * radius.at(n)) - gap / 2);
      const double paid = std::min(gaps.largest, 4 * radius.at(n));
      if (paid >= gap) least += paid;
    }
  }
  const double once = instance.arms() * gaps.largest;
  const double all = optimistic_sets_upper(instance, radius, Recorded::kAll, 0).value();
  EXPECT_GE(all, std::min(every, least) + once);
  EXPECT_LE(all, 1.001 * std::min(every, least) + 2 * once);
  const double weakest =
      optimistic_sets_upper(instance, radius, Recorded::kLeastObserved, 0).value();
  EXPECT_GE(weakest, least + once);
  EXPECT_LE(weakest, 1.001 * least + 2 * once);
}

TEST(OptimisticSets, CountStrayRoundsAndNoMoreThanAll) {
  const Instance instance = two_of_four({}, 1000000);
  const auto with = [&](double stray) {
    return optimistic_sets_upper(instance, {20, 0}, Recorded::kAll, stray).value();
  };
  EXPECT_NEAR(with(5) - with(0), 5 * 1.0, 1e-9);
  EXPECT_DOUBLE_EQ(with(1e9), 1000000.0);
  Instance unknown = instance;
  unknown.sets.reset();
  EXPECT_FALSE(optimistic_sets_upper(unknown, {20, 0}, Recorded::kAll, 0));
}

TEST(Cucb, IsBelowItsClosedForm) {
  // Pairs out of six, listed, so that no matroid helps: 24 K ln T/Delta_i an arm, and 1.9 rounds.
  const Instance pairs = sets_of_arms(
      kSemi, {0.9, 0.8, 0.5, 0.2, 0.7, 0.6},
      actions::ExplicitList(6, {{0, 1}, {2, 3}, {4, 5}, {0, 4}, {1, 5}}), {}, 1000000000);
  double closed = 6 * 1.9 * pairs.sets->largest;
  for (const double gap : pairs.sets->smallest) closed += 24 * 2 * std::log(1e9) / gap;
  EXPECT_LT(cucb_upper(pairs).value(), closed);
  EXPECT_GT(cucb_upper(pairs).value(), closed / 4);
  EXPECT_NEAR(stray_rounds_of_root(1.5), 0.4429, 2e-3);
  EXPECT_NEAR(stray_rounds_of_root(2), 0.11973, 1e-4);
}

TEST(Omm, OnTwoOfFour) {
  // T = 10^6, 8 ln T = 110.52409. Arm 2: gaps 0.4, 0.3: 690 + 1 and 1228 + 1; 0.4 * 691 + 0.3 * 538 = 437.8.
  // Arm 3: 0.7, 0.6: 225 + 1, 307 + 1: 0.7 * 226 + 0.6 * 82 = 207.4. Largest gaps: 0.4 + 0.7 + 0.7 + 0.6 = 2.4.
  EXPECT_NEAR(optimistic_bases_upper(two_of_four({}, 1000000), 2).value(),
              437.8 + 207.4 + 2.4 * stray_rounds_of_root(2), 1e-6);
  EXPECT_FALSE(optimistic_bases_upper(
      sets_of_arms(kSemi, {0.9, 0.1}, actions::ExplicitList(2, {{0}, {1}}), {}, 100), 2));
}

/// One of each pair: {0, 1}, {2, 3}.
Instance one_of_each(std::vector<double> means) {
  const actions::MatroidBases bases(std::make_shared<actions::PartitionMatroid>(
                                        std::vector<int>{0, 0, 1, 1}, std::vector<int>{1, 1}),
                                    "one of each pair");
  return sets_of_arms(kSemi, std::move(means), bases, {}, 1000);
}

TEST(Gaps, OfAnArmAsGoodAsOneOfTheBasisMayBeAnothersFault) {
  // {0.5, 0.5}, {0.8, 0.79}: the basis of the second 0.5 and 0.79 is bad by 0.01 only.
  const Instance instance = one_of_each({0.5, 0.5, 0.8, 0.79});
  ASSERT_EQ(instance.best_basis.size(), 2U);
  for (const double gap : instance.sets->smallest) EXPECT_NEAR(gap, 0.01, 1e-12);
}

TEST(Talebi, AnArmReplacesTheWeakestOfItsCircuit) {
  // 0.3 can replace 0.6 only, though 0.5 is weaker; 0.2 can replace 0.5 only.
  const Instance instance = one_of_each({0.6, 0.3, 0.5, 0.2});
  const double expected =
      (0.3 / indices::kl(0.3, 0.6) + 0.3 / indices::kl(0.2, 0.5)) * std::log(1000.0);
  EXPECT_NEAR(bases_asymptotic(instance).value(), expected, 1e-9);
  // Any two of four: the weaker of the two, 0.8.
  EXPECT_NEAR(bases_asymptotic(two_of_four({}, 1000)).value(),
              (0.3 / indices::kl(0.5, 0.8) + 0.6 / indices::kl(0.2, 0.8)) * std::log(1000.0), 1e-9);
  Instance groups = instance;
  groups.equal_outcomes = true;
  EXPECT_FALSE(bases_asymptotic(groups));
}

TEST(Kveton2015, DisjointSetsAreABandit) {
  Instance paths = sets_of_arms(kSemi, {0.5, 0.5, 0.4, 0.4, 0.4, 0.4},
                                actions::ExplicitList(6, {{0, 1}, {2, 3}, {4, 5}}), {}, 1000);
  EXPECT_FALSE(disjoint_sets_lower(paths)) << "outcomes of their own";
  paths.equal_outcomes = true;
  // Two bad sets of gap 0.2: 2 * 0.2/kl(0.4, 0.5) ln T, above (m-K) K/(4 Delta) ln T = 10 ln T.
  const double number = disjoint_sets_lower(paths).value();
  EXPECT_NEAR(number, 0.4 / indices::kl(0.4, 0.5) * std::log(1000.0), 1e-9);
  EXPECT_GT(number, 4 * 2 / (4 * 0.2) * std::log(1000.0));
  EXPECT_FALSE(disjoint_sets_lower(two_of_four({}, 1000)));
}

TEST(Chen, Theorem8GrowsWithPrivacy) {
  double last = 1e300;
  for (const double epsilon : {0.1, 1.0, 10.0, 1000.0}) {
    const Instance instance = two_of_four(epsilon, 100000000);
    const double number = cucb_counters_upper("cucb-dp", instance).value();
    EXPECT_LT(number, last);
    EXPECT_LT(number, cucb_dp_as_published_upper(instance).value());
    last = number;
  }
  // With hardly any noise it differs from cucb by the level only, (2 ln T + ln 2)/2 for 1.5 ln T, which is less; the matroid,
  // which cucb's bound makes use of, is worth more.
  EXPECT_LT(last, 10 * cucb_upper(two_of_four({}, 100000000)).value());
  EXPECT_GT(last, cucb_upper(two_of_four({}, 100000000)).value());
}

/// What a plain CUCB-DP pays in a run, at an epsilon at which its noise does not matter, outside the event of Lemma 2 with
/// all that it allows divided by `shrunk`.
double paid_besides_lemma2(const Instance& instance, double shrunk) {
  constexpr int kRuns = 20;
  std::mt19937_64 generator(7);
  const double best = instance.sets->best_value;
  double besides = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::array<double, 4> sums{};
    std::array<double, 4> counts{};
    for (Round t = 1; t <= instance.horizon; ++t) {
      std::array<std::size_t, 4> order{0, 1, 2, 3};
      const auto index = [&](std::size_t i) {
        if (counts[i] == 0) return 2.0;
        const double radius = std::sqrt(4 * (instance.log_horizon() + std::log(4)) / counts[i]);
        return std::min(1.0, sums[i] / counts[i] + radius);
      };
      std::shuffle(order.begin(), order.end(), generator);
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return index(a) > index(b); });
      const std::array chosen{order[0], order[1]};
      const double gap = best - instance.means[chosen[0]] - instance.means[chosen[1]];
      const std::array observed{counts[chosen[0]], counts[chosen[1]]};
      const bool in_event =
          observed[0] > 0 && observed[1] > 0 && gap <= lemma2_allows(instance, observed) / shrunk;
      if (!in_event) besides += gap / kRuns;
      for (const std::size_t arm : chosen) {
        sums[arm] += std::bernoulli_distribution(instance.means[arm])(generator);
        counts[arm] += 1;
      }
    }
  }
  return besides;
}

TEST(Chen, Lemma2BoundsWhatIsNotInItsEvent) {
  // Gaps so wide that the event is left within the horizon.
  const Instance wide = sets_of_arms(kSemi, {0.95, 0.9, 0.05, 0.0}, actions::TopK(4, 2), 1e9, 3000);
  const double rest = lemma2_rest(wide).value();
  EXPECT_LE(paid_besides_lemma2(wide, 1), rest);
  EXPECT_GT(paid_besides_lemma2(wide, 6), rest) << "any event would do";

  const Instance instance = two_of_four(1e9, 3000);
  EXPECT_LE(paid_besides_lemma2(instance, 1), lemma2_rest(instance).value());
  EXPECT_DOUBLE_EQ(lemma2_rest(instance).value(), 3 * 4 * 1.0);
  // sum of 4 sqrt(ln(4 * 3000)/100) = 2 * 4 * 0.306475, and 48 ln^3 T/(100 eps) each, nothing here.
  EXPECT_NEAR(lemma2_allows(instance, std::array{100.0, 100.0}), 2.45179, 1e-3);
  EXPECT_THROW(lemma2_allows(instance, std::array{0.0}), InvalidParameter);
  EXPECT_THROW(lemma2_allows(two_of_four({}, 3000), std::array{1.0}), InvalidParameter);
}

}  // namespace
}  // namespace tacit::theory
