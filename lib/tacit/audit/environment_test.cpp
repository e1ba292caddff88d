#include "tacit/audit/environment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/privacy/grid.hpp"

namespace tacit::audit {
namespace {

constexpr Effort kEffort{.samples = 4000, .error = 1e-6};

TEST(EnvironmentAudit, DoesNotRefuteWhatIsRight) {
  for (const double epsilon : {0.1, 1.0, 5.0, 100.0}) {
    const EnvironmentResult result = environment_audit({.epsilon = epsilon}, kEffort);
    EXPECT_EQ(result.verdict, Verdict::kNotRefuted) << epsilon << result.law.complaint;
    EXPECT_EQ(result.guesses.samples, kEffort.samples);
    EXPECT_LT(result.guesses.lower_bound, epsilon);
    EXPECT_EQ(result.law.samples, 1000) << "all of both kinds";
  }
  EXPECT_GT(environment_audit({.epsilon = 1}, kEffort).guesses.lower_bound, 0.3)
      << "some of it is found";
}

TEST(EnvironmentAudit, FindsHalfTheNoise) {
  for (const double epsilon : {0.5, 1.0, 5.0}) {
    const EnvironmentResult result =
        environment_audit({.epsilon = epsilon, .played_with = 2 * epsilon}, {.samples = 40000});
    EXPECT_EQ(result.verdict, Verdict::kViolated);
    EXPECT_TRUE(result.guesses.violated) << epsilon << ": by guesses alone too";
    EXPECT_LT(result.guesses.samples, 40000) << "stopped when it knew";
    EXPECT_GE(result.guesses.lower_bound, result.claimed.per_unit * (1 - 1e-9));
    if (epsilon >= 5) {
      // Where the noise is wider than [0, 1], most of what comes out is cut and tells little of its size.
      EXPECT_EQ(result.law.complaint, "the noise is about 0.5 times as large as declared");
    }
  }
}

TEST(EnvironmentAudit, FindsNoiseThatTwoMeansShare) {
  const EnvironmentPlay twin{.epsilon = 5, .twin = [](std::vector<double> released) {
                               released[1] = released[0];
                               return released;
                             }};
  const EnvironmentResult result = environment_audit(twin, {.samples = 1000});
  EXPECT_EQ(result.verdict, Verdict::kViolated);
  EXPECT_FALSE(result.law.complaint.empty());
}

TEST(ExactEnvironment, IsWhatIsClaimed) {
  for (const double epsilon : {0x1p-10, 0.1, 1.0, 3.0, 100.0, 0x1p20}) {
    const ExactEnvironment result = exact_environment_audit({.epsilon = epsilon});
    EXPECT_FALSE(result.violated) << epsilon << ": " << result.where;
    EXPECT_GE(result.epsilon, epsilon * (1 - 1e-5)) << "nothing is wasted but by rounding";
    EXPECT_LE(result.epsilon, epsilon + result.claimed.for_cutting / 0.1) << "and cutting";
    EXPECT_LE(result.nearly_equal,
              result.claimed.for_cutting * (1 + 1e-9) + result.claimed.per_unit * 0x1p-38);
    const ExactEnvironment twin =
        exact_environment_audit({.epsilon = epsilon, .played_with = 2 * epsilon});
    EXPECT_TRUE(twin.violated) << epsilon;
  }
}

TEST(ExactEnvironment, GoesThroughAllValuesByAFewOfThem) {
  const privacy::Grid grid = privacy::Grid::for_scale(1);
  const auto scale = static_cast<double>(grid.scale);
  const auto most = std::int64_t{1} << grid.bits;
  double total = 0;
  double largest = 0;
  const std::int64_t one = most / 4;
  const std::int64_t other = most / 2;
  for (std::int64_t value = 0; value <= most; ++value) {
    const double chance = log_chance_on_grid(value, one, most, scale);
    total += std::exp(chance);
    largest = std::max(largest, chance - log_chance_on_grid(value, other, most, scale));
  }
  EXPECT_NEAR(total, 1, 1e-9) << "all that can come out";
  EXPECT_NEAR(largest, 0.25, 1e-6);
  EXPECT_NEAR(largest,
              log_chance_on_grid(0, one, most, scale) - log_chance_on_grid(0, other, most, scale),
              1e-12);
}

}  // namespace
}  // namespace tacit::audit
