// How late answers come in a simulated run.
//
// Constant: a slot comes back this many rounds after its last choice. Geometric: every user answers after a number
// of rounds of their own, of this mean, which the world draws independently of outcomes; a slot comes back with the
// last of them, or `wait` rounds after its last choice, when outcomes that are still missing count as 0. Reports,
// which have no slots, are learned from in the order in which they arrive; with `wait` later ones are lost.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tacit/core/round.hpp"

namespace tacit::simulation {

struct Delay {
  Round rounds = 0;  // constant, or the mean of geometric ones
  bool geometric = false;
  std::optional<Round> wait = std::nullopt;  // geometric only

  bool none() const noexcept { return rounds == 0 && !geometric; }
  /// "N", "geometric:N" or "geometric:N:WAIT".
  static Delay parse(std::string_view text);
  std::string name() const;
  /// "1000 rounds late", for a report.
  std::string in_words() const;
};

}  // namespace tacit::simulation
