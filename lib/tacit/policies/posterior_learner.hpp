// The shell of posterior sampling: draw one sample an arm, play the arm or the set that is best for the samples,
// record all of its outcomes.
//
// Samples are drawn only in rounds in which the action that leads might not be the best for them (calm.hpp), with the
// same law of what is played. On a lazy book all rounds up to there are skipped. The plain path, and rounds in which
// not all arms are eligible, draw them all.
// Cost per decision: plainly, one sample an arm and one choice; in a calm round next to nothing.
//
// A single arm on a lazy book goes with ThinnedPosteriorLearner.
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include "tacit/actions/single.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/book_learner.hpp"
#include "tacit/policies/calm.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/recording.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies {

template <class Book, class Posterior, class Actions = actions::Single>
class PosteriorLearner : public BookLearner<Book, Posterior> {
  using Base = BookLearner<Book, Posterior>;
  using Base::arms_;
  static constexpr bool kSingle = std::is_same_v<Actions, actions::Single>;
  static_assert(!kSingle || Book::kChangesEveryRound);
  /// What fills slots comes back with noise, what is reported does not.
  static constexpr bool kNoisy = requires(Book & b, Slot slot) { b.assign(slot, 1); };

 public:
  using Feedback = std::conditional_t<kSingle, feedback::Bandit, feedback::SemiBandit>;

  PosteriorLearner(Book book, Posterior posterior, Pace pace,
                   const random::Dice& dice) requires kSingle
      : Base(std::move(book), std::move(posterior)),
        recorded_(1),
        actions_(arms_.arms()),
        pace_(pace),
        dice_(dice),
        calm_(arms_.arms(), kNoisy) {}
  PosteriorLearner(const actions::ActionSet& actions, Book book, Posterior posterior, Pace pace,
                   const random::Dice& dice,
                   actions::Start start = actions::Start::kGreedy) requires(!kSingle)
      : Base(std::move(book), std::move(posterior)),
        recorded_(actions.size()),
        actions_(actions, start),
        pace_(pace),
        dice_(dice),
        calm_(arms_.arms(), kNoisy) {}

  int recorded() const noexcept { return recorded_; }

  void choose(const Situation& situation, Choice& choice) {
    arms_.settle([this](Arm arm) { changed(arm); });
    if (situation.t < calm_.next() && situation.eligible.empty()) [[likely]] {
      play(calm_.action(), situation.t, choice);
      if constexpr (!Book::kChangesEveryRound) {
        choice.until =
            std::min(calm_.next() - 1, first_full(arms_.book(), choice.slots(), situation.t));
      }
    } else if (pace_ == Pace::kPlain || !situation.eligible.empty()) {
      calm_.forget();  // a stretch is about all arms
      sample_all(situation, choice);
    } else {
      think(situation, choice);
    }
  }

  void deliver(Slot slot, Values values, Round n, int noises) requires kNoisy {
    Base::deliver(slot, values, n, noises);
    changed(slot.arm);
  }
  void take(const Choice& choice, Values reports) requires requires(Book& b) { b.add(0, 0.0); }
  {
    if constexpr (kSingle) {
      arms_.take(choice.arm(), reports[0].value());
      changed(choice.arm());
    } else {
      const auto slots = choice.slots();
      for (std::size_t i = 0; i < slots.size(); ++i) {
        arms_.take(slots[i].arm, reports[i].value());
        changed(slots[i].arm);
      }
    }
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(arms_, dice_);
    calm_.forget();
  }

 private:
  void changed(Arm arm) {
    if constexpr (Book::kChangesEveryRound) {
      calm_.changed(arms_.index(), arm, arms_.of(arm));
    } else {
      calm_.forget();
    }
  }

  void play(std::span<const Arm> action, Round t, Choice& choice) {
    if constexpr (kSingle) {
      choice.one(action[0], arms_.book().slot(action[0]), t);
    } else {
      choice.set(action, t);
      for (const Arm arm : action) choice.record(arms_.book().slot(arm));
    }
  }

  void sample_all(const Situation& situation, Choice& choice) {
    const indices::Clock clock = indices::clock_of(arms_.index(), situation.t);
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      actions_.score(arm) = arms_.index().sample(arms_.of(arm), clock, dice_.decisions());
    }
    actions_.scored();
    play(choose_eligible(actions_, situation, dice_).arms, situation.t, choice);
  }

  /// All arms are eligible, and nobody knows yet whether this round is calm. Apart, so that calm ones are inlined.
  [[gnu::noinline]] void think(const Situation& situation, Choice& choice) {
    const Round t = situation.t;
    const Posterior& posterior = arms_.index();
    const indices::Clock clock = indices::clock_of(posterior, t);
    if (!calm_.reaches(posterior, arms_.all(), clock, actions_, dice_)) {
      sample_all(situation, choice);
      return;
    }
    if (t < calm_.next() || !calm_.anyone_restless(posterior, arms_.all(), clock, dice_)) {
      play(calm_.action(), t, choice);
      return;
    }
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      actions_.score(arm) = calm_.sample(posterior, arm, arms_.of(arm), clock, dice_);
    }
    actions_.scored();
    play(actions_.choose(t, dice_).arms, t, choice);
  }

  int recorded_;
  Actions actions_;
  Pace pace_;
  random::Dice dice_;
  Calm<Posterior> calm_;
};

}  // namespace tacit::policies
