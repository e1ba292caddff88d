// What all releases so far say of the arms: intervals of means and of differences that hold at any time, and who is best.
//
// Nothing is forgotten here, whatever a learner forgets; and all of it is public, since releases are.
//
// Arms that are observed one at a time have evidence that multiplies (mixture.hpp). Where several are observed in one round
// (full information, sets of which all arms are recorded) their outcomes may depend on each other: then each arm's bounds
// stand by themselves, and the chance to be wrong is split among them.
//
// Cost: an interval about ten evaluations of a mixture, a difference some hundreds.
#pragma once

#include <vector>

#include "tacit/core/per_arm.hpp"
#include "tacit/core/round.hpp"
#include "tacit/evidence/mixture.hpp"

namespace tacit::evidence {

enum class Observed { kOneAtATime, kTogether };

class Readout {
 public:
  Readout(const ReleaseLaw& law, int arms, Observed observed);

  /// A released sum of n reports of an arm with so many noise terms.
  void add(Arm arm, double released, double n, double noises);

  int arms() const noexcept { return records_.arms(); }
  const Record& of(Arm arm) const noexcept { return records_[arm]; }
  const PerArm<Record>& records() const noexcept { return records_; }
  const Mixture& mixture() const noexcept { return mixture_; }

  /// Of the arm's mean: misses it, ever, with probability at most alpha.
  Interval interval(Arm arm, double alpha) const;
  /// Of the mean of a minus that of b, likewise.
  Interval difference(Arm a, Arm b, double alpha) const;

  /// Whether they miss what is true, at the cost of a few evaluations.
  bool interval_misses(Arm arm, double mean, double alpha) const;
  bool difference_misses(Arm a, Arm b, double mean_a, double mean_b, double alpha) const;

  /// The `top` arms of largest means, in order, once they are known: that this is ever wrong, by an arm that has a smaller
  /// mean than one that is left out, has probability at most `error`. Empty: not yet.
  std::vector<Arm> best(int top, double error) const;
  /// The same without being sure: those of the largest released means. Arms without a release come last.
  std::vector<Arm> leaders(int top) const;

  template <class Archive>
  void state(Archive& archive) {
    archive(records_);
  }

 private:
  bool is_better(Arm a, Arm b, double level) const;

  Mixture mixture_;
  Observed observed_;
  PerArm<Record> records_;
};

}  // namespace tacit::evidence
