// The shell of posterior sampling on lazy estimates, with rounds skipped by exact thinning.
//
// Between releases only ln t moves the posteriors, and in most rounds the leader's sample wins. Fix
// a threshold y. Call an arm *restless* in a round when its sample is on the wrong side of y: below
// it for the leader, not below it for any other arm. In a round without a restless arm the leader
// is played.
//
// Samples only grow with t while estimates stand, so over a stretch of rounds an arm's chance of
// being restless is largest at the stretch's start (the leader) or end (the others): that is its
// bound, and the value at the other end is a floor. Arms are restless independently of each other
// and of other rounds. So each arm's restless rounds are found by thinning: gaps between candidates
// are geometric with the bound, and a candidate counts with probability (its chance in that
// round)/bound, where the floor settles most cases without computing the chance. In a round with
// restless arms samples are drawn conditioned on who is and who is not. The plays have exactly the
// law of the plain path, which draws all samples in every round.
//
// When candidates would be too frequent (early rounds, close arms) rounds are played plainly.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tacit/actions/single.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/book_learner.hpp"
#include "tacit/policies/choice.hpp"
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
        thinned_(arms_.arms()) {}

  int recorded() const noexcept { return 1; }

  void choose(const Situation& situation, Choice& choice) {
    arms_.settle([this](Arm) { changed(); });
    const Round t = situation.t;
    const indices::Clock clock = indices::Clock::at(t);
    Round until = t;
    const Arm arm = pick(situation, clock, until);
    choice.one(arm, arms_.book().slot(arm), until);
  }

  void deliver(Slot slot, Values values, Round n, int noises) {
    Base::deliver(slot, values, n, noises);
    changed();
  }

  template <class Archive>
  void state(Archive& archive) {
    archive(arms_, dice_);
    changed();
  }

 private:
  // A candidate costs a few plain rounds, and setting up a stretch some fifty.
  static constexpr double kWorthwhile = 0.1;
  static constexpr Round kPlainRoundsBeforeRetry = 64;

  struct Thinned {
    double bound = 0;     // on the chance of being restless, over the stretch
    double floor = 0;     // likewise from below
    Round candidate = 0;  // the next candidate round
    bool restless = false;
  };

  const Posterior& posterior() const noexcept { return arms_.index(); }

  /// What a release, or a slot that filled, changes.
  void changed() {
    unobserved_ = false;
    for (const auto& state : arms_.all()) unobserved_ = unobserved_ || !posterior().observed(state);
    stretch_end_ = 0;
    retry_at_ = 0;
  }

  Arm pick(const Situation& situation, const indices::Clock& clock, Round& until) {
    const Round t = clock.t;
    if (pace_ == Pace::kPlain) return sample_all(situation, clock);
    if (!situation.eligible.empty()) {  // a stretch is about all arms
      stretch_end_ = 0;
      return sample_all(situation, clock);
    }
    if (arms_.arms() == 1) {
      until = t + arms_.book().remaining(0) - 1;
      return 0;
    }
    if (t > stretch_end_ && (t < retry_at_ || !begin_stretch(clock)))
      return sample_all(situation, clock);
    const Round next = next_candidate();
    if (next <= t) return play_candidate(clock);
    until = std::min(next - 1, stretch_end_);
    return leader_;
  }

  Arm sample_all(const Situation& situation, const indices::Clock& clock) {
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      const auto& state = arms_.of(arm);
      scores_[arm] = posterior().observed(state)
                         ? posterior().sample(state, clock, dice_.decisions())
                         : std::numeric_limits<double>::infinity();
      if (!situation.is_eligible(arm)) scores_[arm] = -std::numeric_limits<double>::infinity();
    }
    return actions::largest(scores_, clock.t, dice_).arm;
  }

  double chance(Arm i, const indices::Clock& clock) const noexcept {
    return i == leader_ ? posterior().chance_below(arms_.of(i), clock, threshold_)
                        : posterior().chance_above(arms_.of(i), clock, threshold_);
  }

  /// Chooses leader, length and threshold, and bounds the chances. False: not worth it.
  bool begin_stretch(const indices::Clock& start) noexcept {
    stretch_end_ = 0;
    retry_at_ = start.t + kPlainRoundsBeforeRetry;
    if (unobserved_) return false;
    leader_ = 0;
    for (Arm i = 1; i < arms_.arms(); ++i) {
      if (posterior().mean(arms_.of(i), start) > posterior().mean(arms_.of(leader_), start)) {
        leader_ = i;
      }
    }
    // Short enough that no posterior moves by more than a fraction of its deviation: bounds stay
    // tight.
    double log_length = 0.7;
    for (const auto& state : arms_.all()) {
      log_length = std::min(log_length,
                            0.3 * posterior().deviation(state, start) / posterior().drift(state));
    }
    const auto length = static_cast<Round>(static_cast<double>(start.t) * std::expm1(log_length));
    const Round end =
        start.t + std::min(arms_.book().remaining(leader_), std::max<Round>(1, length)) - 1;
    const indices::Clock last = indices::Clock::at(end);
    choose_threshold(start, last);
    double total = 0;
    for (Arm i = 0; i < arms_.arms() && total <= kWorthwhile; ++i) {
      Thinned& arm = thinned_[i];
      // A hair more and less, so that rounding in a round's own chance cannot cross them.
      arm.bound = chance(i, i == leader_ ? start : last) * (1 + 1e-9) + 1e-300;
      total += arm.bound;
    }
    if (!(total <= kWorthwhile)) return false;
    for (Arm i = 0; i < arms_.arms(); ++i) {
      Thinned& arm = thinned_[i];
      arm.floor = chance(i, i == leader_ ? last : start) * (1 - 1e-9);
      arm.candidate = start.t + gap(arm.bound);
    }
    stretch_end_ = end;
    return true;
  }

  /// Equally many deviations from the leader and from its closest rival. Any threshold is exact;
  /// this one is rarely far from the best.
  void choose_threshold(const indices::Clock& start, const indices::Clock& last) noexcept {
    const auto& lead = arms_.of(leader_);
    const double mean = posterior().mean(lead, start);
    const double deviation = posterior().deviation(lead, start);
    threshold_ = 0;
    for (Arm i = 0; i < arms_.arms(); ++i) {
      if (i == leader_) continue;
      const double rival = posterior().mean(arms_.of(i), last);
      const double spread = posterior().deviation(arms_.of(i), last);
      threshold_ = std::max(threshold_, (mean * spread + rival * deviation) / (spread + deviation));
    }
  }

  /// Rounds before the next candidate of an arm with this bound.
  Round gap(double bound) noexcept {
    const double rounds =
        std::floor(std::log(random::uniform_open(dice_.decisions())) / std::log1p(-bound));
    return rounds < static_cast<double>(kLastRound) ? static_cast<Round>(rounds) : kLastRound;
  }

  Round next_candidate() const noexcept {
    Round next = thinned_[0].candidate;
    for (const Thinned& arm : thinned_) next = std::min(next, arm.candidate);
    return next;
  }

  Arm play_candidate(const indices::Clock& clock) noexcept {
    bool calm = true;
    for (Arm i = 0; i < arms_.arms(); ++i) {
      Thinned& arm = thinned_[i];
      arm.restless = false;
      if (arm.candidate != clock.t) continue;
      arm.candidate = clock.t + 1 + gap(arm.bound);
      const double height = random::uniform_open(dice_.decisions()) * arm.bound;
      arm.restless = height < arm.floor || height < chance(i, clock);
      calm = calm && !arm.restless;
    }
    if (calm) return leader_;
    // Arms that do not get a score cannot win: below y while somebody is not.
    const bool leader_fell = thinned_[leader_].restless;
    for (Arm i = 0; i < arms_.arms(); ++i) {
      if (i == leader_) {
        scores_[i] =
            leader_fell
                ? posterior().sample_below(arms_.of(i), clock, threshold_, dice_.decisions())
                : posterior().sample_above(arms_.of(i), clock, threshold_, dice_.decisions());
      } else if (thinned_[i].restless) {
        scores_[i] = posterior().sample_above(arms_.of(i), clock, threshold_, dice_.decisions());
      } else if (leader_fell) {
        scores_[i] = posterior().sample_below(arms_.of(i), clock, threshold_, dice_.decisions());
      } else {
        scores_[i] = 0;
      }
    }
    return actions::largest(scores_, clock.t, dice_).arm;
  }

  Pace pace_;
  random::Dice dice_;
  PerArm<double> scores_;
  PerArm<Thinned> thinned_;
  bool unobserved_ = true;
  Round retry_at_ = 0;
  Round stretch_end_ = 0;  // 0: no stretch
  Arm leader_ = 0;
  double threshold_ = 0;
};

}  // namespace tacit::policies
