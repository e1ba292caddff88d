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
// Cost per decision: one index an arm and three choices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/actions/single.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/arm_states.hpp"
#include "tacit/policies/crossing.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/policies/recording.hpp"
#include "tacit/privacy/guarantee.hpp"

namespace tacit::policies {

template <class Estimator, class Index, class FeedbackOfOne = feedback::SemiBandit>
class LeaderPlusOnePolicy {
 public:
  using Feedback = FeedbackOfOne;
  using Input = typename Estimator::Input;

  LeaderPlusOnePolicy(const std::shared_ptr<const actions::ActionSet>& actions, Estimator estimator,
                      Index index, Pace pace, const random::SimulationKey& key, double warm_up = 0)
      : by_mean_(actions->oracle()),
        by_index_(actions->oracle()),
        arms_(std::move(estimator), std::move(index)),
        pace_(pace),
        key_(key),
        warm_up_(warm_up),
        scores_(static_cast<std::size_t>(actions->arms())),
        means_(scores_.size()),
        in_leaders_(scores_.size()) {}

  SetDecision decide(Round t) {
    if (warm_up_ > 0) {
      if (fewest_observations() < warm_up_) return play_least_observed(t);
      warm_up_ = 0;
    }
    const indices::Clock clock = indices::clock_of(arms_.index(), t);
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      scores_[i] = arms_.index().value(arms_.all()[i], clock);
      means_[i] = arms_.index().mean(arms_.all()[i]);
    }
    by_mean_->set_scores(means_);
    const actions::ChosenSet leaders = by_mean_->choose(t, key_);
    bool tied = leaders.tied;
    in_leaders_.assign(in_leaders_.size(), 0);
    for (const Arm arm : leaders.arms) in_leaders_[static_cast<std::size_t>(arm)] = 1;
    action_.assign(leaders.arms.begin(), leaders.arms.end());

    by_index_->set_scores(scores_);
    const actions::ChosenSet hopeful = by_index_->choose(t, key_);
    tied = tied || hopeful.tied;
    challengers_.clear();
    for (const Arm arm : hopeful.arms) {
      if (in_leaders_[static_cast<std::size_t>(arm)] == 0) challengers_.push_back(arm);
    }
    if (!challengers_.empty()) {
      const Arm challenger = best_challenger(t, tied);
      by_mean_->set_score(challenger, std::numeric_limits<double>::infinity());
      const actions::ChosenSet changed = by_mean_->choose(t, key_);
      tied = tied || changed.tied;
      const bool holds_it =
          std::find(changed.arms.begin(), changed.arms.end(), challenger) != changed.arms.end();
      const std::span<const Arm> played = holds_it ? changed.arms : hopeful.arms;
      action_.assign(played.begin(), played.end());
    }
    const std::span<const Arm> observed = record_weakest(t);
    if constexpr (!Estimator::kChangesEveryRound) {
      if (pace_ == Pace::kSkipping && !tied) {
        Round until = first_release(arms_.estimator(), observed, t);
        until = crossing_.choice_stands_until(*by_index_, hopeful.arms, arms_.index(), arms_.all(),
                                              clock, until);
        return {action_, observed, challenger_leads_until(clock, until)};
      }
    }
    return {action_, observed, t};
  }

  void learn(const SetDecision& decision, Round n, const privacy::SecretVector<Input>& inputs) {
    arms_.learn(decision, n, inputs);
  }

  /// What an arm's released estimate is, and its index in round t: public, like all that led to it.
  estimators::Estimate estimate(Arm arm) const { return arms_.estimator().estimate(arm); }
  double index(Arm arm, Round t) const {
    return arms_.index().value(arms_.of(arm), indices::clock_of(arms_.index(), t));
  }

  privacy::Guarantee guarantee() const {
    return arms_.estimator().guarantee(Feedback::sensitivity(1), Feedback::moves(1));
  }

 private:
  /// Sets scores_ to the number of an arm's observations, negated; returns the smallest number.
  double fewest_observations() {
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      scores_[i] = -arms_.estimator().estimate(static_cast<Arm>(i)).n;
    }
    return -*std::max_element(scores_.begin(), scores_.end());
  }
  SetDecision play_least_observed(Round t) {
    by_index_->set_scores(scores_);
    const std::span<const Arm> least = by_index_->choose(t, key_).arms;
    action_.assign(least.begin(), least.end());
    const std::span<const Arm> observed = record_weakest(t);
    return {action_, observed, t};
  }

  std::span<const Arm> record_weakest(Round t) {
    recorded_ = weakest(arms_.estimator(), action_, t, key_);
    // Shown first where the order matters: the first of a list is always looked at.
    std::swap(action_.front(), *std::find(action_.begin(), action_.end(), recorded_));
    return {&recorded_, 1};
  }

  /// The challenger with the largest index, moved to the front.
  Arm best_challenger(Round t, bool& tied) {
    challenger_scores_.clear();
    for (const Arm arm : challengers_) {
      challenger_scores_.push_back(scores_[static_cast<std::size_t>(arm)]);
    }
    constexpr std::uint64_t kDraw = 2;  // 0 is the oracles', 1 the recorded arm's
    const actions::Choice best = actions::largest(challenger_scores_, t, key_, kDraw);
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

  std::unique_ptr<actions::Oracle> by_mean_;
  std::unique_ptr<actions::Oracle> by_index_;
  ArmStates<Estimator, Index> arms_;
  Pace pace_;
  random::SimulationKey key_;
  double warm_up_;  // 0 once it is over
  std::vector<double> scores_;
  std::vector<double> means_;
  std::vector<char> in_leaders_;
  std::vector<Arm> challengers_;
  std::vector<double> challenger_scores_;
  std::vector<Arm> action_;
  Crossing crossing_;
  Arm recorded_ = 0;
};

}  // namespace tacit::policies
