#include "tacit/theory/posterior_privacy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/log_gamma.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::theory {
namespace {

/// Ones among the observations of an arm.
struct Seen {
  int ones = 0;
  int all = 0;
};

double log_choose(int n, int k) {
  return log_gamma(n + 1.0) - log_gamma(k + 1.0) - log_gamma(n - k + 1.0);
}

/// P(Beta(a, b) > Beta(c, d)) of whole numbers. A Beta(a, b) variable is the a-th smallest of a + b - 1 uniform ones: with those of
/// the other arm all orders are as likely, so the chance is hypergeometric: at least c of the other arm's numbers are below.
double first_wins(const Seen& first, const Seen& second) {
  const int a = first.ones + 1;
  const int u = first.all + 1;  // uniform numbers
  const int c = second.ones + 1;
  const int v = second.all + 1;
  double chance = 0;
  for (int below = c; below <= v; ++below) {  // of the other's, before the a-th of the first's
    chance += std::exp(log_choose(a - 1 + below, below) + log_choose(u - a + v - below, v - below) -
                       log_choose(u + v, v));
  }
  return chance;
}

double worst_loss(int own, int other) {
  double worst = 0;
  for (int ones = 0; ones < own; ++ones) {
    for (int others = 0; others <= other; ++others) {
      const Seen second{others, other};
      const Seen less{ones, own};
      const Seen more{ones + 1, own};
      worst = std::max({worst, std::log(first_wins(more, second) / first_wins(less, second)),
                        std::log(first_wins(second, less) / first_wins(second, more))});
    }
  }
  return worst;
}

TEST(ThompsonActionLoss, IsTheLargestOfAllTables) {
  for (int own = 1; own <= 12; ++own) {
    for (int other = 0; other <= 20; ++other) {
      EXPECT_NEAR(worst_loss(own, other), thompson_action_loss(other), 1e-9) << own << " " << other;
    }
  }
}

/// The formula by which it is checked, against posteriors that are drawn.
TEST(ThompsonActionLoss, TheChanceOfAnActionIsThatOfPosteriors) {
  constexpr int kDraws = 200000;
  const double sigmas = testing::two_sided_z(testing::kFamilyError / 4);
  int run = 0;
  for (const auto& [first, second] : std::vector<std::pair<Seen, Seen>>{
           {{0, 0}, {3, 4}}, {{1, 3}, {5, 5}}, {{2, 2}, {0, 6}}, {{7, 10}, {6, 10}}}) {
    const random::SimulationKey key{1, "theory", "posterior", static_cast<std::uint64_t>(++run)};
    auto draw = key.at(random::Purpose::kEnvironment, 0);
    int wins = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double theta = random::beta(draw, first.ones + 1, first.all - first.ones + 1);
      wins += theta > random::beta(draw, second.ones + 1, second.all - second.ones + 1) ? 1 : 0;
    }
    const double p = first_wins(first, second);
    EXPECT_NEAR(wins, p * kDraws, sigmas * std::sqrt(p * (1 - p) * kDraws));
  }
}

TEST(ThompsonActionLoss, IsNeverBelowLogTwoAndHasNoEnd) {
  EXPECT_DOUBLE_EQ(thompson_action_loss(0), std::log(2.0));
  EXPECT_GT(thompson_action_loss(1), 1);
  EXPECT_NEAR(thompson_action_loss(1000000), 13.8155, 1e-4);
  EXPECT_THROW(thompson_action_loss(-1), InvalidParameter);
}

}  // namespace
}  // namespace tacit::theory
