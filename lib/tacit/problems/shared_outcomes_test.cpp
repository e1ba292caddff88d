#include "tacit/problems/shared_outcomes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "statistics/joint_law.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::problems {
namespace {

using testing::expect_one_joint_law;
using testing::Law;
using testing::opened;

constexpr double kAlpha = testing::kFamilyError / 10;

random::SimulationStream stream(std::uint64_t run) {
  return random::SimulationKey(1, "problems", "shared", run).stream(random::Purpose::kOutcomes);
}

/// Arms 0, 2 and 4 share their outcome, 1 and 3 another, 5 is alone.
const std::vector<double> kGroupMeans{0.3, 0.6, 0.45};
const std::vector<int> kGroups{0, 1, 0, 1, 0, 2};

Law law_of_a_round() {
  Law law;
  for (unsigned bits = 0; bits < 8; ++bits) {
    double p = 1;
    for (unsigned g = 0; g < 3; ++g) {
      p *= ((bits >> g) & 1U) != 0 ? kGroupMeans[g] : 1 - kGroupMeans[g];
    }
    std::vector<int> outcomes;
    outcomes.reserve(kGroups.size());
    for (const int g : kGroups) outcomes.push_back(static_cast<int>((bits >> g) & 1U));
    law[outcomes] = p;
  }
  return law;
}

TEST(SharedOutcomes, HaveOneJointLawHoweverTheyAreDrawn) {
  const SharedOutcomes problem(kGroupMeans, kGroups);
  std::uint64_t run = 0;
  for (const int n : {1, 2, 5}) {
    auto random = stream(run++);
    expect_one_joint_law(problem, law_of_a_round(), {4, 1, 0, 5}, n, random, kAlpha);
  }
}

TEST(SharedOutcomes, AreTheSameForAllArmsOfAGroup) {
  const SharedOutcomes problem(kGroupMeans, kGroups);
  auto random = stream(10);
  for (int i = 0; i < 200; ++i) {
    privacy::SecretVector<Sum> sums(6);
    problem.draw_all_sums(1, 1000, random, sums);
    const std::vector<int> all = opened(sums);
    ASSERT_EQ(all[0], all[2]);
    ASSERT_EQ(all[0], all[4]);
    ASSERT_EQ(all[1], all[3]);
  }
}

TEST(SharedOutcomes, CostOneDrawForEachGroupAskedFor) {
  const SharedOutcomes problem(kGroupMeans, kGroups);
  auto random = stream(11);
  auto twin = stream(11);
  const std::vector<Arm> asked{3, 1};
  privacy::SecretVector<Sum> sums(2);
  for (int i = 0; i < 100; ++i) {
    problem.draw_sums(asked, 1, 50, random, sums);
    ASSERT_EQ(opened(sums)[0], privacy::Exact::release(problem.draw_sum(1, 1, 50, twin)).value());
  }
  EXPECT_EQ(random(), twin());
}

TEST(SharedOutcomes, HaveTheMeansOfTheirGroups) {
  const SharedOutcomes problem(kGroupMeans, kGroups);
  EXPECT_EQ(problem.arms(), 6);
  EXPECT_EQ(problem.means(), (std::vector<double>{0.3, 0.6, 0.3, 0.6, 0.3, 0.45}));
  EXPECT_EQ(problem.best_mean(), 0.6);
}

TEST(SharedOutcomes, CertainOutcomesAreCertain) {
  const SharedOutcomes problem({0, 1}, {0, 1, 1});
  auto random = stream(12);
  privacy::SecretVector<Sum> sums(3);
  problem.draw_all_sums(1, 77, random, sums);
  EXPECT_EQ(opened(sums), (std::vector<int>{0, 77, 77}));
}

TEST(SharedOutcomes, NamesTellGroupsAndMeansApart) {
  const std::string name = SharedOutcomes({0.3, 0.6}, {0, 0, 1}).name();
  EXPECT_EQ(name, SharedOutcomes({0.3, 0.6}, {0, 0, 1}).name());
  EXPECT_NE(name, SharedOutcomes({0.3, 0.6}, {0, 1, 0}).name());
  EXPECT_NE(name, SharedOutcomes({0.3, 0.7}, {0, 0, 1}).name());
}

TEST(SharedOutcomes, RefuseBadMeansAndGroups) {
  EXPECT_THROW(SharedOutcomes({}, {}), InvalidParameter);
  EXPECT_THROW(SharedOutcomes({1.1}, {0}), InvalidParameter);
  EXPECT_THROW(SharedOutcomes({std::nan("")}, {0}), InvalidParameter);
  EXPECT_THROW(SharedOutcomes({0.5}, {0, 1}), InvalidParameter);
  EXPECT_THROW(SharedOutcomes({0.5}, {-1}), InvalidParameter);
  EXPECT_THROW(SharedOutcomes({0.5, 0.5}, {0, 0}), InvalidParameter);
}

}  // namespace
}  // namespace tacit::problems
