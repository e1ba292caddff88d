// The shell of policies on sets that record one arm a round: play the best set by estimated means,
// changed just enough to hold one arm worth a look.
//
//   B   the best set for the estimated means
//   A   the best set for the indices
//   if A has arms that B lacks: e, the one with the largest index among them, and the best set by
//   means that holds e (e scores infinity; where a set is not found by adding up scores, such as a
//   path, that may not bring e in: then A itself); else B.
// Since only one outcome is recorded, playing A whole would pay for several arms of doubtful value
// and learn about one. Recorded is the weakest arm of what is played (recording.hpp).
// Before that, a warm-up, if one is asked for: the arms observed least, until each was observed
// `warm_up` times. It keeps a run from being decided by the luck of the first few observations.
//
// Skipping: B changes only with a release, A while its guards hold, e while it leads the other arms of
// A outside B.
//
// Cost per decision: one index an arm and three choices; where any K arms may be played only the indices that can win are
// computed (contest.hpp), but for the plain pace, and a choice costs O(K log arms).
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tacit/actions/single.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/book_learner.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/contest.hpp"
#include "tacit/policies/crossing.hpp"
#include "tacit/policies/recording.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies {

template <class Book, class Index, class FeedbackOfOne = feedback::SemiBandit>
class LeaderPlusOneLearner : public BookLearner<Book, Index> {
  using Base = BookLearner<Book, Index>;
  using Base::arms_;
  static constexpr bool kContested = kMayContest<Book, Index>;

 public:
  using Feedback = FeedbackOfOne;

  LeaderPlusOneLearner(const actions::ActionSet& actions, Book book, Index index, Pace pace,
                       const random::Dice& dice, double warm_up = 0)
      : Base(std::move(book), std::move(index)),
        by_mean_(actions),
        by_index_(actions),
        pace_(pace),
        dice_(dice),
        warm_up_(warm_up),
        any_k_(actions.structure() == actions::Structure::kAnyK),
        in_leaders_(actions.arms()) {
    if constexpr (kContested) {
      if (pace == Pace::kSkipping && any_k_ && worth_a_contest(arms_.index(), arms_.arms())) {
        contest_.emplace(actions.arms(), actions.size());
      }
    }
    score_means();
  }

  int recorded() const noexcept { return 1; }

  void choose(const Situation& situation, Choice& choice) {
    const Round t = situation.t;
    arms_.settle([this](Arm arm) { changed(arm); });
    if (warm_up_ > 0) {
      if (fewest_observations() < warm_up_) {
        by_index_.scored();
        const std::span<const Arm> least = choose_eligible(by_index_, situation, dice_).arms;
        action_.assign(least.begin(), least.end());
        record_weakest(t, choice);
        return;
      }
      warm_up_ = 0;
    }
    indices::Clock clock = indices::clock_of(arms_.index(), t);
    bool tied = find_leaders(situation);
    action_ = leaders_;
    const actions::ChosenSet hopeful = choose_by_index(situation, clock);
    tied = tied || hopeful.tied;
    find_challengers(hopeful);
    if (!challengers_.empty()) {
      const Arm challenger = best_challenger(clock, tied);
      const bool by_chance = put_in(challenger, hopeful.arms, situation);
      tied = tied || by_chance;
    }
    record_weakest(t, choice);
    if constexpr (!Book::kChangesEveryRound) {
      if (pace_ == Pace::kSkipping && !tied) {
        const Round full = first_full(arms_.book(), choice.slots(), t);
        choice.until = challenger_leads_until(
            clock, hopeful_stand_until(situation, hopeful.arms, clock, full));
      }
    }
  }

  void take(const Choice& choice, Values reports) requires requires(Book& b) { b.add(0, 0.0); }
  {
    arms_.take(choice.slots()[0].arm, reports[0].value());
    changed(choice.slots()[0].arm);
  }
  void deliver(Slot slot, Values values, Round n, int noises) requires requires(Book& b) {
    b.seal(slot);
  }
  {
    Base::deliver(slot, values, n, noises);
    changed(slot.arm);
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(arms_, warm_up_, dice_);
    score_means();
    if constexpr (kContested) {
      if (contest_) contest_->forget();
    }
  }

 private:
  void score_mean(Arm arm, double mean) {
    by_mean_.score(arm) = mean;
    by_mean_.scored(arm);
  }
  double mean(Arm arm) const { return arms_.index().mean(arms_.of(arm)); }
  void score_means() {
    leaders_stand_ = false;
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      by_mean_.score(arm) = mean(arm);
    }
    by_mean_.scored();
  }
  void changed(Arm arm) {
    score_mean(arm, mean(arm));
    leaders_stand_ = false;
    if constexpr (kContested) {
      if (contest_) contest_->changed(arm);
    }
  }

  /// The best set by means. Whether others are as good.
  bool find_leaders(const Situation& situation) {
    if (leaders_stand_ && situation.eligible.empty()) return false;
    const actions::ChosenSet chosen = choose_eligible(by_mean_, situation, dice_);
    leaders_.assign(chosen.arms.begin(), chosen.arms.end());
    leaders_stand_ = pace_ == Pace::kSkipping && !chosen.tied && situation.eligible.empty();
    return chosen.tied;
  }
  /// The action becomes the best by means that holds the challenger. Whether others are as good.
  bool put_in(Arm challenger, std::span<const Arm> hopeful, const Situation& situation) {
    if (leaders_stand_ && any_k_ && situation.eligible.empty()) {
      // It takes the place of the last leader, who comes last because an oracle takes the best first.
      const std::size_t last = leaders_.size() - 1;
      if (last == 0 || mean(leaders_[last - 1]) > mean(leaders_[last])) {
        action_[0] = challenger;
        std::copy_n(leaders_.begin(), last, action_.begin() + 1);
        return false;
      }
    }
    score_mean(challenger, std::numeric_limits<double>::infinity());
    const actions::ChosenSet changed = choose_eligible(by_mean_, situation, dice_);
    const bool holds_it =
        std::find(changed.arms.begin(), changed.arms.end(), challenger) != changed.arms.end();
    const std::span<const Arm> played = holds_it ? changed.arms : hopeful;
    action_.assign(played.begin(), played.end());
    const bool tied = changed.tied;
    score_mean(challenger, mean(challenger));
    return tied;
  }

  bool by_contest(const Situation& situation) const noexcept {
    if constexpr (kContested) return contest_ && situation.eligible.empty();
    return false;
  }
  actions::ChosenSet choose_by_index(const Situation& situation, indices::Clock& clock) {
    if constexpr (kContested) {
      if (by_contest(situation)) {
        const actions::ChosenSet chosen =
            contest_->choose(arms_.index(), arms_.all(), clock, dice_);
        if (!contest_->blunt()) return chosen;
      }
    }
    return choose_by_all_indices(by_index_, arms_.index(), arms_.all(), situation, clock, dice_);
  }
  /// Up to which round, `limit` at most, the same are chosen by their indices.
  Round hopeful_stand_until(const Situation& situation, std::span<const Arm> hopeful,
                            const indices::Clock& clock, Round limit) {
    if constexpr (kContested) {
      if (by_contest(situation)) {
        if (contest_->blunt()) return clock.t;
        return contest_->stands_until(arms_.index(), arms_.all(), clock, limit);
      }
    }
    return crossing_.choice_stands_until(by_index_.oracle(), hopeful, arms_.index(), arms_.all(),
                                         clock, limit);
  }
  /// Those of them that do not lead. Where the set is certain, by their numbers, so that a tie among them is broken alike
  /// however the set was found.
  void find_challengers(const actions::ChosenSet& hopeful) {
    for (const Arm arm : leaders_) in_leaders_[arm] = 1;
    challengers_.clear();
    for (const Arm arm : hopeful.arms) {
      if (in_leaders_[arm] == 0) challengers_.push_back(arm);
    }
    if (!hopeful.tied) std::sort(challengers_.begin(), challengers_.end());
    for (const Arm arm : leaders_) in_leaders_[arm] = 0;
  }

  /// Scores an arm by the number of its observations, negated; returns the smallest number.
  double fewest_observations() {
    double fewest = std::numeric_limits<double>::infinity();
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      const double n = arms_.book().expected_n(arm);
      by_index_.score(arm) = -n;
      fewest = std::min(fewest, n);
    }
    return fewest;
  }

  void record_weakest(Round t, Choice& choice) {
    const Arm recorded = weakest(arms_.book(), action_, t, dice_);
    // Shown first where the order matters: the first of a list is always looked at.
    std::swap(action_.front(), *std::find(action_.begin(), action_.end(), recorded));
    choice.set(action_, t);
    choice.record(arms_.book().slot(recorded));
  }

  double index_of(Arm arm, const indices::Clock& clock) const {
    if constexpr (kContested && !indices::kSaturates<Index>) {
      if (contest_) return contest_->value(arm, arms_.index(), arms_.all(), clock);
    }
    return indices::ranked(arms_.index(), arms_.of(arm), clock);
  }
  /// The challenger with the largest index, moved to the front.
  Arm best_challenger(const indices::Clock& clock, bool& tied) {
    if (challengers_.size() == 1) return challengers_.front();
    challenger_scores_.clear();
    for (const Arm arm : challengers_) challenger_scores_.push_back(index_of(arm, clock));
    constexpr std::uint64_t kDraw = 2;  // 0 is the oracles', 1 the recorded arm's
    const actions::Choice best = actions::largest(challenger_scores_, clock.t, dice_, kDraw);
    tied = tied || best.tied > 1;
    std::swap(challengers_.front(), challengers_[static_cast<std::size_t>(best.arm)]);
    return challengers_.front();
  }

  /// Up to which round, `limit` at most, the first challenger leads the others.
  Round challenger_leads_until(const indices::Clock& clock, Round limit) const {
    for (std::size_t i = 1; i < challengers_.size() && limit > clock.t; ++i) {
      limit = indices::leads_until(arms_.index(), arms_.of(challengers_.front()),
                                   arms_.of(challengers_[i]), clock, limit);
    }
    return limit;
  }

  actions::AnySet by_mean_;
  actions::AnySet by_index_;
  Pace pace_;
  random::Dice dice_;
  double warm_up_;            // 0 once it is over
  bool any_k_;                // of the arms may be played
  std::vector<Arm> leaders_;  // the best set by means
  bool leaders_stand_ = false;
  PerArm<char> in_leaders_;  // all 0 between two choices
  std::conditional_t<kContested, std::optional<Contest<Index>>, NoContest> contest_;
  std::vector<Arm> challengers_;
  std::vector<double> challenger_scores_;
  std::vector<Arm> action_;
  Crossing crossing_;
};

}  // namespace tacit::policies
