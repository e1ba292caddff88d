#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tacit/core/check.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/core/sum.hpp"

namespace tacit {
namespace {

TEST(Sum, AddsAtOnceAndOneByOneToTheSameBits) {
  for (const double mean : {0.1, 0.3, 0.625, 1e-9, 0.9999999}) {
    const Outcome outcome = Outcome::nearest(mean);
    Sum one_by_one;
    for (int i = 0; i < 1000; ++i) one_by_one += Sum(outcome);
    EXPECT_TRUE(one_by_one == Sum::repeated(outcome, 1000)) << mean;
    // The comparison can fail: doubles do.
    double drifting = 0;
    for (int i = 0; i < 1000; ++i) drifting += 0.1;
    EXPECT_NE(drifting, 1000 * 0.1);
  }
}

TEST(Sum, IsExactForCountsUpToTheLastRound) {
  EXPECT_EQ(Sum::of_ones(kLastRound).value(), 0x1p53);
  EXPECT_EQ(Sum::of_ones(kLastRound).floor(), kLastRound);
  Sum sum = Sum::of_ones(kLastRound - 1);
  sum += Sum(Outcome::one());
  EXPECT_TRUE(sum == Sum::of_ones(kLastRound));
}

TEST(Sum, MovesByExactlyTheOutcomeThatChanged) {
  Sum with = Sum::of_ones(1000000007);
  Sum without = with;
  with += Sum(Outcome::one());
  without += Sum(Outcome::zero());
  EXPECT_TRUE(with - without == Sum(Outcome::one()));
}

TEST(Outcome, KeepsEndpointsExact) {
  EXPECT_EQ(Outcome::nearest(0).value(), 0);
  EXPECT_EQ(Outcome::nearest(1).value(), 1);
  EXPECT_EQ(Outcome::nearest(0.1).value(), 0.1);
}

TEST(Check, AcceptsWhatItReturnsAndNamesWhatItRefuses) {
  EXPECT_EQ(check::positive("f", "epsilon", 0.5), 0.5);
  for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(check::positive("f", "epsilon", bad), InvalidParameter) << bad;
  }
  EXPECT_THROW(check::within("f", "p", 1.1, 0, 1), InvalidParameter);
  EXPECT_THROW(check::within("f", "p", std::nan(""), 0, 1), InvalidParameter);
  EXPECT_THROW(check::strictly_within("f", "p", 1, 0, 1), InvalidParameter);
  EXPECT_THROW(check::horizon("f", 0), InvalidParameter);
  EXPECT_THROW(check::horizon("f", kLastRound + 1), InvalidParameter);
  EXPECT_EQ(check::horizon("f", kLastRound), kLastRound);
  try {
    check::positive("Laplace", "scale", -2);
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_EQ(error.parameter(), "scale");
    EXPECT_EQ(error.value(), "-2");
    EXPECT_STREQ(error.what(), "scale = -2: must be a finite number > 0 (Laplace)");
  }
}

TEST(NearestName, FindsTheSmallestEditDistance) {
  EXPECT_EQ(nearest_name("anytime-lasy-ucb", {"ucb1", "anytime-lazy-ucb", "adap-ucb"}),
            "anytime-lazy-ucb");
  EXPECT_EQ(nearest_name("ucb", {"kl-ucb", "ucb1"}), "ucb1");
  EXPECT_EQ(nearest_name("x", {}), "");
}

}  // namespace
}  // namespace tacit
