// Public randomness of a learner: ties and posterior draws. No privacy argument uses it, so that Philox is good
// enough in production too.
//
// A type of its own: what holds dice cannot ask for the noise that guards users, nor for the world's outcomes,
// though in a simulation all three come from one key.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tacit/core/round.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::random {

class Dice {
 public:
  /// Those of a simulated run.
  explicit Dice(const SimulationKey& key)
      : key_(key), decisions_(key.stream(Purpose::kDecisions)) {}
  /// Dice with a number: for production, where it is drawn once and kept.
  static Dice numbered(std::uint64_t number) {
    return Dice(SimulationKey(number, "dice", "live", 0));
  }

  /// The same dice every time, for what must not depend on a run.
  static Dice named(std::string_view purpose, std::string_view object) {
    return Dice(SimulationKey(0, purpose, object, 0));
  }

  /// To break the ties of round t; `draw` tells several choices of one round apart.
  KeyedDraw ties(Round t, std::uint64_t draw = 0) const {
    return key_.at(Purpose::kTies, static_cast<std::uint64_t>(t), draw);
  }
  /// A sequential stream, for posterior draws and the like.
  SimulationStream& decisions() noexcept { return decisions_; }

  template <class Archive>
  void state(Archive& archive) {
    std::uint64_t used = decisions_.used();
    archive(used);
    decisions_.skip_to(used);
  }

 private:
  SimulationKey key_;
  SimulationStream decisions_;
};

}  // namespace tacit::random
