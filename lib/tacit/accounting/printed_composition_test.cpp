#include "tacit/accounting/printed_composition.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::accounting {
namespace {

TEST(PrintedComposition, IsTheCorollarysFormula) {
  // e + eps/delta = e + 500: ln = 6.220030; 4 * 4 * 6.220030 = 99.520; 0.5/9.97597 = 0.0501205.
  const Cost each = printed_share({0.5, 1e-3}, 4);
  EXPECT_NEAR(each.epsilon, 0.0501205, 1e-6);
  EXPECT_DOUBLE_EQ(each.delta, 1e-3 / 8);
  EXPECT_THROW(printed_share({0, 1e-3}, 4), InvalidParameter);
  EXPECT_THROW(printed_share({1, 0}, 4), InvalidParameter);
  EXPECT_THROW(printed_share({1, 1e-3}, 0), InvalidParameter);
}

TEST(PrintedComposition, KeepsItsPromiseInItsRange) {
  for (const double epsilon : {1e-3, 0.1, 0.5, kPrintedCompositionEnds}) {
    for (const double delta : {1e-9, 1e-6, 1e-3, 0.1, 0.5}) {
      for (const std::int64_t releases : {1, 2, 4, 10, 100, 1000}) {
        const Cost each = printed_share({epsilon, delta}, releases);
        EXPECT_LE(optimal_delta(each, releases, epsilon), delta * (1 + 1e-9))
            << epsilon << " " << delta << " " << releases;
      }
    }
  }
}

TEST(PrintedComposition, BeyondItsRangeItHoldsForAWhileAndThenDoesNot) {
  // Where the paper uses it, by the exact theorem.
  EXPECT_LE(optimal_delta(printed_share({2, 1e-3}, 4), 4, 2), 1e-3);
  // k shares of e = epsilon/sqrt(4 k ln) lose k e^2/2 on average: more than epsilon, where that is above 8 ln(e + eps/delta).
  EXPECT_GT(optimal_delta(printed_share({200, 1e-3}, 10000), 10000, 200), 1e-3);
}

}  // namespace
}  // namespace tacit::accounting
