// What a problem that is played back knows of its rounds beforehand: the world's knowledge, by which regret is measured.
#pragma once

#include <span>

#include "tacit/core/round.hpp"
#include "tacit/core/sum.hpp"

namespace tacit::problems {

class Playback {
 public:
  virtual ~Playback() = default;
  /// The sum of an arm's outcomes over rounds t..t+n-1.
  virtual Sum sum(Arm arm, Round t, Round n) const = 0;
  /// Every arm's outcome in round t.
  virtual std::span<const Outcome> row(Round t) const = 0;
  /// Whether the user of round t clicks an item of the list.
  virtual bool clicks(std::span<const Arm> list, Round t) const = 0;

 protected:
  Playback() = default;
  Playback(const Playback&) = default;
  Playback& operator=(const Playback&) = default;
};

}  // namespace tacit::problems
