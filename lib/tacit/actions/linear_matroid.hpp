// Linear matroid: an arm is a row of integers, a set of arms is independent when its rows are
// linearly independent over the rationals. Exact, whatever the entries: no floating-point rank.
//
// How: elimination modulo primes p_1 > p_2 > ... below 2^31, instead of fractions that grow.
//
// Why that is exact. Take a set of s rows.
//   1. If it is independent modulo one prime, some s x s minor is not a multiple of that prime, so
//      it is not zero, and the set is independent over the rationals.
//   2. If it is dependent modulo each of several primes, every s x s minor is a multiple of their
//      product. By Hadamard a minor is at most the product of the rows' norms. Once the product of
//      the primes exceeds that, every minor is 0, and the set is dependent.
// There are enough primes for the s <= columns longest rows, so every question has an answer. A
// prime modulo which the set has become dependent says nothing more until the set is cleared.
//
// Circuits. In the one way of writing a row e as a combination of the basis, the coefficient of
// member f is a quotient of two minors (Cramer), zero exactly when the minor D_f of B - f + e is.
// Modulo a prime that keeps B independent it is the residue of that quotient, so what it shows is
// in the circuit, and it misses f only if it divides D_f. D_f obeys Hadamard's bound as well:
// primes whose product exceeds it cannot all miss f. Should too few primes keep B independent for
// that, the whole basis is returned.
//
// Cost with basis size k and d columns: a test k (d - k) multiplications for each prime that is
// asked, an accepted arm k d more, a circuit k^2. The first prime accepts nearly always alone; a
// rejection asks as many as the norms require, about (bits of the minors) / 31.
// Memory: 4 bytes for each arm, column and prime, and as much for a basis; more than 4 GiB are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tacit/actions/matroid.hpp"

namespace tacit::actions {

class LinearMatroid final : public Matroid {
 public:
  /// One row for each arm, all of the same length >= 1. A row of zeros is an arm never played.
  explicit LinearMatroid(const std::vector<std::vector<std::int64_t>>& rows);

  int arms() const noexcept override { return static_cast<int>(bits_.size()); }
  std::unique_ptr<IndependentSet> empty_set() const override;

 private:
  class Elimination;
  class Set;

  struct Modulus {
    std::uint64_t prime;
    std::vector<std::uint32_t> residues;  // arm by arm
  };

  std::size_t columns_ = 0;
  std::vector<double> bits_;  // log2 of each row's norm; 0 for a row of zeros
  std::vector<Modulus> moduli_;
};

}  // namespace tacit::actions
