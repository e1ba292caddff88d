#include "tacit/service/api/buckets.hpp"

#include <gtest/gtest.h>

namespace tacit::service::api {
namespace {

TEST(Buckets, GiveABurstAndThenTheRate) {
  Buckets buckets({Rate{.per_second = 2, .burst = 3}, Rate{}, Rate{}});
  Time now = 1000;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(buckets.take("key", 0, now), 0);
  EXPECT_EQ(buckets.take("key", 0, now), 1);
  now += 500;
  EXPECT_EQ(buckets.take("key", 0, now), 0);
  EXPECT_EQ(buckets.take("key", 0, now), 1);
  now += kHour;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(buckets.take("key", 0, now), 0);
  EXPECT_NE(buckets.take("key", 0, now), 0);
}

TEST(Buckets, SayWhenToComeAgain) {
  Buckets buckets({Rate{.per_second = 0.1, .burst = 1}, Rate{}, Rate{}});
  EXPECT_EQ(buckets.take("key", 0, 0), 0);
  const int after = buckets.take("key", 0, 2000);
  EXPECT_EQ(after, 8);
  EXPECT_EQ(buckets.take("key", 0, 2000 + after * kSecond), 0);
}

TEST(Buckets, AreOneForEachKeyAndKind) {
  const Rate one{.per_second = 1, .burst = 1};
  Buckets buckets({one, one, Rate{}});
  EXPECT_EQ(buckets.take("key", 0, 0), 0);
  EXPECT_NE(buckets.take("key", 0, 0), 0);
  EXPECT_EQ(buckets.take("key", 1, 0), 0);
  EXPECT_EQ(buckets.take("other", 0, 0), 0);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(buckets.take("key", 2, 0), 0);
}

}  // namespace
}  // namespace tacit::service::api
