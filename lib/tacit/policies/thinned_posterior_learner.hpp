// The shell of posterior sampling on lazy estimates, with rounds skipped by exact thinning.
//
// Between releases only ln t moves the posteriors. Who has the largest sample of a round is found without drawing the
// samples (posterior_ladder.hpp), and where one arm leads, most rounds are known to be its own: the gap to the next round
// that may not be is geometric. The plays have exactly the law of the plain path, which draws all samples in every round.
//
// Cost: O(log arms) for a round that is looked at.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "tacit/actions/single.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/book_learner.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/posterior_ladder.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies {

template <class Book, class Posterior>
class ThinnedPosteriorLearner : public BookLearner<Book, Posterior> {
  using Base = BookLearner<Book, Posterior>;
  using Base::arms_;

 public:
  using Feedback = feedback::Bandit;

  ThinnedPosteriorLearner(Book book, Posterior posterior, Pace pace, const random::Dice& dice)
      : Base(std::move(book), std::move(posterior)),
        pace_(pace),
        dice_(dice),
        scores_(arms_.arms()),
        ladder_(pace == Pace::kPlain ? 0 : arms_.arms()) {
    look_anew();
  }

  int recorded() const noexcept { return 1; }

  void choose(const Situation& situation, Choice& choice) {
    arms_.settle([this](Arm arm) { changed(arm); });
    Round until = situation.t;
    const Arm arm = pick(situation, until);
    choice.one(arm, arms_.book().slot(arm), until);
  }

  void deliver(Slot slot, Values values, Round n, int noises) {
    Base::deliver(slot, values, n, noises);
    changed(slot.arm);
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(arms_, dice_);
    look_anew();
  }

 private:
  // So early, ln t moves too fast for bounds to be of use for more than a few rounds.
  static constexpr Round kTooEarly = 128;

  const Posterior& posterior() const noexcept { return arms_.index(); }

  /// What a release, or a slot that filled, changes.
  void changed(Arm arm) {
    if (pace_ == Pace::kPlain) return;
    ladder_.changed(arm);
    if (!unobserved_.empty() && posterior().observed(arms_.of(arm))) std::erase(unobserved_, arm);
  }
  void look_anew() {
    if (pace_ == Pace::kPlain) return;
    ladder_.forget();
    next_ = 0;
    unobserved_.clear();
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      if (!posterior().observed(arms_.of(arm))) unobserved_.push_back(arm);
    }
  }

  Arm pick(const Situation& situation, Round& until) {
    const Round t = situation.t;
    if (pace_ == Pace::kPlain || !situation.eligible.empty()) return sample_all(situation);
    if (arms_.arms() == 1) {
      until = t + arms_.book().remaining(0) - 1;
      return 0;
    }
    if (!unobserved_.empty()) {
      auto ties = dice_.ties(t);
      const int which = random::uniform_index(ties, static_cast<int>(unobserved_.size()));
      return unobserved_[static_cast<std::size_t>(which)];
    }
    if (t < kTooEarly) return sample_all(situation);
    if (ladder_.advance(arms_, t) || next_ < t) look_ahead(t);
    if (next_ == t) return winner_;
    until = next_ - 1;
    return ladder_.leader();
  }

  /// The next round that is not the leader's, and whose it is; or where one has to look again.
  void look_ahead(Round t) {
    const Arm leader = ladder_.leader();
    const Round last = std::min(ladder_.expires(), t + arms_.book().remaining(leader) - 1);
    winner_ = leader;
    for (next_ = t; next_ <= last; ++next_) {
      next_ += ladder_.calm_rounds(last - next_ + 1, dice_.decisions());
      if (next_ > last) return;
      winner_ = ladder_.winner(arms_, next_, dice_.decisions());
      if (winner_ != leader) return;
    }
  }

  Arm sample_all(const Situation& situation) {
    const indices::Clock clock = indices::Clock::at(situation.t);
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      const auto& state = arms_.of(arm);
      scores_[arm] = posterior().observed(state)
                         ? posterior().sample(state, clock, dice_.decisions())
                         : std::numeric_limits<double>::infinity();
      if (!situation.is_eligible(arm)) scores_[arm] = -std::numeric_limits<double>::infinity();
    }
    return actions::largest(scores_, clock.t, dice_).arm;
  }

  Pace pace_;
  random::Dice dice_;
  PerArm<double> scores_;
  PosteriorLadder<ArmStates<Book, Posterior>> ladder_;
  std::vector<Arm> unobserved_;
  // Rounds before next_ are the leader's; next_ is winner_'s, or its turn to look ahead again.
  Round next_ = 0;
  Arm winner_ = 0;
};

}  // namespace tacit::policies
