#include "tacit/service/budget.hpp"

#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_int.hpp>

#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::service {
namespace {

using Exact = boost::multiprecision::cpp_rational;

/// What a person who typed it meant.
Exact fraction(double number) {
  const std::string text = fmt::format("{:.17e}", number);
  std::string shortest;
  for (int digits = 0; digits <= 17; ++digits) {
    shortest = fmt::format("{:.{}e}", number, digits);
    if (std::stod(shortest) == number) break;
  }
  const std::size_t e = shortest.find('e');
  std::string digits = shortest.substr(0, e);
  int power = std::stoi(shortest.substr(e + 1));
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    power -= static_cast<int>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  Exact value{boost::multiprecision::cpp_int(digits)};
  for (; power > 0; --power) value *= 10;
  for (; power < 0; ++power) value /= 10;
  return value;
}

TEST(DecimalBudget, ATenthGoesTenTimesIntoOne) {
  Budget budget(1);
  EXPECT_EQ(budget.times(0.1), 10);
  for (int i = 1; i <= 10; ++i) {
    ASSERT_TRUE(budget.try_spend(0.1)) << i;
    EXPECT_EQ(budget.spent(), i == 3 ? 0.3 : i / 10.0) << "as it is written";
    EXPECT_EQ(budget.left(), (10 - i) / 10.0);
  }
  EXPECT_FALSE(budget.try_spend(0.1));
  EXPECT_FALSE(budget.try_spend(1e-9));
  EXPECT_EQ(budget.times(0.1), 0);
}

TEST(DecimalBudget, RoundsDebitsUpAndBudgetsDown) {
  Budget budget(1e-18);
  EXPECT_TRUE(budget.try_spend(1e-30)) << "counts as 1e-18";
  EXPECT_FALSE(budget.try_spend(1e-30));
  Budget small(9.9e-18);
  EXPECT_EQ(small.times(1e-18), 9);
  Budget large(999999.75);
  EXPECT_FALSE(large.try_spend(1e300));
  EXPECT_TRUE(large.try_spend(999999.75));
  EXPECT_EQ(large.left(), 0);
}

TEST(DecimalBudget, NeverSpendsMoreThanItHasAsAnExactSum) {
  auto coins = random::SimulationKey(3, "budget", "", 0).stream(random::Purpose::kDecisions);
  for (int play = 0; play < 200; ++play) {
    const double total = std::ldexp(random::uniform_open(coins), random::uniform_index(coins, 20));
    Budget budget(total);
    Exact sum = 0;
    for (int i = 0; i < 60; ++i) {
      double debit = total * random::uniform_open(coins) / 20;
      if (i % 2 == 0) debit = std::stod(fmt::format("{:.3f}", debit));
      if (i % 7 == 6) debit = budget.left();
      if (debit > 0 && budget.try_spend(debit)) sum += fraction(debit);
      ASSERT_LE(sum, fraction(total));
      ASSERT_GE(fraction(budget.spent()), sum) << "what is told is never less";
      ASSERT_LE(fraction(budget.left()), fraction(total) - sum);
    }
  }
}

TEST(DecimalBudget, KnowsWhatItDoesNotKnow) {
  Budget budget(1);
  budget.try_spend(0.1);
  EXPECT_EQ(budget.missing_of(0.1), 0);
  EXPECT_EQ(budget.missing_of(0.05), 0);
  EXPECT_EQ(budget.missing_of(0.3), 0.2);
  EXPECT_EQ(budget.missing_of(7), 0.9) << "no more than there is";
  ASSERT_TRUE(budget.try_spend(budget.missing_of(0.3)));
  EXPECT_EQ(budget.spent(), 0.3);
}

TEST(DecimalBudget, NoiseIsOfNoMoreThanWasDebited) {
  auto coins = random::SimulationKey(4, "budget", "", 0).stream(random::Purpose::kDecisions);
  EXPECT_EQ(not_above(1), 1);
  EXPECT_EQ(not_above(0.5), 0.5);
  EXPECT_EQ(not_above(0.1), std::nextafter(0.1, 0.0));
  for (int i = 0; i < 20000; ++i) {
    double epsilon = std::ldexp(random::uniform_open(coins), random::uniform_index(coins, 40) - 20);
    if (i % 2 == 0) epsilon = std::stod(fmt::format("{:.{}g}", epsilon, 1 + i % 6));
    if (i % 5 == 0) epsilon = std::round(epsilon * 1024) / 1024;
    if (epsilon == 0) continue;
    ASSERT_LE(Exact(not_above(epsilon)), fraction(epsilon)) << epsilon;
    ASSERT_GE(not_above(epsilon), std::nextafter(epsilon, 0.0));
  }
}

}  // namespace
}  // namespace tacit::service
