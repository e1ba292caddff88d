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
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "tacit/actions/single.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/privacy/guarantee.hpp"

namespace tacit::policies {

template <class Estimator, class Posterior>
class ThinnedPosteriorPolicy {
 public:
  using Feedback = feedback::Bandit;
  using Input = typename Estimator::Input;

  ThinnedPosteriorPolicy(Estimator estimator, Posterior posterior, Pace pace,
                         const random::SimulationKey& key)
      : estimator_(std::move(estimator)),
        posterior_(posterior),
        pace_(pace),
        key_(key),
        decisions_(key.stream(random::Purpose::kDecisions)),
        scores_(static_cast<std::size_t>(estimator_.arms())),
        thinned_(static_cast<std::size_t>(estimator_.arms())) {
    for (Arm arm = 0; arm < estimator_.arms(); ++arm) {
      states_.push_back(posterior_.prepare(estimator_.estimate(arm)));
    }
  }

  Decision decide(Round t) noexcept {
    const indices::Clock clock = indices::Clock::at(t);
    if (pace_ == Pace::kPlain) return {sample_all(clock), t};
    if (states_.size() == 1) return {0, t + estimator_.remaining(0) - 1};
    if (t > stretch_end_ && (t < retry_at_ || !begin_stretch(clock))) return {sample_all(clock), t};
    const Round next = next_candidate();
    if (next > t) return {leader_, std::min(next - 1, stretch_end_)};
    return {play_candidate(clock), t};
  }

  void learn(const Decision& decision, Round n, const privacy::Secret<Input>& input) noexcept {
    if (!estimator_.learn(decision.action, n, input)) return;
    states_[static_cast<std::size_t>(decision.action)] =
        posterior_.prepare(estimator_.estimate(decision.action));
    unobserved_ = false;
    for (const auto& state : states_) unobserved_ = unobserved_ || !posterior_.observed(state);
    stretch_end_ = 0;
    retry_at_ = 0;
  }

  privacy::Guarantee guarantee() const {
    return estimator_.guarantee(Feedback::sensitivity(estimator_.arms()),
                                Feedback::moves(estimator_.arms()));
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

  Arm sample_all(const indices::Clock& clock) noexcept {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      scores_[i] = posterior_.observed(states_[i])
                       ? posterior_.sample(states_[i], clock, decisions_)
                       : std::numeric_limits<double>::infinity();
    }
    return actions::largest(scores_, clock.t, key_).arm;
  }

  bool is_leader(std::size_t i) const noexcept { return static_cast<Arm>(i) == leader_; }

  double chance(std::size_t i, const indices::Clock& clock) const noexcept {
    return is_leader(i) ? posterior_.chance_below(states_[i], clock, threshold_)
                        : posterior_.chance_above(states_[i], clock, threshold_);
  }

  /// Chooses leader, length and threshold, and bounds the chances. False: not worth it.
  bool begin_stretch(const indices::Clock& start) noexcept {
    stretch_end_ = 0;
    retry_at_ = start.t + kPlainRoundsBeforeRetry;
    if (unobserved_) return false;
    leader_ = 0;
    for (std::size_t i = 1; i < states_.size(); ++i) {
      if (posterior_.mean(states_[i], start) >
          posterior_.mean(states_[static_cast<std::size_t>(leader_)], start)) {
        leader_ = static_cast<Arm>(i);
      }
    }
    // Short enough that no posterior moves by more than a fraction of its deviation: bounds stay
    // tight.
    double log_length = 0.7;
    for (const auto& state : states_) {
      log_length =
          std::min(log_length, 0.3 * posterior_.deviation(state, start) / posterior_.drift(state));
    }
    const auto length = static_cast<Round>(static_cast<double>(start.t) * std::expm1(log_length));
    const Round end =
        start.t + std::min(estimator_.remaining(leader_), std::max<Round>(1, length)) - 1;
    const indices::Clock last = indices::Clock::at(end);
    choose_threshold(start, last);
    double total = 0;
    for (std::size_t i = 0; i < states_.size() && total <= kWorthwhile; ++i) {
      Thinned& arm = thinned_[i];
      // A hair more and less, so that rounding in a round's own chance cannot cross them.
      arm.bound = chance(i, is_leader(i) ? start : last) * (1 + 1e-9) + 1e-300;
      total += arm.bound;
    }
    if (!(total <= kWorthwhile)) return false;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      Thinned& arm = thinned_[i];
      arm.floor = chance(i, is_leader(i) ? last : start) * (1 - 1e-9);
      arm.candidate = start.t + gap(arm.bound);
    }
    stretch_end_ = end;
    return true;
  }

  /// Equally many deviations from the leader and from its closest rival. Any threshold is exact;
  /// this one is rarely far from the best.
  void choose_threshold(const indices::Clock& start, const indices::Clock& last) noexcept {
    const auto& lead = states_[static_cast<std::size_t>(leader_)];
    const double mean = posterior_.mean(lead, start);
    const double deviation = posterior_.deviation(lead, start);
    threshold_ = 0;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (is_leader(i)) continue;
      const double rival = posterior_.mean(states_[i], last);
      const double spread = posterior_.deviation(states_[i], last);
      threshold_ = std::max(threshold_, (mean * spread + rival * deviation) / (spread + deviation));
    }
  }

  /// Rounds before the next candidate of an arm with this bound.
  Round gap(double bound) noexcept {
    const double rounds =
        std::floor(std::log(random::uniform_open(decisions_)) / std::log1p(-bound));
    return rounds < static_cast<double>(kLastRound) ? static_cast<Round>(rounds) : kLastRound;
  }

  Round next_candidate() const noexcept {
    Round next = thinned_[0].candidate;
    for (const Thinned& arm : thinned_) next = std::min(next, arm.candidate);
    return next;
  }

  Arm play_candidate(const indices::Clock& clock) noexcept {
    bool calm = true;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      Thinned& arm = thinned_[i];
      arm.restless = false;
      if (arm.candidate != clock.t) continue;
      arm.candidate = clock.t + 1 + gap(arm.bound);
      const double height = random::uniform_open(decisions_) * arm.bound;
      arm.restless = height < arm.floor || height < chance(i, clock);
      calm = calm && !arm.restless;
    }
    if (calm) return leader_;
    // Arms that do not get a score cannot win: below y while somebody is not.
    const auto leader = static_cast<std::size_t>(leader_);
    const bool leader_fell = thinned_[leader].restless;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (i == leader) {
        scores_[i] = leader_fell
                         ? posterior_.sample_below(states_[i], clock, threshold_, decisions_)
                         : posterior_.sample_above(states_[i], clock, threshold_, decisions_);
      } else if (thinned_[i].restless) {
        scores_[i] = posterior_.sample_above(states_[i], clock, threshold_, decisions_);
      } else if (leader_fell) {
        scores_[i] = posterior_.sample_below(states_[i], clock, threshold_, decisions_);
      } else {
        scores_[i] = 0;
      }
    }
    return actions::largest(scores_, clock.t, key_).arm;
  }

  Estimator estimator_;
  Posterior posterior_;
  Pace pace_;
  random::SimulationKey key_;
  random::SimulationStream decisions_;
  std::vector<typename Posterior::State> states_;
  std::vector<double> scores_;
  std::vector<Thinned> thinned_;
  bool unobserved_ = true;
  Round retry_at_ = 0;
  Round stretch_end_ = 0;  // 0: no stretch
  Arm leader_ = 0;
  double threshold_ = 0;
};

}  // namespace tacit::policies
