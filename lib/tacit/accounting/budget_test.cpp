#include "tacit/accounting/budget.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::accounting {
namespace {

/// Wide enough to add every double of these tests without rounding.
using Exact = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<80>>;

TEST(Filter, SpendsTheLastBitAndNoMore) {
  Filter filter({.epsilon = 1}, Filter::Rule::kAddition);
  int accepted = 0;
  Exact exact = 0;
  for (int i = 0; i < 1000005; ++i) {
    if (!filter.try_spend({.epsilon = 1e-6})) continue;
    ++accepted;
    exact += 1e-6;
  }
  EXPECT_LE(exact, 1);
  EXPECT_EQ(accepted, 1000000);  // the double 1e-6 is a little less than a millionth
}

TEST(Filter, RefusesWhatAPlainSumWouldLetPass) {
  // The double 0.1 is more than a tenth, yet ten of them sum to less than 1 in doubles; 1 + 2^-60 is 1.
  Filter tenths({.epsilon = 1}, Filter::Rule::kAddition);
  int accepted = 0;
  while (tenths.try_spend({.epsilon = 0.1})) ++accepted;
  EXPECT_EQ(accepted, 9);
  Filter full({.epsilon = 1}, Filter::Rule::kAddition);
  EXPECT_TRUE(full.try_spend({.epsilon = 1}));
  EXPECT_FALSE(full.try_spend({.epsilon = 0x1p-60}));
  EXPECT_FALSE(full.try_spend({.epsilon = 1e-300}));
  EXPECT_TRUE(full.try_spend({.epsilon = 0}));
}

TEST(UpperSum, EveryTermCounts) {
  const UpperSum below = UpperSum().plus(1 - 0x1p-53).plus(0x1p-53 - 0x1p-60);  // 1 - 2^-60
  EXPECT_TRUE(below.at_most(1));
  EXPECT_NE(below.plus(0x1p-115), below);  // less than half a unit of its second part
  EXPECT_TRUE(below.plus(0x1p-60).at_most(1));
  EXPECT_FALSE(below.plus(0x1p-60).plus(0x1p-115).at_most(1));
}

TEST(Filter, RoundsRhoUp) {
  for (double epsilon = 1e-4; epsilon < 5; epsilon *= 1.01) {
    Filter filter({.epsilon = 100, .delta = 1e-3}, Filter::Rule::kConcentrated);
    filter.spend({.epsilon = epsilon});
    const Exact exact = Exact(epsilon) * tanh(Exact(epsilon) / 2);
    EXPECT_GE(filter.spent_rho(), exact);
    EXPECT_LE(filter.spent_rho(), exact * (1 + 1e-14));
  }
}

TEST(Filter, ARefusalLeavesNoTrace) {
  for (const auto rule : {Filter::Rule::kAddition, Filter::Rule::kConcentrated}) {
    Filter filter({.epsilon = 1, .delta = 1e-6}, rule);
    Filter before({.epsilon = 1, .delta = 1e-6}, rule);
    for (Filter* one : {&filter, &before}) one->spend({.epsilon = 0.1});
    EXPECT_FALSE(filter.try_spend({.epsilon = 5}));
    EXPECT_EQ(filter, before);
    EXPECT_THROW(filter.spend({.epsilon = 5}), BudgetExceeded);
    EXPECT_EQ(filter, before);
    EXPECT_THROW(filter.spend({.epsilon = -1}), InvalidParameter);
    EXPECT_EQ(filter, before);
    EXPECT_TRUE(filter.try_spend({.epsilon = 0.01}));
    EXPECT_NE(filter, before);
  }
  Filter filter({.epsilon = 1, .delta = 1e-6}, Filter::Rule::kAddition);
  const Filter before({.epsilon = 1, .delta = 1e-6}, Filter::Rule::kAddition);
  EXPECT_FALSE(
      filter.try_spend({.epsilon = 0.5, .delta = 1e-5}));  // epsilon would fit, delta does not
  EXPECT_EQ(filter, before);
  EXPECT_TRUE(filter.try_spend({.epsilon = 1, .delta = 1e-6}));
}

std::string refusal(Filter& filter, const Cost& cost) {
  try {
    filter.spend(cost);
  } catch (const BudgetExceeded& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Filter, LeavesNothingBehindWhenItIsHandedOn) {
  static_assert(!std::is_copy_constructible_v<Filter> && !std::is_move_assignable_v<Filter>);
  for (const auto rule : {Filter::Rule::kAddition, Filter::Rule::kConcentrated}) {
    Filter first({.epsilon = 1, .delta = 1e-6}, rule);
    Filter twin({.epsilon = 1, .delta = 1e-6}, rule);
    for (Filter* one : {&first, &twin}) one->spend({.epsilon = 0.1});
    Filter second(std::move(first));
    EXPECT_EQ(second, twin);
    EXPECT_FALSE(first.try_spend({.epsilon = 1e-300}));  // NOLINT: what is left is the point
    EXPECT_EQ(first.spent(), Cost{});
    EXPECT_EQ(first.total(), Cost{});
  }
}

TEST(Filter, SaysWhatWasAskedAndWhatIsLeft) {
  Filter pure({.epsilon = 1}, Filter::Rule::kAddition);
  pure.spend({.epsilon = 0.8});
  EXPECT_EQ(refusal(pure, {.epsilon = 0.5}), "release of epsilon 0.5 refused: 0.2 of 1 left");
  EXPECT_EQ(refusal(pure, {.epsilon = 0.125}), "accepted");
  Filter both({.epsilon = 1, .delta = 1e-6}, Filter::Rule::kAddition);
  both.spend({.epsilon = 0.75, .delta = 1e-6});
  EXPECT_EQ(refusal(both, {.epsilon = 0.5}),
            "release of epsilon 0.5, delta 0 refused: epsilon 0.25 of 1, delta 0 of 1e-06 left");
  Filter concentrated({.epsilon = 1, .delta = 1e-6}, Filter::Rule::kConcentrated);
  EXPECT_EQ(refusal(concentrated, {.epsilon = 2}),
            "release of epsilon 2 (rho 1.52319) refused: rho 0.024356 of 0.024356 left");
  EXPECT_THROW(concentrated.spend_rho(1), BudgetExceeded);
}

TEST(Filter, ConcentratedBudgetsGoFurther) {
  const Cost total{.epsilon = 1.472, .delta = 1e-6};
  Filter concentrated(total, Filter::Rule::kConcentrated);
  Filter added(total, Filter::Rule::kAddition);
  int many = 0;
  int few = 0;
  while (concentrated.try_spend({.epsilon = 0.01})) ++many;
  while (added.try_spend({.epsilon = 0.01})) ++few;
  EXPECT_EQ(many, 1000);
  EXPECT_EQ(few, 147);
  EXPECT_LE(concentrated.spent().epsilon, total.epsilon);
  EXPECT_EQ(concentrated.spent().delta, 1e-6);
  EXPECT_NEAR(concentrated.spent_rho(), 1000 * rho_of_pure(0.01), 1e-12);
  EXPECT_NEAR(zcdp_epsilon(concentrated.total_rho(), 1e-6), 1.472, 1e-9);
}

TEST(Filter, RefusesCostsThatItsRuleCannotAdd) {
  Filter concentrated({.epsilon = 1, .delta = 1e-6}, Filter::Rule::kConcentrated);
  EXPECT_THROW(concentrated.try_spend({.epsilon = 0.1, .delta = 1e-9}), InvalidParameter);
  EXPECT_EQ(concentrated.spent(), Cost{});
  Filter added({.epsilon = 1, .delta = 1e-6}, Filter::Rule::kAddition);
  EXPECT_THROW(added.try_spend_rho(0.1), InvalidParameter);
  EXPECT_THROW(Filter({.epsilon = 0}, Filter::Rule::kAddition), InvalidParameter);
  EXPECT_THROW(Filter({.epsilon = 1}, Filter::Rule::kConcentrated), InvalidParameter);
  EXPECT_THROW(added.try_spend({.epsilon = std::nan("")}), InvalidParameter);
}

/// Programs that choose each release by what earlier noisy answers said, and ask for less after a refusal.
/// Sums are checked in exact arithmetic, and so is that nothing is refused that would have fitted.
TEST(Filter, AdaptiveProgramsNeverOverspend) {
  const random::SimulationKey key(1, "budget", "test", 0);
  int refused = 0;
  for (std::uint64_t program = 0; program < 1000; ++program) {
    auto draw = key.at(random::Purpose::kDecisions, program);
    const bool concentrated = program % 2 == 1;
    const Cost total{.epsilon = 0.1 + 3 * random::uniform_open(draw), .delta = 1e-5};
    Filter filter(total, concentrated ? Filter::Rule::kConcentrated : Filter::Rule::kAddition);
    Exact epsilon = 0;
    Exact delta = 0;
    Exact rho = 0;
    double answer = 1;
    double appetite = 0.5;
    for (int i = 0; i < 200; ++i) {
      Cost cost{.epsilon = appetite * total.epsilon / (1 + std::abs(answer))};
      if (!concentrated && answer > 1) cost.delta = 1e-6 * random::uniform_open(draw);
      const long double half = static_cast<long double>(cost.epsilon) / 2;
      const Exact cost_rho = Exact(2 * half * std::tanh(half));
      if (!filter.try_spend(cost)) {
        ++refused;
        appetite /= 2;
        if (concentrated) {
          EXPECT_GT(rho + cost_rho, filter.total_rho() * (1 - 1e-14));
        } else {
          EXPECT_TRUE(epsilon + cost.epsilon > total.epsilon || delta + cost.delta > total.delta);
        }
        continue;
      }
      epsilon += cost.epsilon;
      delta += cost.delta;
      rho += cost_rho;
      answer = 1 + random::laplace(draw, 1 / cost.epsilon);
    }
    if (concentrated) {
      EXPECT_LE(rho, filter.total_rho());
      EXPECT_LE(zcdp_delta(filter.spent_rho(), total.epsilon), total.delta);
    } else {
      EXPECT_LE(epsilon, total.epsilon);
      EXPECT_LE(delta, total.delta);
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace tacit::accounting
