// All that is public in a run, as text and back: the learner, and what later releases build on.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tacit/audit/exact_law.hpp"
#include "tacit/audit/watched.hpp"
#include "tacit/core/slot.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/learner.hpp"

namespace tacit::audit {

using Values = std::vector<double>;

/// What a release has news of: an arm's outcomes after the first `begins`, up to the first `ends`.
struct Block {
  Slot slot;
  Round full;  // choices in the slot
  Round begins;
  Round ends;
  double before;  // of a tree: the running sum that the block is added to

  bool holds(Arm arm, Round after) const noexcept {
    return arm == slot.arm && after >= begins && after < ends;
  }
};

class PublicState {
 public:
  /// Before the first round. The law must outlive it.
  PublicState(const Play& play, const Law& law);

  std::string saved() const;
  void load(const std::string& text);

  policies::Learner& learner() noexcept { return *learner_; }
  /// How many of an arm's outcomes were in releases.
  Round released(Arm arm) const { return arms_[place_of(arm)].released; }
  /// Of a slot that so many choices filled.
  Block block_of(Slot slot, Round full) const;
  /// A block came out, without the sum before it.
  void deliver(const Block& block, const Values& values);
  void take(const policies::Choice& choice, const Values& reports);

 private:
  struct RunningSum {
    Round n = 0;
    double value = 0;
    template <class Archive>
    void state(Archive& archive) {
      archive(n, value);
    }
  };
  struct Progress {
    Round released = 0;
    std::vector<RunningSum> sums;  // of a tree: those that blocks can be added to
    template <class Archive>
    void state(Archive& archive) {
      archive(released, sums);
    }
  };
  static std::size_t place_of(Arm arm) { return static_cast<std::size_t>(arm) + 1; }

  const Law& law_;
  std::unique_ptr<policies::Learner> learner_;
  std::vector<Progress> arms_;  // the first is about all of them
};

}  // namespace tacit::audit
