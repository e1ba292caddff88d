#include "tacit/theory/identification.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tacit/indices/kl.hpp"

namespace tacit::theory {
namespace {

using privacy::Notion;

TEST(FewestSamples, AreThoseOfTheLiteratureForTwoArms) {
  // Two arms: 1/T* is the largest over w of the divergence to the mean between; by a plain search over w and q.
  for (const auto& [a, b] : {std::pair{0.7, 0.5}, {0.95, 0.9}, {0.1, 0.02}}) {
    double rate = 0;
    for (int i = 1; i < 400; ++i) {
      const double w = i / 400.0;
      const double q = w * a + (1 - w) * b;
      rate = std::max(rate, w * indices::kl(a, q) + (1 - w) * indices::kl(b, q));
    }
    EXPECT_NEAR(characteristic_time({a, b}, Notion::kNone, {}) * rate, 1, 1e-3);
  }
}

/// Jourdan & Azize's bound on three instances at delta 0.01, computed by another program.
TEST(FewestSamples, UnderCentralPrivacy) {
  const std::vector<std::vector<double>> instances = {
      {0.75, 0.7, 0.7, 0.7, 0.7}, {0.95, 0.9, 0.9, 0.9, 0.5}, {0.75, 0.625, 0.5, 0.375, 0.25}};
  const std::vector<std::vector<double>> known = {
      {7.3e3, 6.4e3, 6.4e3}, {4.2e3, 1.8e3, 1.9e3}, {1.28e3, 0.56e3, 0.55e3}};
  const double epsilons[] = {0.1, 1, 10};
  for (std::size_t i = 0; i < instances.size(); ++i) {
    for (std::size_t e = 0; e < 3; ++e) {
      EXPECT_NEAR(fewest_samples(instances[i], Notion::kCentral, epsilons[e], 0.01) / known[i][e],
                  1,
                  0.07)  // they are known to two digits
          << i << " " << epsilons[e];
    }
  }
}

TEST(FewestSamples, FallWithEpsilonToThoseWithoutPrivacy) {
  const std::vector<double> means = {0.6, 0.5, 0.45};
  double last = INFINITY;
  for (const double epsilon : {0.01, 0.1, 1.0, 10.0, 100.0}) {
    const double now = fewest_samples(means, Notion::kCentral, epsilon, 0.05);
    EXPECT_LE(now, last * (1 + 1e-6));
    EXPECT_LE(now, fewest_samples(means, Notion::kLocal, epsilon, 0.05) * (1 + 1e-6));
    last = now;
  }
  EXPECT_NEAR(last / fewest_samples(means, Notion::kNone, {}, 0.05), 1, 1e-6);
}

TEST(FewestSamples, AreFiniteAtTheEndsWhateverEpsilonIs) {
  // An arm that never pays is told by its first outcome of 1, whatever privacy costs: about 1/ln 2 for 1 against 0.
  EXPECT_NEAR(characteristic_time({1, 0}, Notion::kNone, {}), 1 / std::log(2), 1e-3);
  for (const double epsilon : {50.0, 100.0, 1e4, 1e6}) {
    EXPECT_NEAR(characteristic_time({1, 0}, Notion::kCentral, epsilon), 1 / std::log(2), 1e-3);
    EXPECT_NEAR(characteristic_time({0.9, 0, 0}, Notion::kCentral, epsilon) /
                    characteristic_time({0.9, 0, 0}, Notion::kNone, {}),
                1, 1e-3);
  }
  for (const double epsilon : {1e-6, 0.01, 1.0}) {
    const double time = characteristic_time({1, 0}, Notion::kCentral, epsilon);
    EXPECT_TRUE(time > 1 && std::isfinite(time)) << epsilon;
  }
  EXPECT_TRUE(std::isfinite(fewest_samples({0.6, 0.5}, Notion::kCentral, 1, 1e-300)));
}

TEST(FewestSamples, OfEqualArmsAreInfinite) {
  EXPECT_TRUE(std::isinf(fewest_samples({0.5, 0.5}, Notion::kCentral, 1, 0.05)));
  EXPECT_EQ(fewest_samples({0.6, 0.5}, Notion::kCentral, 1, 0.6), 0);
}

}  // namespace
}  // namespace tacit::theory
