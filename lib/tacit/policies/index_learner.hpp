// The shell of every index policy: play the arm, or the set, that an oracle finds best for the indices.
//
// An index is prepared from an arm's estimate once, when the estimate changes, and then evaluated at a clock;
// only what a release changed is recomputed.
//
// Actions is the oracle: actions::Single, inlined, or actions::AnySet.
// kHold says when the choice is made again: every round (the next full slot or the next crossing of
// indices ends a choice), or only when the phase of the played arm ends. An arm that is held and
// not eligible is taken up again when it is (held_arm.hpp).
// Record says which outcomes of a set are recorded: all, or that of one arm, a public choice: the one whose
// estimate rests on the fewest observations, and among those the one whose phase ends first, so that a phase
// once begun is completed while its arm is played (random when that ties too).
//
// Among single arms only the indices that can win are computed, where that pays: where they are found by a search, or
// arms are many (contest.hpp); and none but the leader's where that leads for sure (lead.hpp). The plain pace computes all.
//
// Cost per decision: one index an arm and one choice, and up to two more indices an arm to see how
// long it stands; in a contest a few indices and O(log arms); indices that do not depend on the round are computed only
// where a release changed them. Decisions per run: one a round for books that change every round, else O(arms log T).
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "tacit/actions/single.hpp"
#include "tacit/core/tournament.hpp"
#include "tacit/estimators/report_book.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/book_learner.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/contest.hpp"
#include "tacit/policies/crossing.hpp"
#include "tacit/policies/held_arm.hpp"
#include "tacit/policies/lead.hpp"
#include "tacit/policies/recording.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies {

enum class Hold { kRound, kPhase };
struct NoHold {};

template <class Book, class Index, class Actions = actions::Single, Hold kHold = Hold::kRound>
class IndexLearner : public BookLearner<Book, Index> {
  using Base = BookLearner<Book, Index>;
  using Base::arms_;
  static constexpr bool kSingle = std::is_same_v<Actions, actions::Single>;
  static constexpr bool kConstant = !kSingle && indices::kConstantInTime<Index>;
  static constexpr bool kContested = kSingle && kMayContest<Book, Index>;
  static constexpr bool kLeads =
      kSingle && std::is_same_v<Book, estimators::ReportBook> && kIsUcb<Index>;

 public:
  using Feedback = std::conditional_t<kSingle, feedback::Bandit, feedback::SemiBandit>;

  /// One arm a round.
  IndexLearner(Book book, Index index, Pace pace, const random::Dice& dice) requires kSingle
      : Base(std::move(book), std::move(index)),
        recorded_(1),
        record_(Record::kAll),
        actions_(arms_.arms()),
        pace_(pace),
        dice_(dice) {
    if constexpr (kContested) {
      if (pace == Pace::kSkipping && worth_a_contest(arms_.index(), arms_.arms())) {
        contest_.emplace(arms_.arms(), 1);
      }
    }
  }
  /// A set a round.
  IndexLearner(const actions::ActionSet& actions, Book book, Index index, Record record, Pace pace,
               const random::Dice& dice,
               actions::Start start = actions::Start::kGreedy) requires(!kSingle)
      : Base(std::move(book), std::move(index)),
        recorded_(record == Record::kAll ? actions.size() : 1),
        record_(record),
        actions_(actions, start),
        pace_(pace),
        dice_(dice) {
    score(indices::clock_of(arms_.index(), 1));
  }

  /// How many outcomes of a round are recorded at most.
  int recorded() const noexcept { return recorded_; }

  void choose(const Situation& situation, Choice& choice) {
    const Round t = situation.t;
    if constexpr (kHold == Hold::kPhase) {
      if (const Arm arm = held_.find(arms_.book(), situation); arm != HeldArm::kNobody) {
        choice.one(arm, arms_.book().slot(arm), until_full(arm, t));
        return;
      }
    }
    arms_.settle([this](Arm arm) { rescore(arm); });
    if constexpr (kLeads) {
      if (lead_.stands(t, arms_.book().released(lead_.leader())) && situation.eligible.empty()) {
        choice.one(playing_, arms_.book().slot(playing_), t);
        return;
      }
    }
    indices::Clock clock = indices::clock_of(arms_.index(), t);
    if constexpr (kContested) {
      if (contest_ && situation.eligible.empty() && chosen_by_contest(clock, choice)) return;
    }
    if constexpr (indices::kComparesWithBestMean<Index>) {
      clock.best_mean = 0;
      for (const auto& state : arms_.all()) {
        clock.best_mean = std::max(clock.best_mean, arms_.index().mean(state));
      }
    }
    if constexpr (!kConstant) score(clock);
    const actions::ChosenSet chosen = choose_eligible(actions_, situation, dice_);
    if constexpr (kSingle) {
      const bool again = chosen.arms[0] == playing_;
      playing_ = chosen.arms[0];
      if constexpr (kHold == Hold::kPhase) held_.begin(arms_.book(), playing_);
      choice.one(playing_, arms_.book().slot(playing_), t);
      if constexpr (kLeads) {
        lead_.forget();
        // Who was the best once may not be twice: a lead costs as much as a choice.
        if (again && !chosen.tied && pace_ == Pace::kSkipping && situation.eligible.empty()) {
          lead_.begin(playing_, arms_.book().released(playing_), arms_.index(), arms_.all(), clock);
        }
      }
    } else {
      choice.set(chosen.arms, t);
      record_slots(chosen.arms, t, choice);
    }
    if constexpr (!Book::kChangesEveryRound) {
      if constexpr (kHold == Hold::kPhase) {
        choice.until = until_full(playing_, t);
      } else if (pace_ == Pace::kSkipping && !chosen.tied) {
        choice.until = until_overtaken(chosen.arms, choice, clock);
      }
    }
  }

  void deliver(Slot slot, Values values, Round n, int noises) requires requires(Book& b) {
    b.seal(slot);
  }
  {
    Base::deliver(slot, values, n, noises);
    rescore(slot.arm);
  }
  void take(const Choice& choice, Values reports) requires requires(Book& b) { b.add(0, 0.0); }
  {
    if constexpr (kSingle) {
      arms_.take(choice.arm(), reports[0].value());
      rescore(choice.arm());
    } else {
      const auto slots = choice.slots();
      for (std::size_t i = 0; i < slots.size(); ++i) {
        arms_.take(slots[i].arm, reports[i].value());
        rescore(slots[i].arm);
      }
    }
  }
  /// Gives an arm an estimate before the first round.
  void start(Arm arm, const privacy::Released<double>& outcome) requires requires(Book& b) {
    b.add(0, 0.0);
  }
  {
    arms_.start(arm, estimators::Estimate{outcome.value(), 1, 0});
    rescore(arm);
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(arms_, playing_, dice_);
    if constexpr (kHold == Hold::kPhase) archive(held_);
    if constexpr (!kSingle) score(indices::clock_of(arms_.index(), 1));
    if constexpr (kContested) {
      if (contest_) contest_.emplace(arms_.arms(), 1);
    }
    if constexpr (kLeads) lead_.forget();
  }

 private:
  void score(const indices::Clock& clock) {
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      actions_.score(arm) = score_of(actions_, arms_.index(), arms_.of(arm), clock);
    }
    actions_.scored();
  }
  void rescore(Arm arm) {
    if constexpr (kConstant) {
      actions_.score(arm) = score_of(actions_, arms_.index(), arms_.of(arm), indices::Clock{});
      actions_.scored(arm);
    }
    if constexpr (kContested) {
      if (contest_) contest_->changed(arm);
    }
    if constexpr (kLeads) lead_.changed(arm);
  }

  /// Not where all indices have to be looked at.
  bool chosen_by_contest(indices::Clock& clock, Choice& choice) {
    const actions::ChosenSet chosen = contest_->choose(arms_.index(), arms_.all(), clock, dice_);
    if (contest_->blunt()) return false;
    playing_ = chosen.arms[0];
    if constexpr (kHold == Hold::kPhase) held_.begin(arms_.book(), playing_);
    choice.one(playing_, arms_.book().slot(playing_), clock.t);
    if constexpr (!Book::kChangesEveryRound) {
      if constexpr (kHold == Hold::kPhase) {
        choice.until = until_full(playing_, clock.t);
      } else if (!chosen.tied) {
        choice.until = contest_->stands_until(arms_.index(), arms_.all(), clock,
                                              first_full(arms_.book(), choice.slots(), clock.t));
      }
    }
    return true;
  }

  void record_slots(std::span<const Arm> action, Round t, Choice& choice) {
    if (record_ == Record::kWeakest) {
      choice.record(arms_.book().slot(weakest(arms_.book(), action, t, dice_)));
      return;
    }
    for (const Arm arm : action) choice.record(arms_.book().slot(arm));
  }

  Round until_full(Arm arm, Round t) const noexcept {
    return pace_ == Pace::kPlain ? t : t + arms_.book().remaining(arm) - 1;
  }
  Round until_overtaken(std::span<const Arm> action, const Choice& choice,
                        const indices::Clock& clock) {
    const Round full = first_full(arms_.book(), choice.slots(), clock.t);
    if constexpr (kConstant) {
      return full;
    } else if constexpr (kSingle) {
      return arm_stands_until(arms_.index(), arms_.all(), action[0], clock, full);
    } else {
      return crossing_.choice_stands_until(actions_.oracle(), action, arms_.index(), arms_.all(),
                                           clock, full);
    }
  }

  int recorded_;
  Record record_;
  Actions actions_;
  Pace pace_;
  random::Dice dice_;
  std::conditional_t<kSingle, NoCrossing, Crossing> crossing_;
  std::conditional_t<kContested, std::optional<Contest<Index>>, NoContest> contest_;
  std::conditional_t<kLeads, Lead<Index>, NoLead> lead_;
  std::conditional_t<kHold == Hold::kPhase, HeldArm, NoHold> held_;
  Arm playing_ = 0;
};

}  // namespace tacit::policies
