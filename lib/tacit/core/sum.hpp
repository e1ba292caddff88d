// Exact sums of outcomes in [0, 1].
//
// Outcomes live on the grid of multiples of 2^-62 and are added as 128-bit integers, so addition is
// associative: n rounds added at once and one by one give the same bits, which is what makes the
// skipping engine comparable with the plain one. It also keeps the sensitivity of a sum at exactly
// one: a floating-point sum can move by more than the outcome that changed (Casacuberta et al.
// 2022).
#pragma once

#include <cmath>
#include <cstdint>

#include "tacit/core/round.hpp"

namespace tacit {

/// One round's outcome, a multiple of 2^-62 in [0, 1]. Made by a problem; the range is its duty.
class Outcome {
 public:
  static constexpr int kFractionBits = 62;
  static constexpr std::uint64_t kOne = std::uint64_t{1} << kFractionBits;

  constexpr Outcome() = default;
  static constexpr Outcome zero() { return Outcome(0); }
  static constexpr Outcome one() { return Outcome(kOne); }
  static constexpr Outcome bit(bool set) { return Outcome(set ? kOne : 0); }
  /// The grid point nearest to a real number in [0, 1].
  static Outcome nearest(double x) {
    return Outcome(static_cast<std::uint64_t>(std::llrint(std::ldexp(x, kFractionBits))));
  }

  constexpr std::uint64_t units() const { return units_; }
  double value() const { return static_cast<double>(units_) * 0x1p-62; }

 private:
  explicit constexpr Outcome(std::uint64_t units) : units_(units) {}
  std::uint64_t units_ = 0;
};

/// The sum of up to 2^53 outcomes, exact.
class Sum {
 public:
  __extension__ using Integer = __int128;

  constexpr Sum() = default;
  explicit constexpr Sum(Outcome outcome) : units_(outcome.units()) {}
  static constexpr Sum of_ones(Round ones) { return Sum(Integer{ones} << Outcome::kFractionBits); }
  static constexpr Sum repeated(Outcome outcome, Round times) {
    return Sum(static_cast<Integer>(outcome.units()) * times);
  }

  constexpr Sum& operator+=(Sum other) {
    units_ += other.units_;
    return *this;
  }
  friend constexpr Sum operator-(Sum a, Sum b) { return Sum(a.units_ - b.units_); }
  friend constexpr bool operator==(Sum a, Sum b) { return a.units_ == b.units_; }

  constexpr std::int64_t floor() const {
    return static_cast<std::int64_t>(units_ >> Outcome::kFractionBits);
  }
  static constexpr Sum of_steps(Integer steps, int bits) {
    return Sum(steps << (Outcome::kFractionBits - bits));
  }
  /// The nearest number of steps of 2^-bits, bits < 62.
  constexpr Integer nearest_steps(int bits) const {
    return (units_ + (Integer{1} << (Outcome::kFractionBits - bits - 1))) >>
           (Outcome::kFractionBits - bits);
  }
  /// As many steps of 2^-bits as fit, bits <= 62.
  constexpr Integer steps(int bits) const { return units_ >> (Outcome::kFractionBits - bits); }
  /// The nearest double up to two roundings; exact for whole numbers.
  constexpr double value() const {
    constexpr Integer kFraction = (Integer{1} << Outcome::kFractionBits) - 1;
    return static_cast<double>(floor()) +
           static_cast<double>(static_cast<std::int64_t>(units_ & kFraction)) * 0x1p-62;
  }

 private:
  explicit constexpr Sum(Integer units) : units_(units) {}
  Integer units_ = 0;
};

}  // namespace tacit
