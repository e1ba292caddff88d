#include "tacit/problems/adversaries.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::problems {
namespace {

using Rows = std::vector<std::vector<double>>;

double column(const Rows& rows, std::size_t arm) {
  double sum = 0;
  for (const auto& row : rows) sum += row[arm];
  return sum;
}

TEST(Adversaries, SwitchAfterTwoFifths) {
  const Rows rows = switching_rows(3, 20000);
  ASSERT_EQ(rows.size(), 20000);
  EXPECT_EQ(rows[7999], (std::vector<double>{0.25, 0.75, 0.5}));
  EXPECT_EQ(rows[8000], (std::vector<double>{1, 0, 0.5}));
  EXPECT_EQ(column(rows, 0), 14000);
  EXPECT_EQ(column(rows, 1), 6000);
  EXPECT_EQ(column(rows, 2), 10000);
  EXPECT_EQ(switching_rows(2, 5).size(), 5);
  EXPECT_THROW(switching_rows(1, 100), InvalidParameter);
  EXPECT_THROW(switching_rows(2, 4), InvalidParameter);
  EXPECT_THROW(switching_rows(2, 100'000'000), InvalidParameter);
}

TEST(Adversaries, AlternateAgainstTheLeader) {
  const Rows rows = alternating_rows(1001);
  // Who leads before a round has 0 in it.
  double first = 0;
  double second = 0;
  double leader_has = 0;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (t > 0) leader_has += first > second ? rows[t][0] : rows[t][1];
    first += rows[t][0];
    second += rows[t][1];
  }
  EXPECT_EQ(leader_has, 0);
  EXPECT_EQ(first, 500.5);
  EXPECT_EQ(second, 500);
  EXPECT_EQ(alternating_rows(1).size(), 1);
  EXPECT_THROW(alternating_rows(0), InvalidParameter);
}

TEST(Adversaries, HideTheBestArmInSoManyRounds) {
  const std::vector<double> means = exp3_lower_means(4, 10000);
  EXPECT_DOUBLE_EQ(means[0], 0.5 + std::sqrt(4.0 / 10000) / 4);
  EXPECT_EQ(means[3], 0.5);
  EXPECT_EQ(exp3_lower_means(100, 10)[0], 0.75) << "never above three quarters";
  EXPECT_THROW(exp3_lower_means(1, 10), InvalidParameter);
}

}  // namespace
}  // namespace tacit::problems
