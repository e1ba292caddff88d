#include "tacit/theory/cascade_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/theory/hybrid_noise.hpp"

namespace tacit::theory {
namespace {

/// What Lemma 4 speaks of, by going through all outcomes: the regret of a list, and sum of Delta P(G).
PairedRegret by_enumeration(const std::vector<double>& w, const std::vector<Arm>& list) {
  const auto items = w.size();
  std::vector<Arm> best(items);
  for (std::size_t i = 0; i < items; ++i) best[i] = static_cast<Arm>(i);
  std::stable_sort(best.begin(), best.end(), [&](Arm a, Arm b) {
    return w[static_cast<std::size_t>(a)] > w[static_cast<std::size_t>(b)];
  });
  best.resize(list.size());
  const auto in = [](const std::vector<Arm>& all, Arm item) {
    return std::find(all.begin(), all.end(), item) != all.end();
  };
  PairedRegret found;
  for (unsigned outcome = 0; outcome < 1U << items; ++outcome) {
    double chance = 1;
    for (std::size_t i = 0; i < items; ++i) chance *= (outcome >> i & 1U) != 0 ? w[i] : 1 - w[i];
    const auto attracts = [&](Arm item) {
      return (outcome >> static_cast<unsigned>(item) & 1U) != 0;
    };
    const bool clicked = std::any_of(list.begin(), list.end(), attracts);
    const bool could = std::any_of(best.begin(), best.end(), attracts);
    found.regret += chance * (static_cast<double>(could) - static_cast<double>(clicked));
    std::size_t next = 0;
    for (const Arm item : list) {
      if (!in(best, item)) {
        while (in(list, best[next])) ++next;
        found.pairs +=
            chance * (w[static_cast<std::size_t>(best[next])] - w[static_cast<std::size_t>(item)]);
        ++next;
      }
      if (attracts(item)) break;
    }
  }
  return found;
}

TEST(PairedRegret, OfEveryListOfSmallCascades) {
  for (const std::vector<double>& w : {std::vector<double>{0.9, 0.5, 0.2, 0.1},
                                       {0.3, 0.3, 0.3, 0.3},
                                       {0.1, 0.6, 0.2, 0.7, 0.4},
                                       {1.0, 0.5, 0.0, 0.3}}) {
    const auto items = static_cast<Arm>(w.size());
    for (Arm a = 0; a < items; ++a) {
      for (Arm b = 0; b < items; ++b) {
        for (Arm c = 0; c < items; ++c) {
          if (a == b || b == c || a == c) continue;
          for (const std::vector<Arm>& list : {std::vector<Arm>{a, b, c}, {a, b}, {a}}) {
            const PairedRegret found = paired_regret(w, list);
            const PairedRegret plain = by_enumeration(w, list);
            EXPECT_NEAR(found.regret, plain.regret, 1e-12);
            EXPECT_NEAR(found.pairs, plain.pairs, 1e-12);
            // The lemma.
            EXPECT_LE(found.regret, found.pairs + 1e-12);
            EXPECT_GE(found.regret, found.alpha * found.pairs - 1e-12);
          }
        }
      }
    }
  }
  // Both ends are met: a single item, and the worst item before the best ones.
  EXPECT_NEAR(paired_regret(std::array{0.9, 0.5}, std::array<Arm, 1>{1}).regret, 0.4, 1e-12);
  const PairedRegret last = paired_regret(std::array{0.5, 0.5, 0.25}, std::array<Arm, 2>{2, 0});
  EXPECT_NEAR(last.regret, last.alpha * last.pairs, 1e-12);
  for (const std::vector<Arm>& bad : {std::vector<Arm>{}, {0, 1, 2}, {0, 0}, {2}, {-1}}) {
    EXPECT_THROW(paired_regret(std::array{0.5, 0.5}, bad), InvalidParameter);
  }
}

TEST(CascadeKl, AddsUpPairs) {
  // One item of 0.25 behind 0.75 and 0.5.
  const double first = 1 / indices::kl(0.25, 0.75);
  const double second = 1 / indices::kl(0.25, 0.5);
  EXPECT_NEAR(cascade_kl_upper(std::array{0.75, 0.25, 0.5}, 2, 1000),
              (0.5 * first + 0.25 * (second - first)) * std::log(1000.0), 1e-9);
  EXPECT_EQ(cascade_kl_upper(std::array{0.5, 0.5, 0.5}, 2, 1000), 0);
}

TEST(HybridNoise, DensitiesAtZeroByHand) {
  EXPECT_NEAR(hybrid_density_at_0(1), 1.0 / 4, 1e-12) << "one Laplace(2)";
  EXPECT_NEAR(hybrid_density_at_0(2), 1.0 / 8, 1e-12) << "two of them: half";
  EXPECT_NEAR(hybrid_density_at_0(3), 3.0 / 32, 1e-12) << "three: 3/8 of one";
  // n = 6 = 4 + 2: three Laplace(2) and one Laplace(4), by adding up the integral itself.
  double sum = 0;
  const double step = 1e-4;
  for (double u = step / 2; u < 50; u += step) {
    sum += step * std::pow(1 + 4 * u * u, -3) / (1 + 16 * u * u);
  }
  EXPECT_NEAR(hybrid_density_at_0(6), sum / std::numbers::pi, 1e-8);
}

TEST(HybridNoise, TheConstantOfLemma1) {
  EXPECT_TRUE(std::isinf(hybrid_constant(1)));
  const double all = hybrid_constant_from(2);
  EXPECT_NEAR(all, 4 / std::pow(std::log(2.0), 1.5), 1e-9) << "needed at n = 2";
  EXPECT_NEAR(all, 6.93, 5e-3);
  for (Round n = 2; n < 3000; ++n) {
    EXPECT_LE(hybrid_constant(n), all + 1e-12) << n;
  }
  EXPECT_GT(hybrid_constant(7), 3.8) << "1, which the recipe has, is too small";
  EXPECT_LT(hybrid_constant(128), 1) << "but where few terms are added up";
  const double played = hybrid_constant_from(1, 1);
  EXPECT_NEAR(played, 5.94, 5e-3);
  EXPECT_THROW(hybrid_constant_from(3), InvalidParameter);
}

/// Two Laplace(2) terms: P(|noise| > x) = e^(-x/2) (1 + x/4).
TEST(HybridNoise, TheLemmaHoldsWithItAndFailsBelow) {
  const double spread = std::pow(std::log(2.0), 1.5);
  for (const double log_inverse : {1e-4, 0.01, 0.5, 1.0, 5.0, 30.0}) {
    const double x = hybrid_constant(2) * spread * log_inverse;
    EXPECT_LE(std::exp(-x / 2) * (1 + x / 4), std::exp(-log_inverse) * (1 + 1e-12));
  }
  const double x = 0.99 * hybrid_constant(2) * spread * 1e-3;
  EXPECT_GT(std::exp(-x / 2) * (1 + x / 4), std::exp(-1e-3));
}

}  // namespace
}  // namespace tacit::theory
