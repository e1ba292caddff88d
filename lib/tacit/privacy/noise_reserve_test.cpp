#include "tacit/privacy/noise_reserve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "statistics/goodness_of_fit.hpp"

/// In this program every process has the same id, as two have that are each the first of their own namespace.
extern "C" pid_t getpid() noexcept { return 1; }

namespace tacit::privacy {
namespace {

constexpr double kAlpha = testing::kFamilyError / 10;

Secret<Sum> seven_and_a_half() {
  Sum sum = Sum::of_ones(7);
  sum += Sum(Outcome::nearest(0.5));
  return Secret<Sum>(sum);
}

TEST(NoiseReserve, ReleasesWhatItDrewInAdvanceAndFillsUpWhenEmpty) {
  random::SecureSource source;
  NoiseReserve reserve(ExactLaplace(2), 64, source);
  std::vector<double> noise;
  for (int i = 0; i < 100000; ++i) {
    EXPECT_EQ(reserve.left(), i % 64 == 0 && i > 0 ? 0U : 64U - static_cast<unsigned>(i % 64));
    noise.push_back(reserve.release(seven_and_a_half()).value() - 7.5);
  }
  const auto cdf = [](double x) {
    return x < 0 ? 0.5 * std::exp(x / 2) : 1 - 0.5 * std::exp(-x / 2);
  };
  EXPECT_LT(testing::ks_distance(noise, cdf), testing::ks_critical(noise.size(), kAlpha));
  EXPECT_EQ(reserve.loss(kOneOutcome).arithmetic, Arithmetic::kExact);
  EXPECT_THROW(NoiseReserve(ExactLaplace(2), 0, source), InvalidParameter);
}

TEST(NoiseReserve, IsDrawnAfreshInAChildProcess) {
  random::SecureSource source;
  NoiseReserve reserve(ExactLaplace(2), 64, source);
  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const double theirs = reserve.release(seven_and_a_half()).value();
    _exit(write(ends[1], &theirs, sizeof theirs) == sizeof theirs ? 0 : 1);
  }
  double theirs = 0;
  ASSERT_EQ(read(ends[0], &theirs, sizeof theirs), static_cast<ssize_t>(sizeof theirs));
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(reserve.left(), 64U);
  EXPECT_NE(reserve.release(seven_and_a_half()).value(), theirs);
}

}  // namespace
}  // namespace tacit::privacy
