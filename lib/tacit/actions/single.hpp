// Action set "single": one arm. Its oracle is the largest score, ties drawn afresh every time from
// randomness that depends on the round alone.
//
// Why not the first of the tied arms: clipped indices tie for thousands of rounds, and a fixed
// order changes the regret by a factor of two. Why keyed by the round: the skipping and the plain
// engine must break the tie of round t alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/core/round.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::actions {

struct Choice {
  Arm arm = 0;
  int tied = 1;  // how many arms share the largest score
};

/// O(arms). Scores may be infinite, never NaN. `draw` tells several choices of one round apart.
inline Choice largest(std::span<const double> scores, Round t, const random::Dice& dice,
                      std::uint64_t draw = 0) noexcept {
  Choice choice{0, 1};
  double best = scores[0];
  for (std::size_t i = 1; i < scores.size(); ++i) {
    if (scores[i] > best) {
      best = scores[i];
      choice = {static_cast<Arm>(i), 1};
    } else if (scores[i] == best) {
      ++choice.tied;
    }
  }
  if (choice.tied > 1) [[unlikely]] {
    auto ties = dice.ties(t, draw);
    int skip = random::uniform_index(ties, choice.tied);
    for (std::size_t i = 0;; ++i) {
      if (scores[i] == best && skip-- == 0) {
        choice.arm = static_cast<Arm>(i);
        break;
      }
    }
  }
  return choice;
}

/// The oracle of one arm a round, inlined: a single arm is a set of one.
class Single {
 public:
  explicit Single(int arms) : scores_(arms) {}

  /// Whether only the order of scores matters.
  static constexpr bool by_order() noexcept { return true; }

  std::span<const double> scores() const noexcept { return scores_; }
  double& score(Arm arm) noexcept { return scores_[arm]; }
  void scored() noexcept {}

  ChosenSet choose(Round t, const random::Dice& dice) noexcept {
    const Choice choice = largest(scores_, t, dice);
    arm_ = choice.arm;
    return {{&arm_, 1}, choice.tied > 1};
  }
  ChosenSet keep(const ChosenSet& chosen) const noexcept { return chosen; }

 private:
  PerArm<double> scores_;
  Arm arm_ = 0;
};

/// The oracle of whatever action set.
class AnySet {
 public:
  explicit AnySet(const ActionSet& actions, Start start = Start::kGreedy)
      : oracle_(actions.oracle_for(start)),
        scores_(actions.arms()),
        by_order_(are_bases(actions.structure())) {}

  /// Whether only the order of scores matters: else they are added up.
  bool by_order() const noexcept { return by_order_; }

  Oracle& oracle() noexcept { return *oracle_; }
  std::span<const double> scores() const noexcept { return oracle_->scores(); }
  double& score(Arm arm) noexcept { return scores_[arm]; }
  /// After all scores were written, or after one was.
  void scored() { oracle_->set_scores(scores_); }
  void scored(Arm arm) { oracle_->set_score(arm, scores_[arm]); }

  ChosenSet choose(Round t, const random::Dice& dice) { return oracle_->choose(t, dice); }
  /// The same choice, valid until the next one even if scores are written in between.
  ChosenSet keep(const ChosenSet& chosen) {
    kept_.assign(chosen.arms.begin(), chosen.arms.end());
    return {kept_, chosen.tied};
  }

 private:
  std::unique_ptr<Oracle> oracle_;
  PerArm<double> scores_;
  bool by_order_;
  std::vector<Arm> kept_;
};

}  // namespace tacit::actions
