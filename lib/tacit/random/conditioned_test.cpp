#include "tacit/random/conditioned.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/beta.hpp>

#include "statistics/goodness_of_fit.hpp"

namespace tacit::random {
namespace {

constexpr std::size_t kDraws = 100000;
constexpr double kAlpha = testing::kFamilyError / 100;

template <class Draw>
std::vector<double> sample(std::uint64_t seed, Draw draw, std::size_t draws = kDraws) {
  auto generator = SimulationKey(seed, "conditioned", "test", 0).stream(Purpose::kDecisions);
  std::vector<double> values(draws);
  for (double& value : values) value = draw(generator);
  return values;
}

TEST(Conditioned, NormalsHaveTheirLawAboveEveryThreshold) {
  for (const double z : {-3.0, -0.4, 0.0, 0.01, 0.7, 2.0, 6.0, 30.0}) {
    const boost::math::normal law;
    const auto tail = [&](double x) { return boost::math::cdf(boost::math::complement(law, x)); };
    EXPECT_LT(testing::ks_distance(sample(1, [z](auto& g) { return normal_above(g, z); }),
                                   [&](double x) { return x < z ? -1 : 1 - tail(x) / tail(z); }),
              testing::ks_critical(kDraws, kAlpha))
        << z;
  }
}

TEST(Conditioned, BetasHaveTheirLawAboveEveryThreshold) {
  struct Case {
    double a, b, y;
  };
  // Left and right of the mode and at it, at both ends, flat and steep, tails of 1e-30, noisy sums.
  for (const Case c :
       {Case{0, 0, 0.3}, Case{0, 0, 0.999999}, Case{0, 30, 0.2}, Case{30, 0, 0.9},
        Case{30, 0, 0.99999}, Case{2000, 0, 0.9999}, Case{2000, 0, 0.5}, Case{10, 1, 0.95},
        Case{10, 1, 0.8}, Case{9, 3, 0.75}, Case{9, 3, 0.76}, Case{9, 3, 0.9}, Case{9, 3, 0.99999},
        Case{80, 20, 0.7}, Case{80, 20, 0.805}, Case{80, 20, 0.9}, Case{800, 200, 0.99},
        Case{0.4, 7.3, 0.4}, Case{7.3, 0.4, 0.9}, Case{7.3, 1e-9, 0.999}, Case{5e5, 4e5, 0.556},
        Case{5e5, 4e5, 0.5555},
        // Modes that a double does not tell from 1 or from 0.
        Case{200, 3e-17, 0.5}, Case{200, 3e-17, 0.99}, Case{200, 3e-17, 0.999},
        Case{200, 3e-17, 0.9999999}, Case{3e-17, 200, 0.003}, Case{1e-17, 3e-17, 0.4}}) {
    const double all = boost::math::ibetac(1 + c.a, 1 + c.b, c.y);
    EXPECT_LT(testing::ks_distance(
                  sample(2, [&c](auto& g) { return beta_above(g, c.a, c.b, c.y); }),
                  [&](double x) {
                    return x < c.y ? -1 : 1 - boost::math::ibetac(1 + c.a, 1 + c.b, x) / all;
                  }),
              testing::ks_critical(kDraws, kAlpha))
        << c.a << " " << c.b << " " << c.y;
  }
}

TEST(Conditioned, AThresholdThatIsABitOffWouldShow) {
  const double all = boost::math::ibetac(10.0, 4.0, 0.9);
  EXPECT_GT(
      testing::ks_distance(sample(3, [](auto& g) { return beta_above(g, 9, 3, 0.901); }),
                           [&](double x) { return 1 - boost::math::ibetac(10.0, 4.0, x) / all; }),
      testing::ks_critical(kDraws, kAlpha));
}

TEST(Conditioned, NoThresholdIsNoCondition) {
  EXPECT_LT(testing::ks_distance(sample(4, [](auto& g) { return beta_above(g, 3, 1, 0); }),
                                 [](double x) { return boost::math::ibeta(4.0, 2.0, x); }),
            testing::ks_critical(kDraws, kAlpha));
}

TEST(Conditioned, NormalsEndWhateverTheThreshold) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double z : {-kInfinity, -1e300, -0.0, 5e-324, 1e-17, 1e8, 1e17, 1e154, 1e160, 1e300,
                         std::numeric_limits<double>::max(), kInfinity}) {
    const std::vector<double> few = sample(
        5, [z](auto& g) { return normal_above(g, z); }, 100);
    EXPECT_GE(*std::min_element(few.begin(), few.end()), z) << z;
  }
  EXPECT_TRUE(std::isnan(sample(
      5, [](auto& g) { return normal_above(g, NAN); }, 1)[0]));
}

TEST(Conditioned, BetasEndWhateverTheirExponentsAndTheInterval) {
  constexpr double kNearOne = 1 - 0x1p-53;
  for (const double a : {0.0, 5e-324, 1e-300, 1e-20, 3e-17, 1e-9, 0.4, 1.0, 200.0, 1e9, 0x1p53}) {
    for (const double b : {0.0, 5e-324, 1e-300, 1e-20, 3e-17, 1e-9, 0.4, 1.0, 200.0, 1e9, 0x1p53}) {
      const std::vector<double> ends = {0,   5e-324, 1e-300, 1e-17,     1e-9,     0.004,
                                        0.3, 0.5,    0.999,  1 - 1e-12, kNearOne, 1};
      for (const double low : ends) {
        for (const double high : ends) {
          if (high < low) continue;
          const auto draw = [&](auto& g) { return beta_between(g, a, b, low, high); };
          for (const double x : sample(6, draw, 20)) {
            EXPECT_TRUE(x >= low && x <= high) << a << " " << b << " " << low << " " << high;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tacit::random
