#include "tacit/indices/noise_tail.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tacit/curators/hybrid_sum.hpp"
#include "tacit/curators/refined_tree_sum.hpp"
#include "tacit/curators/tree_sum.hpp"
#include "tacit/indices/fixed_ucb.hpp"
#include "tacit/indices/laplace_sum.hpp"
#include "tacit/privacy/gaussian.hpp"
#include "tacit/privacy/signed_tree.hpp"
#include "tacit/privacy/toeplitz.hpp"

namespace tacit::indices {
namespace {

TEST(ChernoffLaplace, IsAboveTheExactQuantileAndClose) {
  for (const int terms : {1, 2, 5, 20, 60}) {
    for (const double level : {1.0, 5.0, 14.0, 40.0}) {
      const double exact = LaplaceSum(terms).upper_quantile(level);
      EXPECT_GT(chernoff_laplace(terms, level), exact);
      EXPECT_LT(chernoff_laplace(terms, level), exact + 2 * std::sqrt(terms) + 3);
    }
  }
  EXPECT_EQ(chernoff_laplace(3, 0), 0);
}

TEST(ChernoffLaplace, IsTheMinimumOverLambda) {
  for (const double r : {0.3, 2.5, 17.0}) {
    const double found = chernoff_laplace(r, 6);
    double least = 1e300;
    for (int i = 1; i < 100000; ++i) {
      const double lambda = i * 1e-5;
      least = std::min(least, (6 - r * std::log1p(-lambda * lambda)) / lambda);
    }
    EXPECT_NEAR(found, least, 1e-6 * least);
  }
}

using privacy::CounterNoise;
using privacy::SimulatedNoise;

privacy::Secret<Sum> a_half() { return privacy::Secret<Sum>(Sum(Outcome::nearest(0.5))); }

/// What is published of the first n of these counters, all halves.
estimators::Running after(Round n, const CounterNoise& shape, double scale,
                          const SimulatedNoise& noise) {
  const accounting::Releases<SimulatedNoise> releases(noise);
  estimators::Running estimate{{.n = static_cast<double>(n)}};
  const auto count = [&](auto add) {
    for (Round i = 1; i <= n; ++i) add();
  };
  switch (shape.kind()) {
    case privacy::Counter::kTree: {
      curators::TreeSum<SimulatedNoise> sum(shape.horizon(), shape.arity(), scale, 0, noise);
      count([&] {
        const curators::Release release = sum.add(a_half(), releases);
        estimate.sum = release.value.value();
        estimate.noises = release.noises;
      });
      break;
    }
    case privacy::Counter::kSigned: {
      privacy::SignedTreeSum<SimulatedNoise> sum(shape, scale, 0, noise);
      count([&] { estimate.sum = sum.add(a_half(), releases).value(); });
      estimate.noises = sum.terms();
      break;
    }
    case privacy::Counter::kRefined: {
      curators::RefinedTreeSum<SimulatedNoise> sum(shape, scale, 0, noise);
      count([&] {
        const curators::Release release = sum.add(a_half(), releases);
        estimate.sum = release.value.value();
        estimate.noises = release.noises;
      });
      break;
    }
    case privacy::Counter::kHybrid: {
      curators::HybridSum<SimulatedNoise> sum(scale / shape.term_scale(), 0);
      count([&] {
        const curators::Release release = sum.add(a_half(), releases);
        estimate.sum = release.value.value();
        estimate.noises = release.noises;
      });
      break;
    }
    case privacy::Counter::kToeplitz: {
      privacy::ToeplitzSum sum(scale, 0);
      count([&] { estimate.sum = sum.add(a_half(), noise).value(); });
      estimate.noises = 1;
      break;
    }
  }
  return estimate;
}

/// How often an index with this counter is below the mean, at a level that makes it visible.
double failures(privacy::Counter kind, Round n) {
  constexpr double kLevel = 3;
  constexpr int kRuns = 4000;
  constexpr double kEpsilon = 0.2;
  const CounterNoise shape(kind, 64, kind == privacy::Counter::kSigned ? 3 : 2);
  const double scale = shape.is_gaussian()
                           ? privacy::gaussian_sigma(kEpsilon, 1e-3, shape.term_scale())
                           : shape.term_scale() / kEpsilon;
  const NoiseTailUcb index(shape, scale, kLevel);
  int failed = 0;
  for (int run = 0; run < kRuns; ++run) {
    const SimulatedNoise noise(
        random::SimulationKey(1, "tail", "test", static_cast<std::uint64_t>(run)));
    estimators::Running estimate = after(n, shape, scale, noise);
    // Outcomes have no variance here: without that term, the noise alone has e^-3 to fail.
    estimate.sum -= std::sqrt(0.5 * kLevel / estimate.n) * estimate.n;
    failed += index.value(index.prepare(estimate), Clock::at(1)) < 0.5 ? 1 : 0;
  }
  return static_cast<double>(failed) / kRuns;
}

TEST(NoiseTailUcb, FailsNoMoreOftenThanItMayWithAnyCounter) {
  const double allowed = std::exp(-3);
  for (const Round n : {5, 21, 63}) {
    SCOPED_TRACE(n);
    EXPECT_NEAR(failures(privacy::Counter::kTree, n), allowed, 0.02) << "exactly as often";
    EXPECT_NEAR(failures(privacy::Counter::kSigned, n), allowed, 0.02) << "exactly as often";
    EXPECT_NEAR(failures(privacy::Counter::kHybrid, n), allowed, 0.02) << "exactly as often";
    EXPECT_LT(failures(privacy::Counter::kRefined, n), allowed);
    EXPECT_LT(failures(privacy::Counter::kToeplitz, n), allowed);
    EXPECT_GT(failures(privacy::Counter::kRefined, n), allowed / 20);
    EXPECT_GT(failures(privacy::Counter::kToeplitz, n), allowed / 20);
  }
}

}  // namespace
}  // namespace tacit::indices
