// Where a user who reads a ranked list stops: at the first attractive item.
#pragma once

namespace tacit {

/// Positions are counted from 0; the length of the list means that no item was attractive.
struct Stop {
  int position = 0;
};

}  // namespace tacit
