#include "tacit/problems/hard_instances.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/problems/shared_outcomes.hpp"

namespace tacit::problems {
namespace {

/// The expected reward of every action, and that it has k arms.
std::vector<double> rewards(const HardInstance& instance, std::size_t k) {
  const SharedOutcomes problem(instance.means, instance.group_of_arm);
  std::vector<double> result;
  for (const auto& action : instance.actions) {
    EXPECT_EQ(action.size(), k);
    double sum = 0;
    for (const Arm arm : action) sum += problem.means().at(static_cast<std::size_t>(arm));
    result.push_back(sum);
  }
  return result;
}

void expect_only_the_first_best_by(const std::vector<double>& rewards, double gap) {
  for (std::size_t i = 1; i < rewards.size(); ++i) {
    EXPECT_NEAR(rewards[0] - rewards[i], gap, 1e-12);
  }
}

template <class Make>
std::string refused_parameter(Make make) {
  try {
    make();
  } catch (const InvalidParameter& error) {
    return error.parameter();
  }
  return "";
}

TEST(HardInstances, KPathHasDisjointPathsOfOneOutcomeEach) {
  const HardInstance instance = k_path(12, 3, 0.75);
  EXPECT_EQ(instance.means, (std::vector<double>{0.5, 0.25, 0.25, 0.25}));
  EXPECT_EQ(instance.group_of_arm, (std::vector<int>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}));
  EXPECT_EQ(instance.actions,
            (std::vector<std::vector<Arm>>{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}}));
  expect_only_the_first_best_by(rewards(instance, 3), 0.75);
}

TEST(HardInstances, PublicArmsAreInAllActionsButTheBest) {
  const HardInstance instance = public_arms(8, 3, 0.3);
  EXPECT_EQ(instance.actions,
            (std::vector<std::vector<Arm>>{{0, 1, 2}, {3, 4, 5}, {3, 4, 6}, {3, 4, 7}}));
  // The arms of the best action and the single ones are groups of their own, the public ones share one.
  EXPECT_EQ(instance.group_of_arm, (std::vector<int>{0, 1, 2, 3, 3, 4, 5, 6}));
  expect_only_the_first_best_by(rewards(instance, 3), 0.3);
}

TEST(HardInstances, PublicArmsOfOneArmEachAreSingleArms) {
  const HardInstance instance = public_arms(4, 1, 0.2);
  EXPECT_EQ(instance.actions, (std::vector<std::vector<Arm>>{{0}, {1}, {2}, {3}}));
  EXPECT_EQ(instance.group_of_arm, (std::vector<int>{0, 1, 2, 3}));
  expect_only_the_first_best_by(rewards(instance, 1), 0.2);
}

TEST(HardInstances, EqualGapsLieAroundOneHalf) {
  const HardInstance instance = equal_gaps(3, 0.5);
  EXPECT_EQ(instance.means, (std::vector<double>{0.75, 0.25, 0.25}));
  EXPECT_EQ(instance.group_of_arm, (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(instance.actions.empty());
  EXPECT_EQ(equal_gaps(2, 1).means, (std::vector<double>{1, 0}));
}

TEST(HardInstances, DoublingGapsDouble) {
  const HardInstance instance = doubling_gaps(5, 0.1);
  ASSERT_EQ(instance.means.size(), 5U);
  EXPECT_EQ(instance.means[0], 0.9);
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_NEAR(instance.means[0] - instance.means[i], 0.05 * std::pow(2.0, i), 1e-12);
  }
  EXPECT_EQ(instance.group_of_arm, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(instance.actions.empty());
  EXPECT_EQ(doubling_gaps(2, 0.9).means[1], 0);
}

TEST(HardInstances, RefuseWhatIsOutOfRangeByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused_parameter([] { k_path(12, 0, 0.1); }), "k");
  EXPECT_EQ(refused_parameter([] { k_path(13, 3, 0.1); }), "arms");
  EXPECT_EQ(refused_parameter([] { k_path(3, 3, 0.1); }), "arms");
  EXPECT_EQ(refused_parameter([] { k_path(12, 3, 0); }), "gap");
  EXPECT_EQ(refused_parameter([] { k_path(12, 3, 1.05 + 1e-9); }), "gap");
  EXPECT_EQ(refused_parameter([] { k_path(12, 3, 1.05 - 1e-9); }), "");
  EXPECT_EQ(refused_parameter([&] { k_path(12, 3, nan); }), "gap");
  EXPECT_EQ(refused_parameter([] { k_path(12, 3, 2.1 - 1e-9, 2); }), "");
  EXPECT_EQ(refused_parameter([] { k_path(12, 3, 2.1 + 1e-9, 2); }), "gap");
  EXPECT_EQ(refused_parameter([] { public_arms(6, 3, 2.1 + 1e-9, 2); }), "gap");

  EXPECT_EQ(refused_parameter([] { public_arms(5, 3, 0.1); }), "arms");
  EXPECT_EQ(refused_parameter([] { public_arms(6, 3, 0.1); }), "");
  EXPECT_EQ(refused_parameter([] { public_arms(6, 0, 0.1); }), "k");
  EXPECT_EQ(refused_parameter([] { public_arms(6, 3, -0.1); }), "gap");
  EXPECT_EQ(refused_parameter([] { public_arms(6, 3, 1.1); }), "gap");

  EXPECT_EQ(refused_parameter([] { equal_gaps(1, 0.1); }), "arms");
  EXPECT_EQ(refused_parameter([] { equal_gaps(2, 0); }), "gap");
  EXPECT_EQ(refused_parameter([] { equal_gaps(2, 1.01); }), "gap");

  EXPECT_EQ(refused_parameter([] { doubling_gaps(1, 0.1); }), "arms");
  EXPECT_EQ(refused_parameter([] { doubling_gaps(5, 0); }), "smallest");
  EXPECT_EQ(refused_parameter([] { doubling_gaps(5, 0.113); }), "smallest");
  EXPECT_EQ(refused_parameter([] { doubling_gaps(5000, 1e-300); }), "smallest");
  EXPECT_EQ(refused_parameter([&] { doubling_gaps(5, nan); }), "smallest");
}

TEST(HardInstances, CommonArmsDifferInOneArm) {
  const HardInstance instance = common_arms(3, 4, 0.4);
  EXPECT_EQ(instance.actions,
            (std::vector<std::vector<Arm>>{{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 1, 2, 5}}));
  ASSERT_EQ(instance.means.size(), 6U);
  EXPECT_EQ(instance.means[0], 0.5);
  EXPECT_NEAR(instance.means[3], 0.45, 1e-12);
  EXPECT_EQ(instance.means[5], 0.05);
  EXPECT_THROW(common_arms(1, 4, 0.4), InvalidParameter);
  EXPECT_THROW(common_arms(2, 0, 0.4), InvalidParameter);
  EXPECT_THROW(common_arms(2, 4, 0.96), InvalidParameter);
}

}  // namespace
}  // namespace tacit::problems
