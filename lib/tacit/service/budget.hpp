// What a population may spend and has spent, counted exactly, in decimal fractions as people write them: 0.1 goes ten times into 1.
//
// A number stands for the shortest decimal fraction that reads as it, which is what was typed; a debit with more than 18 decimals
// is rounded up, a budget down. Spent is never more than the budget. An experiment's noise is that of an epsilon not above the
// fraction that was debited (not_above()), so that the promises of all together add up to at most the budget, exactly.
#pragma once

#include <cstdint>

namespace tacit::service {

class Budget {
 public:
  explicit Budget(double epsilon);

  bool can_spend(double epsilon) const;
  /// Spends and returns true, or leaves everything as it was and returns false.
  bool try_spend(double epsilon);

  double total() const noexcept { return given_; }
  /// The nearest double, or one above it: read as a fraction it is never less.
  double spent() const;
  /// Likewise never more.
  double left() const;
  /// How often that can be spent from now on.
  std::int64_t times(double epsilon) const;
  /// What is missing here of what is known to be spent, and can be; 0: nothing.
  double missing_of(double known) const;

 private:
  __extension__ using Units = __int128;  // of 1e-18

  static Units units_of(double epsilon, bool up);
  static double number_of(Units units, bool up);

  double given_;
  Units total_;
  Units spent_ = 0;
};

/// A number at most as large as the fraction that `epsilon` stands for, and at most one step of doubles below it.
double not_above(double epsilon);

}  // namespace tacit::service
