// Distributions for simulations, in idealised doubles. Boost.Random's where they are fast enough;
// Gamma and Beta are written out because posterior sampling lives on them and Boost's Gamma (a
// rejection with tan and exp) costs three times as much as Marsaglia and Tsang's (2000).
// What is more than a line is compiled once for each generator, in distributions.cpp.
#pragma once

#include <cmath>
#include <cstdint>

#include "tacit/core/round.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::random {

/// Uniform on the 2^53 midpoints (k + 1/2) 2^-53 of (0, 1): never 0, never 1.
template <class G>
double uniform_open(G& generator) {
  return (static_cast<double>(generator() >> 11) + 0.5) * 0x1p-53;
}

/// True with probability p, to 2^-64 (p = 0 and p = 1 exactly). One draw whatever p is: a stream that
/// stood still would tell that p was 1.
template <class G>
bool bernoulli(G& generator, double p) {
  const std::uint64_t word = generator();
  return p >= 1 || word < static_cast<std::uint64_t>(std::ldexp(p, 64));
}

template <class G>
double exponential(G& generator, double mean) {
  return -mean * std::log(uniform_open(generator));
}

/// Laplace of the given scale: an exponential with a random sign. The sign is the lowest bit, which
/// uniform_open does not use; a branch on it would be guessed wrong every other time.
template <class G>
double laplace(G& generator, double scale) {
  constexpr double kSigns[2] = {1, -1};
  const std::uint64_t word = generator();
  const double u = (static_cast<double>(word >> 11) + 0.5) * 0x1p-53;
  return kSigns[word & 1U] * scale * std::log(u);
}

template <class G>
double gumbel(G& generator, double scale) {
  return -scale * std::log(-std::log(uniform_open(generator)));
}

template <SimulatedRandomness G>
double standard_normal(G& generator);

/// Gamma(shape, 1) for shape >= 1, by Marsaglia & Tsang (2000), with the constants of the shape
/// kept.
class GammaAtLeastOne {
 public:
  explicit GammaAtLeastOne(double shape) noexcept
      : d_(shape - 1.0 / 3.0), c_(1.0 / std::sqrt(9.0 * d_)) {}

  template <SimulatedRandomness G>
  double operator()(G& generator) const noexcept;

 private:
  double d_;
  double c_;
};

/// Beta(a, b) for any a, b > 0: Gamma(a) = Gamma(a + 1) U^(1/a).
template <SimulatedRandomness G>
double beta(G& generator, double a, double b);

/// The number of successes in `trials` coins, with 64-bit counts (an int wraps at 2^31).
template <SimulatedRandomness G>
Round binomial(G& generator, Round trials, double p);

/// Uniform on 0..count-1, by Lemire's multiplication (bias below count/2^64).
template <class G>
int uniform_index(G& generator, int count) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<int>((static_cast<Wide>(generator()) * static_cast<unsigned>(count)) >> 64);
}

}  // namespace tacit::random
