#include "tacit/service/api/buckets.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tacit::service::api {
namespace {

TEST(Buckets, GiveABurstAndThenTheRate) {
  Buckets buckets(Rate{.per_second = 2, .burst = 3});
  Time now = 1000;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(buckets.take("key", now), 0);
  EXPECT_EQ(buckets.take("key", now), 1);
  now += 500;
  EXPECT_EQ(buckets.take("key", now), 0);
  EXPECT_EQ(buckets.take("key", now), 1);
  now += kHour;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(buckets.take("key", now), 0);
  EXPECT_NE(buckets.take("key", now), 0);
}

TEST(Buckets, SayWhenToComeAgain) {
  Buckets buckets(Rate{.per_second = 0.1, .burst = 1});
  EXPECT_EQ(buckets.take("key", 0), 0);
  const int after = buckets.take("key", 2000);
  EXPECT_EQ(after, 8);
  EXPECT_EQ(buckets.take("key", 2000 + after * kSecond), 0);
}

TEST(Buckets, AreOneForEachKey) {
  Buckets buckets(Rate{.per_second = 1, .burst = 1});
  EXPECT_EQ(buckets.take("key", 0), 0);
  EXPECT_NE(buckets.take("key", 0), 0);
  EXPECT_EQ(buckets.take("other", 0), 0);
  Buckets endless(Rate{});
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(endless.take("key", 0), 0);
}

TEST(Buckets, GiveSomeMoreThanOthers) {
  Buckets buckets(Rate{.per_second = 1, .burst = 10});
  EXPECT_EQ(buckets.take("key", 0, 8), 0);
  EXPECT_EQ(buckets.take("key", 0, 4), 2);
  EXPECT_EQ(buckets.take("key", 0, 2), 0);
  // What is more than a full one has is given when it is full: else it would never be.
  EXPECT_EQ(buckets.take("key", 0, 1000), 10);
  EXPECT_EQ(buckets.take("key", 10 * kSecond, 1000), 0);
}

TEST(AddressBuckets, AreOneForEachAddress) {
  AddressBuckets buckets(Rate{.per_second = 1, .burst = 1});
  EXPECT_EQ(buckets.take("192.0.2.1", 0), 0);
  EXPECT_NE(buckets.take("192.0.2.1", 0), 0);
  EXPECT_EQ(buckets.take("192.0.2.1", kSecond), 0);
  // Some share one; so many do not.
  int free = 0;
  for (int i = 0; i < 100; ++i)
    free += buckets.take(fmt::format("198.51.100.{}", i), 0) == 0 ? 1 : 0;
  EXPECT_GT(free, 90);
}

TEST(AddressBuckets, AreOneForAllOfANetworkOfIPv6) {
  AddressBuckets buckets(Rate{.per_second = 1, .burst = 1});
  EXPECT_EQ(buckets.take("2001:db8:1:2::1", 0), 0);
  EXPECT_NE(buckets.take("2001:db8:1:2:ffff:ffff:ffff:ffff", 0), 0);
  EXPECT_NE(buckets.take("2001:0db8:0001:0002::5", 0), 0);
}

}  // namespace
}  // namespace tacit::service::api
