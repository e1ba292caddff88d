#include "tacit/simulation/in_parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace tacit::simulation {
namespace {

TEST(InParallel, DoesEveryPieceOnceWhateverTheThreads) {
  for (const std::int64_t count : {0, 1, 2, 7, 1000}) {
    for (const int threads : {1, 2, 3, 64}) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
      EXPECT_GE(
          in_parallel(count, threads, [&](std::int64_t i) { ++done[static_cast<std::size_t>(i)]; }),
          0);
      for (const auto& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(InParallel, ThrowsWhatAPieceThrewAndBeginsNothingAfterIt) {
  for (const int threads : {1, 4}) {
    std::atomic<int> begun{0};
    EXPECT_THROW(in_parallel(1000000, threads,
                             [&](std::int64_t i) {
                               ++begun;
                               if (i == 10) throw std::out_of_range("the eleventh");
                             }),
                 std::out_of_range);
    EXPECT_LT(begun, 1000000);
    EXPECT_GE(begun, 11);
  }
}

TEST(InParallel, CountsTheTimeOfAllThreads) {
  const auto busy = [](std::int64_t) {
    volatile double x = 1;
    for (int i = 0; i < 3000000; ++i) x = x * 1.0000001;
  };
  const double once = in_parallel(1, 1, busy);
  EXPECT_GT(in_parallel(4, 2, busy), 2 * once);
}

}  // namespace
}  // namespace tacit::simulation
