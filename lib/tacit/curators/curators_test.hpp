// What the tests of curators share: secrets to add, simulated noise, and saving as production saves.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "tacit/accounting/releases.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/noise_source.hpp"
#include "tacit/privacy/sealing.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::curators {

using Simulated = privacy::SimulatedNoise;

inline random::SimulationKey key(std::uint64_t run = 0) { return {1, "curators", "test", run}; }
inline accounting::Releases<Simulated> simulated(std::uint64_t run = 0,
                                                 accounting::Ledger* ledger = nullptr) {
  return {Simulated(key(run)), ledger};
}

inline privacy::Secret<Sum> ones(Round n) { return privacy::Secret<Sum>(Sum::of_ones(n)); }
inline privacy::Secret<Sum> once(double x) {
  return privacy::Secret<Sum>(Sum(Outcome::nearest(x)));
}

/// Noise so small that a released sum shows which outcomes are in it.
inline constexpr double kTiny = 1e-9;

/// An arm's slots come out in order, none twice; what is refused is not lost.
template <class Curator>
void expect_each_slot_once_and_in_turn(Curator& sums) {
  sums.add({0, 0}, once(0.25));
  sums.add({0, 1}, once(0.5));
  EXPECT_THROW(sums.release({0, 1}, 1), InvalidParameter);
  sums.release({0, 0}, 1);
  EXPECT_THROW(sums.release({0, 0}, 1), InvalidParameter);
  EXPECT_NO_THROW(sums.release({0, 1}, 1)) << "what was refused is still there";
}

/// Seals a curator and opens it in another.
template <class Curator>
void load(Curator& into, const Curator& saved) {
  privacy::SealingWriter writer;
  writer(saved);
  const privacy::SealingKey key = privacy::SealingKey::fresh();
  privacy::SealingReader reader(writer.seal(key, "a test"), key, "a test");
  reader(into);
}

}  // namespace tacit::curators
