// Exact integer samplers: every probability is what it is said to be, to the last bit, and no floating
// point is on the way (Canonne, Kamath & Steinke 2020, Algs. 1-3). Floating-point noise leaks through
// the values that it can and cannot take (Mironov 2012); integers have no such gaps.
//
// They take words from a simulation's generator or from a SecureSource: the algorithm is the same,
// so what is tested with one holds for the other.
//
// Time: rejection takes a random time that depends on the noise (larger noise takes longer), never on
// the data that the noise is added to, which no sampler sees. Privacy/*.hpp say what is done about it.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

#include "tacit/random/secure.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::random::exact {

__extension__ using Wide = unsigned __int128;

template <SimulatedRandomness G>
std::uint64_t word(G& generator) {
  return generator();
}
inline std::uint64_t word(SecureSource& source) { return source.word(); }

template <class G>
bool coin(G& generator) {
  return (word(generator) & 1U) != 0;
}

/// Uniform on 0..bound-1, bound >= 1, by Lemire's multiplication (2019) with its exact rejection.
template <class G>
std::uint64_t below(G& generator, std::uint64_t bound) {
  Wide product = static_cast<Wide>(word(generator)) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t rejected = (0 - bound) % bound;  // 2^64 mod bound
    while (static_cast<std::uint64_t>(product) < rejected) {
      product = static_cast<Wide>(word(generator)) * bound;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

/// The same for bounds beyond 64 bits: words are cut to the bound's length and tried until one fits.
template <class G>
Wide below(G& generator, Wide bound) {
  const auto high = static_cast<std::uint64_t>((bound - 1) >> 64);
  if (high == 0) {
    const auto low = static_cast<std::uint64_t>(bound - 1);
    return low == ~std::uint64_t{0} ? word(generator) : below(generator, low + 1);
  }
  const int spare = std::countl_zero(high);
  for (;;) {
    Wide drawn = static_cast<Wide>(word(generator) >> spare) << 64;
    drawn |= word(generator);
    if (drawn < bound) return drawn;
  }
}

/// True with probability exp(-a/b), 0 <= a <= b: coins of chance a/b, a/(2b), a/(3b), ... are thrown
/// until one fails; that it is the first, third, fifth, ... has this probability (von Neumann).
/// b times a hundred must fit the type: more than a hundred coins succeed with chance below 1/100!.
template <class G, class Integer>
bool bernoulli_exp(G& generator, Integer a, Integer b) {
  Integer throws = 1;
  while (below(generator, static_cast<Integer>(b * throws)) < a) ++throws;
  return (throws & 1U) != 0;
}

/// True with probability 1/e: the same, whose first coin always succeeds.
template <class G>
bool bernoulli_one_in_e(G& generator) {
  std::uint64_t throws = 2;
  while (below(generator, throws) == 0) ++throws;
  return (throws & 1U) != 0;
}

/// k with probability proportional to exp(-k/scale), k = 0, 1, 2, ...; scale in 1..2^40.
template <class G>
std::int64_t geometric(G& generator, std::uint64_t scale) {
  std::uint64_t rest = 0;
  do {
    rest = below(generator, scale);
  } while (!bernoulli_exp(generator, rest, scale));
  std::uint64_t whole = 0;
  while (bernoulli_one_in_e(generator)) ++whole;
  return static_cast<std::int64_t>(rest + scale * whole);
}

/// x with probability proportional to exp(-|x|/scale), x an integer; scale in 1..2^40.
template <class G>
std::int64_t discrete_laplace(G& generator, std::uint64_t scale) {
  for (;;) {
    const std::int64_t magnitude = geometric(generator, scale);
    const bool negative = coin(generator);
    if (negative && magnitude == 0) continue;  // zero would count twice
    return negative ? -magnitude : magnitude;
  }
}

/// The integer part of the square root.
constexpr std::uint64_t integer_root(std::uint64_t x) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
    if ((root + bit) * (root + bit) <= x) root += bit;
  }
  return root;
}

/// x with probability proportional to exp(-x^2/(2 variance)), x an integer; variance in 1..2^50: a
/// discrete Laplace of scale t = floor(sigma) + 1 is kept with probability
/// exp(-(|x| - variance/t)^2/(2 variance)), written with integers.
template <class G>
std::int64_t discrete_gaussian(G& generator, std::uint64_t variance) {
  const std::uint64_t t = integer_root(variance) + 1;
  const Wide unit = 2 * static_cast<Wide>(variance) * t * t;
  for (;;) {
    const std::int64_t x = discrete_laplace(generator, t);
    const Wide scaled = static_cast<Wide>(x < 0 ? -x : x) * t;
    const Wide off = scaled < variance ? variance - scaled : scaled - variance;
    const Wide cost = off * off;  // exp(-cost/unit)
    bool kept = true;
    for (Wide whole = cost / unit; kept && whole > 0; --whole) kept = bernoulli_one_in_e(generator);
    if (kept && bernoulli_exp(generator, cost % unit, unit)) return x;
  }
}

// Compiled once, in exact.cpp.
extern template std::int64_t discrete_laplace(KeyedDraw&, std::uint64_t);
extern template std::int64_t discrete_laplace(SimulationStream&, std::uint64_t);
extern template std::int64_t discrete_laplace(SecureSource&, std::uint64_t);
extern template std::int64_t discrete_gaussian(KeyedDraw&, std::uint64_t);
extern template std::int64_t discrete_gaussian(SimulationStream&, std::uint64_t);
extern template std::int64_t discrete_gaussian(SecureSource&, std::uint64_t);

/// True with probability threshold/2^64. One word, whatever it says: the time tells nothing.
template <class G>
bool chance(G& generator, std::uint64_t threshold) {
  return word(generator) < threshold;
}

}  // namespace tacit::random::exact
