// The largest epsilon that runs certify, at any time.
//
// Claims of every epsilon on a grid are held to the same guesses (against.hpp), from the smallest on; certified is the
// largest up to which all have been refuted. Of the true epsilon only the next claim above it can be refuted by mistake,
// so that the error is paid once, not for every claim.
#pragma once

#include <cstddef>
#include <vector>

#include "tacit/audit/against.hpp"

namespace tacit::audit {

/// Two guesses, whose evidence is averaged: ln of the odds for the one table.
struct Guess {
  double by_law = 0;
  double learned = 0;
};

class Certified {
 public:
  /// A grid that holds `about`.
  Certified(double about, double delta, double error);

  void add(bool one, const Guess& guess);
  /// 0: nothing.
  double epsilon() const noexcept { return refuted_ == 0 ? 0 : claims_[refuted_ - 1].epsilon; }
  /// The smallest claim that is not refuted yet.
  double next() const noexcept;

 private:
  struct Claim {
    double epsilon;
    AgainstClaim by_law;
    AgainstClaim learned;

    double log_value() const;
  };

  double enough_;
  std::vector<Claim> claims_;
  std::size_t refuted_ = 0;
};

}  // namespace tacit::audit
