// Bounds for sets of arms and for ranked lists, on instances small enough for a pencil.
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/linear_matroid.hpp"
#include "tacit/actions/matroid.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/theory/cascade.hpp"
#include "tacit/theory/combinatorial.hpp"
#include "tacit/theory/matroid.hpp"
#include "tacit/theory/tails.hpp"

namespace tacit::theory {
namespace {

using feedback::Kind::kCascade;
using feedback::Kind::kSemi;

/// The two best of four: {0.9, 0.8}, the others 0.5 and 0.2.
Instance two_of_four(double epsilon, Round horizon) {
  return sets_of_arms(kSemi, {0.9, 0.8, 0.5, 0.2}, actions::TopK(4, 2), epsilon, horizon);
}

/// Two disjoint pairs of means 1/2 and 0.4: the second falls short by 0.2.
Instance two_paths(double epsilon, Round horizon) {
  Instance instance = sets_of_arms(kSemi, {0.5, 0.5, 0.4, 0.4},
                                   actions::ExplicitList(4, {{0, 1}, {2, 3}}), epsilon, horizon);
  instance.equal_outcomes = true;
  return instance;
}

TEST(Gaps, OfTheTwoBestOfFour) {
  const Instance instance = two_of_four(1, 100);
  // Outside: 0.8 - 0.5, 0.8 - 0.2. Inside: the smallest of all. Largest: 1.7 - 0.7.
  ASSERT_TRUE(instance.sets);
  EXPECT_NEAR(instance.sets->smallest[2], 0.3, 1e-12);
  EXPECT_NEAR(instance.sets->smallest[3], 0.6, 1e-12);
  EXPECT_NEAR(instance.sets->smallest[0], 0.3, 1e-12);
  EXPECT_NEAR(instance.sets->largest, 1.0, 1e-12);
  EXPECT_EQ(instance.smoothness.b_infinity, 2);
}

TEST(Gaps, OfAListAreEnumerated) {
  const Instance instance = sets_of_arms(kSemi, {0.9, 0.1, 0.5, 0.6},
                                         actions::ExplicitList(4, {{0, 1}, {2}, {0, 3}}), 1, 100);
  // Values 1.0, 0.5, 1.5: gaps 0.5 and 1.0; arm 3 is in the best action only.
  EXPECT_NEAR(instance.sets->smallest[0], 0.5, 1e-12);
  EXPECT_NEAR(instance.sets->smallest[2], 1.0, 1e-12);
  EXPECT_TRUE(std::isinf(instance.sets->smallest[3]));
  EXPECT_EQ(instance.sets->overlap, Overlap::kOther);
}

TEST(Gaps, ALoopIsInNoBasis) {
  const std::vector<std::vector<std::int64_t>> rows = {{1, 0}, {0, 1}, {0, 0}, {1, 1}};
  const actions::MatroidBases bases(std::make_shared<actions::LinearMatroid>(rows), "rows");
  const Instance instance = sets_of_arms(kSemi, {0.9, 0.8, 0.7, 0.5}, bases, 1, 100);
  EXPECT_TRUE(std::isinf(instance.sets->smallest[2]));
  EXPECT_NEAR(instance.sets->smallest[3], 0.3, 1e-12);
}

TEST(Gaps, ListsNeedTopKAndSetsNeedSets) {
  EXPECT_THROW(sets_of_arms(kCascade, {0.5, 0.4}, actions::ExplicitList(2, {{0}, {1}}), 1, 100),
               InvalidParameter);
  EXPECT_THROW(sets_of_arms(feedback::Kind::kBandit, {0.5, 0.4}, actions::TopK(2, 1), 1, 100),
               InvalidParameter);
  EXPECT_THROW(single_arms(kSemi, {0.5, 0.4}, 1, 100), InvalidParameter);
  EXPECT_THROW(single_arms(feedback::Kind::kBandit, {0.5, 0.4}, 0, 100), InvalidParameter);
}

TEST(Chen, Theorem4OnTwoOfFour) {
  // T = 10^9, ln T = 20.723266, eps = 1 so b = 1, B_inf = 2: 64 * 4 * 4 * 20.723266 = 21220.624.
  //   sum of 1/Delta_i = 3/0.3 + 1/0.6 = 11.666667: 247573.95
  //   4 (ln T + 1) * 1.0 = 86.893064;  4 (2 * 20.723266 + 30) * 1.0 = 285.78613
  EXPECT_NEAR(laplace_reports_upper(two_of_four(1, 1000000000), 1).value(), 247946.63, 0.05);
}

TEST(Chen, Theorem4NeverExceedsAllRounds) {
  EXPECT_DOUBLE_EQ(laplace_reports_upper(two_of_four(1, 50), 1).value(), 50);
  EXPECT_FALSE(laplace_reports_upper(two_of_four(1, 50), 0));
}

TEST(Chen, UpperBoundsNeedGaps) {
  Instance unknown = two_of_four(1, 50);
  unknown.sets.reset();
  EXPECT_FALSE(laplace_reports_upper(unknown, 1));
  EXPECT_FALSE(gaussian_reports_upper(unknown, 1));
}

TEST(Chen, Theorem5OnEqualGaps) {
  // e^eps = 2: 64. Three suboptimal arms of gap 0.2, T = 1000: 3/(64 * 0.2) * 6.907755 = 1.619005.
  const Instance instance =
      single_arms(feedback::Kind::kBandit, {0.5, 0.3, 0.3, 0.3}, std::log(2.0), 1000);
  EXPECT_NEAR(equal_gaps_local_lower(instance).value(), 1.619005, 1e-5);
}

TEST(Chen, Theorem5OutsideItsRange) {
  const auto at = [](std::vector<double> means) {
    return equal_gaps_local_lower(single_arms(feedback::Kind::kBandit, std::move(means), 1, 1000));
  };
  EXPECT_FALSE(at({0.5, 0.3, 0.2}));  // unequal gaps
  EXPECT_FALSE(at({0.8, 0.4, 0.4}));  // too large
  EXPECT_FALSE(at({0.9, 0.8, 0.8}));  // too near to 1
  EXPECT_FALSE(at({0.5, 0.5, 0.3}));  // two best arms
}

TEST(Chen, Theorem6OnTwoPaths) {
  // e^eps = 2: (4 - 2) * 2/(64 * 0.2) * 6.907755 = 2.158673.
  EXPECT_NEAR(disjoint_sets_local_lower(two_paths(std::log(2.0), 1000)).value(), 2.158673, 1e-5);
}

Instance pairs(std::vector<double> means, std::vector<std::vector<Arm>> actions) {
  const int arms = static_cast<int>(means.size());
  Instance instance =
      sets_of_arms(kSemi, std::move(means), actions::ExplicitList(arms, std::move(actions)),
                   std::log(2.0), 1000);
  instance.equal_outcomes = true;
  return instance;
}

TEST(Chen, Theorem6IsInTheGapOfAnArm) {
  // Means 1/2 and 0.2: a gap of 0.6, 0.3 an arm. 2 * 2/(64 * 0.6) * 6.907755 = 0.7195578.
  EXPECT_NEAR(disjoint_sets_local_lower(pairs({0.5, 0.5, 0.2, 0.2}, {{0, 1}, {2, 3}})).value(),
              0.7195578, 1e-6);
  EXPECT_FALSE(disjoint_sets_local_lower(pairs({0.5, 0.5, 0.1, 0.1}, {{0, 1}, {2, 3}})));
  EXPECT_FALSE(disjoint_sets_local_lower(pairs({0.6, 0.6, 0.4, 0.4}, {{0, 1}, {2, 3}})));
}

TEST(Chen, Theorem6OutsideItsRange) {
  // Pairs that share an arm.
  EXPECT_FALSE(disjoint_sets_local_lower(pairs({0.5, 0.5, 0.4}, {{0, 1}, {1, 2}})));
  Instance independent = two_paths(1, 1000);
  independent.equal_outcomes = false;
  EXPECT_FALSE(disjoint_sets_local_lower(independent));
  EXPECT_FALSE(disjoint_sets_local_lower(two_of_four(1, 1000)));
}

TEST(Wang, Theorem10OnTwoOfFour) {
  // sigma = 1, B_inf = 2, Delta_min = 0.3, T + m = 10^9: (2 * 2 * 3.2247449/0.3)^2 = 42.996598^2 = 1848.7075,
  // times 20.723266 = 38311.257; plus 20.723266 + 3.289868 + 2 = 38337.270, times 4 arms times 1.0.
  EXPECT_NEAR(gaussian_reports_upper(two_of_four(1, 1000000000 - 4), 1).value(), 153349.08, 0.5);
  EXPECT_FALSE(gaussian_reports_upper(two_of_four(1, 1000), -1));
}

TEST(Chandak, Theorem9OnTwoOfFour) {
  // eps = 2, so eps/K = 1; T = 500, ln(2 * 500) = 6.907755, 24 times: 165.78613.
  //   arm 2: gaps 0.4 and 0.3: 1036.2 -> 2048, 1842.1 -> 2048; 0.4 * 4095 + 0 = 1638
  //   arm 3: gaps 0.7 and 0.6: 338.3 -> 512, 460.5 -> 512; 0.7 * 1023 = 716.1
  // 1638 + 716.1 + 0.2 * 4 = 2354.9, but no more than 500 * 1.
  EXPECT_DOUBLE_EQ(lazy_basis_upper(two_of_four(2, 500)).value(), 500);
  // T = 5 * 10^8: 24 ln 10^9 = 497.35838. Arm 2: 3108.5 -> 4096, 5526.2 -> 8192: 0.4 * 8191 + 0.3 * 8192 =
  // 5734.
  // Arm 3: 1015.0 -> 1024, 1381.6 -> 2048: 0.7 * 2047 + 0.6 * 2048 = 2661.7. Sum 8395.7 + 0.8.
  EXPECT_NEAR(lazy_basis_upper(two_of_four(2, 500000000)).value(), 8396.5, 1e-6);
}

TEST(Chandak, Theorem9IsForBases) {
  EXPECT_FALSE(lazy_basis_upper(two_paths(1, 1000)));
  Instance bad = two_of_four(1, 1000);
  bad.epsilon = 0;
  EXPECT_THROW(lazy_basis_upper(bad), InvalidParameter);
}

TEST(Chandak, StrayingEstimatesCostLessThanAFifthAnArm) {
  // K = 1 is the worst: K times the sum shrinks like K^-2.
  double sum = 0;
  for (int t = 2; t <= 1000000; ++t)
    sum += std::log2(t) * (0.5 * std::pow(t, -3) + std::pow(t, -6));
  EXPECT_LT(sum, 0.2 - 1e-9);
}

/// Two items of 0.5 and two of 0.25, lists of two.
constexpr std::array kItems = {0.5, 0.5, 0.25, 0.25};

TEST(Kveton, Theorem2OnTwoLevels) {
  // T = 10^6: 2 * 12 * 13.815511/0.25 = 1326.2891, plus 4 * 3.2898681 = 13.159473.
  EXPECT_NEAR(cascade_ucb1_upper(kItems, 2, 1000000), 1339.4485, 1e-3);
  EXPECT_THROW(cascade_ucb1_upper(kItems, 5, 1000000), InvalidParameter);
  EXPECT_THROW(cascade_ucb1_upper(kItems, 0, 1000000), InvalidParameter);
}

TEST(Kveton, ItemsAsGoodAsTheLastOfTheListCostByTheNextGap) {
  // The third item ties with the second; it falls short of the first by 0.25. T = 10^6: 12 * 13.815511/0.25 + 3
  // * 3.2898681.
  EXPECT_NEAR(cascade_ucb1_upper(std::array{0.75, 0.5, 0.5}, 2, 1000000), 663.14453 + 9.869604,
              1e-3);
}

TEST(Wang, Theorem4OnTwoLevels) {
  // b = 0.5: (1.2247449 + 4.8989795/2)^2 = 3.6742346^2 = 13.5, times 8 = 108. T = 10^6: 2 * 108 *
  // 13.815511/0.25 = 11936.602; plus 4 (pi^2/3 + the rounds in which reports stray).
  EXPECT_NEAR(cascade_laplace_upper(kItems, 2, 0.5, 1000000).value() - 4 * stray_rounds(1000000),
              11936.602 + 13.159473, 1e-2);
  EXPECT_FALSE(cascade_laplace_upper(kItems, 2, 0, 1000000));
}

TEST(Wang, Theorem6OnTwoLevels) {
  // sigma = sqrt 3/2: 2 sqrt 1.5 + 4 sqrt 2 sqrt 3/2 = 2.4494897 + 4.8989795 = 7.3484692, squared 54, times 2 =
  // 108: the same sum; 2 pi^2/3 * 4 = 26.318945.
  EXPECT_NEAR(cascade_gaussian_upper(kItems, 2, std::sqrt(3.0) / 2, 1000000).value(),
              11936.602 + 26.318945, 1e-2);
  EXPECT_DOUBLE_EQ(cascade_gaussian_upper(kItems, 2, 1, 10).value(), 10);
  EXPECT_FALSE(cascade_gaussian_upper(kItems, 2, -1, 10));
}

TEST(Wang, Theorem11OnTwoLevels) {
  // e^eps = 2: 2 * 0.5 * 0.25/(2 * 4 * 1 * 0.25) = 0.125, times 6.907755 at T = 1000.
  EXPECT_NEAR(cascade_local_lower(kItems, 2, std::log(2.0), 1000).value(), 0.8634694, 1e-6);
}

TEST(Wang, Theorem12TakesTheLargerTerm) {
  // 2 * 0.5 * 0.25/kl(1/4, 1/2) = 0.25/0.1308120 = 1.911139; 1/(200 eps) is larger at eps = 0.001: 5.
  EXPECT_NEAR(cascade_central_lower(kItems, 2, 1, 1000).value(), 13.20168, 1e-4);
  EXPECT_NEAR(cascade_central_lower(kItems, 2, 0.001, 1000).value(), 34.538776, 1e-4);
}

TEST(Wang, LowerBoundsAreForTwoLevels) {
  EXPECT_FALSE(cascade_local_lower(std::array{0.5, 0.4, 0.25}, 2, 1, 1000));
  EXPECT_FALSE(cascade_central_lower(std::array{0.5, 0.25, 0.2}, 1, 1, 1000));
  EXPECT_FALSE(cascade_central_lower(std::array{0.5, 0.5}, 1, 1, 1000));
  EXPECT_FALSE(cascade_local_lower(kItems, 4, 1, 1000));
  EXPECT_THROW(cascade_local_lower(kItems, 2, 0, 1000), InvalidParameter);
}

}  // namespace
}  // namespace tacit::theory
