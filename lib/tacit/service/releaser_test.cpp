#include "tacit/service/releaser.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include <gtest/gtest.h>

namespace tacit::service {
namespace {

// A list of a thousand arms releases a thousand slots in a tick.
TEST(SecureReleaser, TakesNoLongerForTheLastOfManyArms) {
  SecureReleaser releaser;
  const curators::Plan plan = curators::PhasePlan{.scale = 1};
  const privacy::SecretVector<Sum> total(1);
  constexpr int kArms = 10'000;
  const auto time_of = [&](Arm arm) {
    using Clock = std::chrono::steady_clock;
    auto best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 50; ++i) {
      const auto before = Clock::now();
      for (int k = 0; k < 10; ++k) releaser.release(1, plan, kArms, {arm, 0}, 1, total);
      best = std::min(best, std::chrono::duration<double>(Clock::now() - before).count());
    }
    return best;
  };
  EXPECT_LT(time_of(kArms - 1), 20 * time_of(0));
}

}  // namespace
}  // namespace tacit::service
