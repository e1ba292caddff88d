// The shell of posterior sampling: draw one sample an arm, play the arm or the set that is best for the samples,
// record all of its outcomes. Decides every round. Cost per decision: one sample an arm and one choice.
//
// A single arm on a lazy book goes with ThinnedPosteriorLearner, which skips.
#pragma once

#include <type_traits>
#include <utility>

#include "tacit/actions/single.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/book_learner.hpp"
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

 public:
  using Feedback = std::conditional_t<kSingle, feedback::Bandit, feedback::SemiBandit>;

  PosteriorLearner(Book book, Posterior posterior, const random::Dice& dice) requires kSingle
      : Base(std::move(book), std::move(posterior)),
        recorded_(1),
        actions_(arms_.arms()),
        dice_(dice) {}
  PosteriorLearner(const actions::ActionSet& actions, Book book, Posterior posterior,
                   const random::Dice& dice,
                   actions::Start start = actions::Start::kGreedy) requires(!kSingle)
      : Base(std::move(book), std::move(posterior)),
        recorded_(actions.size()),
        actions_(actions, start),
        dice_(dice) {}

  int recorded() const noexcept { return recorded_; }

  void choose(const Situation& situation, Choice& choice) {
    arms_.settle();
    const indices::Clock clock = indices::clock_of(arms_.index(), situation.t);
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      actions_.score(arm) = arms_.index().sample(arms_.of(arm), clock, dice_.decisions());
    }
    actions_.scored();
    const actions::ChosenSet chosen = choose_eligible(actions_, situation, dice_);
    if constexpr (kSingle) {
      choice.one(chosen.arms[0], arms_.book().slot(chosen.arms[0]), situation.t);
    } else {
      choice.set(chosen.arms, situation.t);
      for (const Arm arm : chosen.arms) choice.record(arms_.book().slot(arm));
    }
  }

  void take(const Choice& choice, Values reports) requires requires(Book& b) { b.add(0, 0.0); }
  {
    if constexpr (kSingle) {
      arms_.take(choice.arm(), reports[0].value());
    } else {
      const auto slots = choice.slots();
      for (std::size_t i = 0; i < slots.size(); ++i) arms_.take(slots[i].arm, reports[i].value());
    }
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(arms_, dice_);
  }

 private:
  int recorded_;
  Actions actions_;
  random::Dice dice_;
};

}  // namespace tacit::policies
