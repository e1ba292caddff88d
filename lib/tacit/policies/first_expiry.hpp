// The earliest of every arm's round, kept as a tournament: O(log arms) a change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tacit/core/round.hpp"

namespace tacit::policies {

class FirstExpiry {
 public:
  explicit FirstExpiry(int arms) : leaves_(1) {
    while (leaves_ < static_cast<std::size_t>(arms)) leaves_ *= 2;
    nodes_.assign(2 * leaves_, kLastRound);
  }

  Round round() const noexcept { return nodes_[1]; }
  /// Whose it is.
  Arm arm() const noexcept {
    std::size_t i = 1;
    while (i < leaves_) i = 2 * i + (nodes_[2 * i] == nodes_[i] ? 0 : 1);
    return static_cast<Arm>(i - leaves_);
  }
  void set(Arm arm, Round round) noexcept {
    std::size_t i = leaves_ + static_cast<std::size_t>(arm);
    nodes_[i] = round;
    for (i /= 2; i > 0; i /= 2) nodes_[i] = std::min(nodes_[2 * i], nodes_[2 * i + 1]);
  }

 private:
  std::size_t leaves_;
  std::vector<Round> nodes_;
};

}  // namespace tacit::policies
