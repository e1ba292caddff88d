// The shell of cascading bandits that are told what users made of every item up to the stop: show the K items with
// the largest indices, best first. Only baselines and policies as published are told that (curators/opened_stops.hpp);
// a report has one number for every examined item. Every item starts from one free observation before the first
// round, as in Kveton et al. 2015.
//
// kCounts says whether a report is added to an item's sum, or is the running sum since the start.
// Only the indices that can win are computed, where they are found by a search (contest.hpp); the plain pace computes all.
// Cost per decision: one index an item, O(K log L) to choose, every round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tacit/actions/single.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/contest.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/policies/recording.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies {

enum class Counts { kAddUp, kReplace };

template <class Index, Counts kCounts>
class CascadeIndexLearner {
  static constexpr bool kContested = indices::Enclosed<Index> && indices::kSearched<Index>;

 public:
  using Feedback = feedback::Cascade;
  static constexpr bool kStartsFromRawOutcomes = true;

  CascadeIndexLearner(const actions::ActionSet& actions, Index index, Pace pace,
                      const random::Dice& dice)
      : size_(actions.size()),
        actions_(actions),
        index_(std::move(index)),
        dice_(dice),
        items_(actions.arms()),
        states_(actions.arms()) {
    if constexpr (kContested) {
      if (pace == Pace::kSkipping) contest_.emplace(actions.arms(), size_);
    }
  }

  int recorded() const noexcept { return size_; }

  /// One outcome of every item.
  void start(Arm item, const privacy::Released<double>& outcome) {
    items_[item] = {outcome.value(), {outcome.value(), 1, 0}};
    prepare(item);
  }

  void choose(const Situation& situation, Choice& choice) {
    const Round t = situation.t;
    indices::Clock clock = indices::clock_of(index_, t);
    if (!situation.eligible.empty() || !ranked_by_contest(clock)) rank_all(situation, clock);
    choice.set(list_, t);
    for (const Arm item : list_) choice.record({item, 0});
  }

  void take(const Choice& choice, Values reports) {
    for (std::size_t k = 0; k < reports.size(); ++k) {
      const Arm arm = choice.arms()[k];
      Item& item = items_[arm];
      if constexpr (kCounts == Counts::kAddUp) {
        item.estimate.sum += reports[k].value();
      } else {
        item.estimate.sum = item.first + reports[k].value();
      }
      item.estimate.n += 1;
      prepare(arm);
    }
  }

  template <class Archive>
  void state(Archive&) {}  // never held: it starts from raw outcomes

 private:
  struct Item {
    double first = 0;
    estimators::Estimate estimate;
  };

  void prepare(Arm item) {
    states_[item] = index_.prepare(items_[item].estimate);
    if constexpr (kContested) {
      if (contest_) contest_->changed(item);
    }
  }

  void rank_all(const Situation& situation, const indices::Clock& clock) {
    const actions::ChosenSet chosen =
        choose_by_all_indices(actions_, index_, states_, situation, clock, dice_);
    list_.assign(chosen.arms.begin(), chosen.arms.end());
    rank(clock.t);
  }
  /// The same, where no two of the largest indices are equal.
  bool ranked_by_contest(indices::Clock& clock) {
    if constexpr (kContested) {
      return contest_ && !contest_->choose(index_, states_, clock, dice_).tied &&
             !contest_->blunt() && contest_->rank(index_, states_, clock, list_);
    } else {
      return false;
    }
  }

  /// By decreasing index, equal ones in random order.
  void rank(Round t) {
    auto draw = dice_.ties(t, 1);
    for (std::size_t i = list_.size(); i > 1; --i) {
      std::swap(list_[i - 1],
                list_[static_cast<std::size_t>(random::uniform_index(draw, static_cast<int>(i)))]);
    }
    std::stable_sort(list_.begin(), list_.end(),
                     [this](Arm a, Arm b) { return actions_.score(a) > actions_.score(b); });
  }

  int size_;
  actions::AnySet actions_;
  Index index_;
  random::Dice dice_;
  PerArm<Item> items_;
  PerArm<typename Index::State> states_;
  std::conditional_t<kContested, std::optional<Contest<Index>>, NoContest> contest_;
  std::vector<Arm> list_;
};

}  // namespace tacit::policies
