// Where exact noise lives: on the multiples of 2^-bits, with a scale of a whole number of steps.
//
// A sum is cut down to the grid and integer noise is added; both are integers, so the probability of
// every released value is a ratio of two numbers that differ by the loss at most, and there are no
// gaps as between doubles (Mironov 2012). Two sums that are at most 1 apart are at most 2^bits steps
// apart after cutting. Rounding the scale up costs a millionth of accuracy and no privacy.
// What is released is turned into a double last, when it is public.
//
// The time that noise takes is random and tells something of the noise's size, nothing of the sum:
// noise is drawn first, and the secret is opened for one addition. Responses of one bit or one of K + 1
// answers take the same number of words whatever they say. Who can time single releases can be denied
// it by noise that is drawn in advance (noise_reserve.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"

namespace tacit::privacy {

struct Grid {
  int bits = 0;
  std::uint64_t scale = 0;  // of the noise, in steps

  /// With 2^20 to 2^21 steps for a scale up to 2^20, beyond that steps of 1; a scale of at most 2^40.
  static Grid for_scale(double scale) {
    constexpr int kFineness = 21;
    constexpr int kMostBits = 50;
    check::within("exact noise", "scale", scale, 0, 0x1p40);
    int exponent = 0;
    std::frexp(scale, &exponent);
    const int bits = std::clamp(kFineness - exponent, 0, kMostBits);
    return {bits, static_cast<std::uint64_t>(std::ceil(std::ldexp(scale, bits)))};
  }

  double step() const { return std::ldexp(1.0, -bits); }
  /// The scale that the noise really has.
  double actual_scale() const { return std::ldexp(static_cast<double>(scale), -bits); }
  /// As many steps as fit, plus noise: added as integers, then turned into a double.
  double noisy(const Sum& sum, std::int64_t noise) const {
    return std::ldexp(static_cast<double>(sum.steps(bits) + noise), -bits);
  }
  double noisy(const Outcome& outcome, std::int64_t noise) const {
    return noisy(Sum(outcome), noise);
  }
};

}  // namespace tacit::privacy
