// A budget that cannot be overspent: a privacy filter. Releases are asked for one at a time, their costs may
// depend on every earlier answer, and what would overspend is refused before anything is released.
//
//   kAddition      epsilons and deltas add up to at most the total. Valid for costs chosen adaptively
//                  (Rogers, Roth, Ullman & Vadhan 2016).
//   kConcentrated  the rhos add up to at most the largest rho that converts to the total. Renyi divergences
//                  of adaptively chosen releases add as if chosen in advance (Feldman & Zrnic 2021),
//                  at every order at once, so the whole is rho-zCDP.
//
// Rounding never overspends. Sums are kept in two doubles, the second rounded up: what is stored is never
// below the exact sum of what was asked, and above it by 1e-32 relative a release at most. A release is
// refused when that sum exceeds the total. Of 1, nine releases of 0.1 are granted and not ten: the double 0.1
// is above a tenth.
#pragma once

#include <stdexcept>

#include "tacit/accounting/composition.hpp"

namespace tacit::accounting {

/// what() is one line: what was asked for and what is left.
class BudgetExceeded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A sum of numbers >= 0 that is never below the exact one.
class UpperSum {
 public:
  /// This sum and `term` more.
  UpperSum plus(double term) const;
  /// Whether the stored sum, both parts of it, is at most `limit`.
  bool at_most(double limit) const { return high_ < limit || (high_ == limit && low_ <= 0); }
  double value() const { return high_; }

  bool operator==(const UpperSum&) const = default;

 private:
  double high_ = 0;  // the nearest double
  double low_ = 0;   // what it leaves
};

/// A budget exists once. It cannot be copied, since what a copy spends is not missing from the original; it can
/// be handed on, which leaves nothing behind; and none can be assigned over another, whose spending would be
/// forgotten.
class Filter {
 public:
  enum class Rule { kAddition, kConcentrated };

  /// A total delta of 0 is for kAddition only, since no rho converts to it.
  Filter(const Cost& total, Rule rule);
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
  Filter(Filter&& other) noexcept;

  /// Spends and returns true, or leaves everything as it was and returns false.
  /// Under kConcentrated a cost is pure: a release with a delta has no rho, and throws InvalidParameter.
  bool try_spend(const Cost& cost);
  /// For a release known by its rho (Gaussian noise). Under kAddition it throws InvalidParameter.
  bool try_spend_rho(double rho);
  /// Spends, or throws BudgetExceeded and leaves everything as it was.
  void spend(const Cost& cost);
  void spend_rho(double rho);

  Rule rule() const noexcept { return rule_; }
  const Cost& total() const noexcept { return total_; }
  /// The rho that the total allows; 0 under kAddition.
  double total_rho() const noexcept { return total_rho_; }
  /// What has been promised away so far. Under kConcentrated its delta is the total's, once anything is spent.
  Cost spent() const;
  double spent_rho() const { return rho_.value(); }

  bool operator==(const Filter&) const = default;

 private:
  Cost total_;
  Rule rule_;
  double total_rho_ = 0;
  UpperSum epsilon_;
  UpperSum delta_;
  UpperSum rho_;
};

}  // namespace tacit::accounting
