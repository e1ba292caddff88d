// Running sums whose noise lives in privacy/: by signed digits, and by Toeplitz matrices.
#include "tacit/privacy/signed_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tacit/privacy/noise_source.hpp"
#include "tacit/privacy/toeplitz.hpp"

namespace tacit::privacy {
namespace {

const SimulatedNoise kNoise(random::SimulationKey(1, "running", "sums", 0));
Secret<Sum> ones(Round n) { return Secret<Sum>(Sum::of_ones(n)); }

/// Gives the noise and writes down which block it is for: first and last observation.
struct Blocks {
  std::vector<std::pair<Round, Round>>& drawn;

  const SimulatedNoise& noise() const { return kNoise; }
  template <class Mechanism>
  void note(const Mechanism&, Arm, Round first, Round last) const {
    drawn.emplace_back(first, last);
  }
};

TEST(SignedTreeSum, MovesByAnOutcomeFromThereOnAndByNothingElse) {
  // The same noise with and without one outcome.
  const CounterNoise shape(Counter::kSigned, 300, 5);
  std::vector<std::pair<Round, Round>> drawn;
  const Blocks releases{drawn};
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
  const CounterNoise shape(Counter::kSigned, 1000, 3);
  std::vector<std::pair<Round, Round>> drawn;
  SignedTreeSum<SimulatedNoise> sum(shape, 1, 0, kNoise);
  for (Round n = 1; n <= 1000; ++n) sum.add(ones(1), Blocks{drawn});
  for (Round n = 1; n <= 1000; ++n) {
    const auto holds = [&](const auto& block) { return block.first <= n && n <= block.second; };
    ASSERT_LE(std::count_if(drawn.begin(), drawn.end(), holds), shape.levels()) << n;
  }
  std::sort(drawn.begin(), drawn.end());
  EXPECT_EQ(std::adjacent_find(drawn.begin(), drawn.end()), drawn.end());
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
