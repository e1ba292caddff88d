// Running sums whose noise lives in privacy/: by signed digits, and by Toeplitz matrices.
#include "tacit/privacy/signed_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tacit/privacy/noise_source.hpp"
#include "tacit/privacy/toeplitz.hpp"

namespace tacit::privacy {
namespace {

const SimulatedNoise kNoise(random::SimulationKey(1, "running", "sums", 0));
Secret<Sum> ones(Round n) { return Secret<Sum>(Sum::of_ones(n)); }

TEST(SignedTreeSum, MovesByAnOutcomeFromThereOnAndByNothingElse) {
  // The same noise with and without one outcome.
  const CounterNoise shape(Counter::kSigned, 300, 5);
  const Releases<SimulatedNoise> releases(kNoise);
  for (const Round place : {1, 2, 3, 13, 62, 63, 300}) {
    SignedTreeSum<SimulatedNoise> with(shape, 2, 0, kNoise);
    SignedTreeSum<SimulatedNoise> without(shape, 2, 0, kNoise);
    for (Round n = 1; n <= 300; ++n) {
      const double moved = with.add(ones(n == place ? 1 : 0), releases).value() -
                           without.add(ones(0), releases).value();
      ASSERT_NEAR(moved, n >= place ? 1 : 0, 1e-9) << n;
      ASSERT_EQ(with.terms(), signed_terms(n, 5));
    }
  }
}

TEST(SignedTreeSum, DrawsEveryBlockOnce) {
  // An observation is in one block a level, whatever was drawn ahead.
  Ledger ledger;
  const CounterNoise shape(Counter::kSigned, 1000, 3);
  const Releases<SimulatedNoise> releases(kNoise, &ledger);
  SignedTreeSum<SimulatedNoise> sum(shape, 1, 0, kNoise);
  for (Round n = 1; n <= 1000; ++n) sum.add(ones(1), releases);
  EXPECT_LE(ledger.worst_epsilon(), shape.levels() + 1e-9);
  for (std::size_t i = 0; i < ledger.entries().size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      ASSERT_FALSE(ledger.entries()[i].first == ledger.entries()[j].first &&
                   ledger.entries()[i].last == ledger.entries()[j].last);
    }
  }
}

TEST(ToeplitzSum, MovesByAnOutcomeFromThereOnAndByNothingElse) {
  for (const Round place : {1, 2, 64, 65, 200}) {
    ToeplitzSum with(2, 0);
    ToeplitzSum without(2, 0);
    for (Round n = 1; n <= 200; ++n) {
      const double moved =
          with.add(ones(n == place ? 1 : 0), kNoise).value() - without.add(ones(0), kNoise).value();
      ASSERT_NEAR(moved, n >= place ? 1 : 0, 1e-9) << n;
    }
  }
}

}  // namespace
}  // namespace tacit::privacy
