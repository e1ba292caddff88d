#include "tacit/service/api/quotas.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tacit/service/problem.hpp"

namespace tacit::service::api {
namespace {

std::string refusal_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Problem& problem) {
    EXPECT_EQ(problem.status(), 429);
    EXPECT_GT(problem.retry_after(), 0);
    return problem.what();
  }
  return "";
}

TEST(Quotas, AreOfBytesAKeyWithinTheTimeThatAnswersAreKept) {
  Quotas quotas({.idempotency_for = kHour, .answer_bytes = 3600, .units_a_day = 1});
  quotas.take_answer("shop", 3000, 0);
  quotas.take_answer("shop", 600, 0);
  EXPECT_EQ(refusal_of([&] { quotas.take_answer("shop", 100, 0); }),
            "Idempotency-Key: the answers that are kept for this key would be more than 3600 bytes "
            "within 1h; ask without it, or again in 100 s");
  quotas.take_answer("other", 3000, 0);
  quotas.take_answer("shop", 100, 100 * kSecond);
  EXPECT_EQ(quotas.answers(), 4U);
  EXPECT_EQ(quotas.answer_bytes(), 6700U);
}

TEST(Quotas, AreOfNewUnitsAKeyAndDay) {
  Quotas quotas({.idempotency_for = kDay, .answer_bytes = 1, .units_a_day = 2});
  quotas.take_unit("page", 0);
  quotas.take_unit("page", 0);
  EXPECT_EQ(refusal_of([&] { quotas.take_unit("page", kHour); }),
            "this key has named 2 new units within a day, and no more are taken; again in 39600 s");
  quotas.take_unit("page", kDay / 2);
  EXPECT_EQ(quotas.units(), 3U);
}

}  // namespace
}  // namespace tacit::service::api
