// Discrete Laplace noise for production: integers only, from libsodium (Canonne, Kamath & Steinke
// 2020, Algs. 1 and 2). P(noise = x) is proportional to exp(-|x| epsilon) exactly, with epsilon the
// rational epsilon_numerator/epsilon_denominator; no floating point touches it (Mironov 2012 shows
// what goes wrong otherwise).
//
// Lemma: an integer of sensitivity D costs D epsilon. The floor of an exact Sum is one of
// sensitivity 1: two sums at most 1 apart have floors at most 1 apart.
#pragma once

#include <cstdint>

#include "tacit/core/sum.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/secure.hpp"

namespace tacit::privacy {

class DiscreteLaplace {
 public:
  /// Both in 1..2^31, so that products stay within 64 bits.
  DiscreteLaplace(std::int64_t epsilon_numerator, std::int64_t epsilon_denominator);

  Loss loss(const Sensitivity& sensitivity) const;
  Released<std::int64_t> release(const Secret<Sum>& sum, random::SecureSource& source) const;
  /// The noise alone, for tests and audits of its law.
  std::int64_t sample(random::SecureSource& source) const;

 private:
  std::uint64_t numerator_;
  std::uint64_t denominator_;
};

}  // namespace tacit::privacy
