// The shell of ranked lists on private reports of where users stopped: show the K items with the
// largest indices, the one shown least often first (the order of a list does not change its reward,
// and early positions are less blurred). Only the indices that can win are computed (contest.hpp); the plain pace computes
// all. Cost per decision: one index an item, every round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "tacit/actions/single.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/stop_index.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/contest.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/policies/recording.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies {

class StopReportLearner {
 public:
  using Feedback = feedback::Cascade;

  StopReportLearner(const actions::ActionSet& actions, indices::StopIndex index, Pace pace,
                    const random::Dice& dice)
      : size_(actions.size()),
        actions_(actions),
        index_(index),
        dice_(dice),
        states_(actions.arms()) {
    if (pace == Pace::kSkipping) contest_.emplace(actions.arms(), size_);
  }

  int recorded() const noexcept { return size_; }

  void choose(const Situation& situation, Choice& choice) {
    indices::Clock clock = indices::clock_of(index_, situation.t);
    const bool by_contest = contest_ && situation.eligible.empty() &&
                            !contest_->choose(index_, states_, clock, dice_).tied &&
                            contest_->rank(index_, states_, clock, list_);
    if (!by_contest) rank_all(situation, clock);
    std::stable_sort(list_.begin(), list_.end(),
                     [this](Arm a, Arm b) { return states_[a].shown < states_[b].shown; });
    choice.set(list_, situation.t);
    for (const Arm item : list_) choice.record({item, 0});
  }

  /// One number a position: unbiased for "stopped here".
  void take(const Choice& choice, Values clicks) {
    double examined = 1;
    const auto list = choice.arms();
    for (std::size_t k = 0; k < list.size(); ++k) {
      const double click = clicks[k].value();
      index_.add(states_[list[k]], static_cast<int>(k), click, examined);
      if (contest_) contest_->changed(list[k]);
      examined -= click;
    }
  }
  View show(Arm item) const { return {states_[item].clicks, states_[item].shown, 0, 0}; }

  template <class Archive>
  void state(Archive& archive) {
    archive(states_, dice_);
    if (contest_) contest_->forget();
  }

 private:
  /// Those with the largest indices, best first.
  void rank_all(const Situation& situation, const indices::Clock& clock) {
    const actions::ChosenSet chosen =
        choose_by_all_indices(actions_, index_, states_, situation, clock, dice_);
    list_.assign(chosen.arms.begin(), chosen.arms.end());
  }

  int size_;
  actions::AnySet actions_;
  indices::StopIndex index_;
  random::Dice dice_;
  PerArm<indices::StopIndex::State> states_;
  std::optional<Contest<indices::StopIndex>> contest_;
  std::vector<Arm> list_;
};

}  // namespace tacit::policies
