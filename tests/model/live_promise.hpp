// What docs/live.md promises of a policy that releases by slot, as a machine of its own: a slot is released at the first call of
// choose or advance after its last choice and `wait` more of them, once; its sum is that of the first answer of each of its
// choices, and `missing` of those that nobody has answered by then. Of a policy that takes reports: the first of each choice counts.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/broken.hpp"
#include "model/live_story.hpp"
#include "tacit/core/slot.hpp"

namespace tacit::model {

class LivePromise {
 public:
  explicit LivePromise(const LiveStory& story) : story_(story) {}

  /// What is shown: of every arm how many choices were released, and their sum.
  struct Shown {
    std::vector<double> n = {};
    std::vector<double> sum = {};
    std::uint64_t releases = 0;
  };

  /// The next choice, or advance: what is due comes out first.
  void due(const Shown& shown);
  /// The ticket's number is `number`, and these are its slots. `ever`: of all choices that were ever made, also of those that are lost.
  void chose(Round number, int ever, const std::vector<Slot>& slots, const std::vector<Arm>& arms);
  void answered(Round number, int quarters);
  /// Whether there was such a choice: else its ticket is refused.
  bool knows(Round number, int ever) const;
  /// What it shows now.
  void shows(const Shown& shown) const;
  Round choices() const { return static_cast<Round>(choices_.size()); }

 private:
  struct Choice {
    int ever = 0;
    std::vector<Arm> arms = {};
    std::optional<int> quarters = {};
  };
  struct Open {
    std::vector<std::pair<Round, int>> choices = {};  // and which of its outcomes
  };

  double outcome(Round number, int entry) const;
  /// Of an arm, or of all at once: the slots that make up so many choices.
  void come_out(Arm arm, double n);
  bool by_slot() const { return story_.policy != "ldp-ucb-bits"; }

  LiveStory story_;
  std::vector<Choice> choices_;
  std::map<Slot, Open> open_;
  std::map<Arm, Round> released_;                 // the last phase
  std::map<Arm, std::pair<double, double>> out_;  // how many, and their sum
  std::uint64_t releases_ = 0;
  Round called_ = 0;  // what was due before this choice has come out
};

}  // namespace tacit::model
