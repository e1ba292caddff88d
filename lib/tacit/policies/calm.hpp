// Posterior sampling without sampling: which rounds are surely won by the action that leads anyway.
//
// Give every arm a threshold y. An arm of the leading action is *restless* in a round when its sample is below its y,
// any other arm when its sample is not below its y. Thresholds are such that the action is best for whatever samples
// as long as nobody is restless: an arm outside has at most the threshold of each of its guards inside
// (actions::Oracle::guards), or, for sets without guards, the action is best if every sample is its threshold. In a
// calm round the leading action is played and nothing is drawn.
//
// Arms are restless independently of each other, and of other rounds given the posteriors. For a stretch of rounds
// every arm has a bound on its chance: an arm inside may wander, as it is played, within a region whose lowest state
// gives the bound; when it leaves, it gets a new one. An arm outside stands still and its chance is its bound, unless
// posteriors move with the round: then the bound is that at the end of the stretch which is worse.
//
// Who may be restless is found by thinning. An arm with bound B is a candidate with probability B in every round: when
// a Poisson process of rate 1 has a point in a piece of length -ln(1 - B). The pieces of all arms, end to end, are a
// round, so one exponential draw says when the next candidate comes. A candidate is restless with
// probability (its chance now)/B. If somebody is, samples are drawn conditioned on who is and who is not. So actions
// have exactly the law that they have when every arm is sampled in every round, whatever the thresholds are.
//
// When candidates would be too frequent (early rounds, close arms) there is no stretch, and rounds are played plainly.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <type_traits>
#include <vector>

#include "tacit/actions/single.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/core/round.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies {

template <class Posterior>
class Calm {
  using Clock = indices::Clock;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  /// Whether posteriors move with the round: upwards.
  static constexpr bool kDrifts = requires(const Posterior& p, const typename Posterior::State& s) {
    p.drift(s);
  };

 public:
  using State = typename Posterior::State;

  /// sums_fall: whether noise can make a sum smaller than it was.
  Calm(int arms, bool sums_fall) : sums_fall_(sums_fall), arms_(arms) {}

  /// The first round that needs a thought. Until then the action is what it is.
  Round next() const noexcept { return next_; }
  std::span<const Arm> action() const noexcept { return action_; }

  /// Everything may have changed.
  void forget() noexcept {
    next_ = end_ = retry_at_ = 0;
    stale_.clear();
  }

  /// This arm's posterior is another one.
  void changed(const Posterior& posterior, Arm arm, const State& state) {
    if (end_ == 0) return;
    Watched& it = arms_[arm];
    if (it.stale || (it.inside && posterior.covers(it.edge, state))) return;
    it.stale = true;
    stale_.push_back(arm);
    next_ = 0;
  }

  /// Whether round t belongs to a stretch, the present or a new one. Actions is the oracle.
  template <class Actions>
  bool reaches(const Posterior& posterior, const PerArm<State>& states, const Clock& clock,
               Actions& actions, random::Dice& dice) {
    if (end_ > 0 && goes_on(posterior, states, clock, dice)) return true;
    if (clock.t < retry_at_) return false;
    if (begin(posterior, states, clock, actions, dice)) return true;
    give_up(clock.t);
    return false;
  }

  /// Round t is in a stretch and needs a thought: whether somebody is restless.
  bool anyone_restless(const Posterior& posterior, const PerArm<State>& states, const Clock& clock,
                       random::Dice& dice) {
    bool anyone = false;
    somebody_fell_ = false;
    // The first point in this round, given that there is one.
    double point =
        -std::log1p(random::uniform_open(dice.decisions()) * std::expm1(-length_of_round_));
    double passed = 0;
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      Watched& it = arms_[arm];
      it.restless = false;
      passed += it.length;
      if (passed <= point) continue;
      it.restless = is_restless(posterior, it, states[arm], clock, dice);
      anyone = anyone || it.restless;
      somebody_fell_ = somebody_fell_ || (it.restless && it.inside);
      point = passed + random::exponential(dice.decisions(), 1);
    }
    find_candidate(clock.t + 1, dice);
    return anyone;
  }

  /// A sample given who is restless. An arm that cannot get into the action need not be drawn: what keeps it out are
  /// guards, none of which fell.
  double sample(const Posterior& posterior, Arm arm, const State& state, const Clock& clock,
                random::Dice& dice) const {
    const Watched& it = arms_[arm];
    if (std::isinf(it.threshold)) return posterior.sample(state, clock, dice.decisions());
    if (it.inside != it.restless)
      return posterior.sample_above(state, clock, it.threshold, dice.decisions());
    if (by_order_ && !somebody_fell_) return -kInfinity;
    return posterior.sample_below(state, clock, it.threshold, dice.decisions());
  }

 private:
  struct Watched {
    State edge{};          // inside: the lowest state that the bound holds for
    double threshold = 0;  // infinite: never restless
    double bound = 0;      // on the chance of being restless
    double length = 0;     // -ln(1 - bound)
    bool inside = false;
    bool restless = false;
    bool stale = false;  // its bound is not valid any more
  };

  static constexpr Round kPlainRounds = 64;   // before a stretch is tried again
  static constexpr Round kShortStretch = 16;  // not worth its beginning

  /// How many candidates a round are still worth it.
  double most_candidates() const noexcept {
    return arms_.arms() / (arms_.arms() + Posterior::kSamplesPerCandidate);
  }

  void give_up(Round t) noexcept {
    forget();
    retry_at_ = t + kPlainRounds;
  }

  // ---- bounds

  void bound(const Posterior& posterior, Arm arm, const State& state, const Clock& now) noexcept {
    Watched& it = arms_[arm];
    it.stale = false;
    if (std::isinf(it.threshold)) {
      it.bound = 0;
      it.edge = state;
    } else if (it.inside) {
      it.edge = state;
      if constexpr (!kDrifts) {
        it.edge = posterior.lowered(state, now, room(posterior, it, state, now), sums_fall_);
      }
      it.bound = posterior.chance_below(it.edge, now, it.threshold);
    } else {
      it.bound = posterior.chance_above(state, kDrifts ? last_ : now, it.threshold);
    }
    if (moves(it)) it.bound *= 1 + 1e-9;  // so that rounding cannot carry a chance beyond it
    it.length = it.bound < 1 ? -std::log1p(-it.bound) : kInfinity;
  }
  /// Whether an arm's chance may be another one than its bound.
  static bool moves(const Watched& it) noexcept { return kDrifts || it.inside; }

  /// By how many deviations an arm inside may sink before its bound is computed again. Its mean wanders by one in
  /// about 1/deviation rounds at worst: so much that a candidate is no more frequent than that.
  static double room(const Posterior& posterior, const Watched& it, const State& state,
                     const Clock& now) noexcept {
    const double deviation = posterior.deviation(state, now);
    const double height = (posterior.mean(state, now) - it.threshold) / deviation;
    constexpr double kLeast = 0.5;
    return std::max(kLeast, height - std::sqrt(std::max(0.0, -2 * std::log(deviation))));
  }

  bool is_restless(const Posterior& posterior, const Watched& it, const State& state,
                   const Clock& clock, random::Dice& dice) const {
    if (!moves(it)) return true;
    const double chance = it.inside ? posterior.chance_below(state, clock, it.threshold)
                                    : posterior.chance_above(state, clock, it.threshold);
    return random::uniform_open(dice.decisions()) * it.bound < chance;
  }

  void add_up() noexcept {
    length_of_round_ = 0;
    for (const Watched& it : arms_) length_of_round_ += it.length;
  }

  /// The first candidate round from t on.
  void find_candidate(Round t, random::Dice& dice) noexcept {
    const double rounds = std::floor(random::exponential(dice.decisions(), 1) / length_of_round_);
    candidate_ =
        rounds < static_cast<double>(kLastRound - t) ? t + static_cast<Round>(rounds) : kLastRound;
    next_ = std::min(candidate_, end_ + 1);
  }

  // ---- stretches

  bool goes_on(const Posterior& posterior, const PerArm<State>& states, const Clock& clock,
               random::Dice& dice) {
    if (clock.t > end_) {
      forget();
      return false;
    }
    if (!stale_.empty()) {
      for (const Arm arm : stale_) bound(posterior, arm, states[arm], clock);
      stale_.clear();
      add_up();
      if (length_of_round_ > longest_round_) {
        if (clock.t < begun_ + kShortStretch) {
          give_up(clock.t);
        } else {
          forget();
        }
        return false;
      }
      candidate_ = 0;
    }
    if (candidate_ < clock.t) find_candidate(clock.t, dice);
    return true;
  }

  template <class Actions>
  bool begin(const Posterior& posterior, const PerArm<State>& states, const Clock& start,
             Actions& actions, random::Dice& dice) {
    forget();
    if (!can_stand(actions)) return false;
    find_leading(posterior, states, start, actions, dice);
    for (const Arm arm : action_) {
      if (!posterior.observed(states[arm])) return false;
    }
    last_ = end_of_stretch(posterior, states, start);
    if (!choose_thresholds(posterior, states, start, actions)) return false;
    if (!promising(posterior, states, start)) return false;
    for (Arm arm = 0; arm < arms_.arms(); ++arm) bound(posterior, arm, states[arm], start);
    add_up();
    if (!(length_of_round_ <= most_candidates())) return false;
    longest_round_ = std::min(most_candidates(), 2 * length_of_round_ + 1e-3);
    begun_ = start.t;
    end_ = last_.t;
    find_candidate(start.t, dice);
    return true;
  }

  /// Whether the oracle can say for how long a choice stands.
  template <class Actions>
  static bool can_stand(Actions& actions) {
    if constexpr (std::is_same_v<Actions, actions::Single>) {
      return true;
    } else {
      return actions.oracle().skipping() != actions::Skipping::kNever;
    }
  }

  /// The action that is best for the means.
  template <class Actions>
  void find_leading(const Posterior& posterior, const PerArm<State>& states, const Clock& start,
                    Actions& actions, random::Dice& dice) {
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      actions.score(arm) = posterior.mean(states[arm], start);
      arms_[arm].inside = false;
    }
    actions.scored();
    const actions::ChosenSet leading = actions.choose(start.t, dice);
    action_.assign(leading.arms.begin(), leading.arms.end());
    for (const Arm arm : action_) arms_[arm].inside = true;
  }

  /// Posteriors that move: before one does by more than a fraction of its deviation. Else it is for the thresholds
  /// that a stretch ends, which fit ever less.
  Clock end_of_stretch(const Posterior& posterior, const PerArm<State>& states,
                       const Clock& start) const noexcept {
    if constexpr (kDrifts) {
      double log_length = 0.7;
      for (const State& state : states) {
        if (!posterior.observed(state)) continue;
        log_length =
            std::min(log_length, 0.3 * posterior.deviation(state, start) / posterior.drift(state));
      }
      const auto more = static_cast<Round>(static_cast<double>(start.t) * std::expm1(log_length));
      return indices::clock_of(posterior, start.t + more);
    } else {
      return indices::clock_of(posterior, start.t + start.t / 4 + kPlainRounds);
    }
  }

  // ---- thresholds

  template <class Actions>
  bool choose_thresholds(const Posterior& posterior, const PerArm<State>& states,
                         const Clock& start, Actions& actions) {
    if constexpr (std::is_same_v<Actions, actions::Single>) {
      by_order_ = true;
      return by_guards(posterior, states, start, [this](Arm) { return action(); });
    } else {
      actions::Oracle& oracle = actions.oracle();
      by_order_ = oracle.skipping() == actions::Skipping::kByOrder;
      return by_order_ ? by_guards(posterior, states, start,
                                   [&oracle](Arm outside) { return oracle.guards(outside); })
                       : by_value(posterior, states, start, oracle);
    }
  }

  /// Between each arm outside and each of its guards about where they are restless least often; a guard has the highest
  /// of its thresholds, an arm outside the lowest of its guards'.
  template <class Guards>
  bool by_guards(const Posterior& posterior, const PerArm<State>& states, const Clock& start,
                 Guards guards_of) {
    for (const Arm arm : action_) arms_[arm].threshold = -kInfinity;
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      if (arms_[arm].inside) continue;
      const std::span<const Arm> guards = guards_of(arm);
      if (guards.empty()) continue;
      const double mean = posterior.mean(states[arm], last_);  // infinite before it is observed
      const double deviation = posterior.deviation(states[arm], last_);
      for (const Arm guard : guards) {
        const double top = posterior.mean(states[guard], start);
        if (!(top > mean)) return false;
        const double spread = posterior.deviation(states[guard], start);
        double& threshold = arms_[guard].threshold;
        threshold = std::max(threshold, cut(top, spread, mean, deviation));
      }
    }
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      if (arms_[arm].inside) continue;
      double lowest = kInfinity;
      for (const Arm guard : guards_of(arm)) lowest = std::min(lowest, arms_[guard].threshold);
      arms_[arm].threshold = lowest;
    }
    return true;
  }

  /// The height y between two normal laws, that of a guard above, with the fewest samples on the wrong side. Where
  /// they are z deviations from both, phi(z)/spread and phi(z)/deviation are the slopes of what is lost on either side;
  /// y is moved from there until they are equal, to first order.
  static double cut(double top, double spread, double mean, double deviation) noexcept {
    const double z = (top - mean) / (spread + deviation);
    const double more = std::clamp(std::log(deviation / spread) / z, -z / 2, z / 2);
    return top - spread * (z + more * deviation / (spread + deviation));
  }

  /// Equally many deviations from all means, as many as leave the action the best.
  bool by_value(const Posterior& posterior, const PerArm<State>& states, const Clock& start,
                actions::Oracle& oracle) {
    const auto still_best = [&](double deviations) {
      trial_.clear();
      for (Arm arm = 0; arm < arms_.arms(); ++arm) {
        const State& state = states[arm];
        trial_.push_back(
            arms_[arm].inside
                ? posterior.mean(state, start) - deviations * posterior.deviation(state, start)
                : posterior.mean(state, last_) + deviations * posterior.deviation(state, last_));
      }
      return oracle.still_best(trial_);
    };
    for (const State& state : states) {
      if (!posterior.observed(state)) return false;
    }
    double low = 1;
    double high = 16;
    if (!still_best(low)) return false;
    for (int step = 0; step < 8; ++step) {
      const double middle = 0.5 * (low + high);
      (still_best(middle) ? low : high) = middle;
    }
    still_best(low);
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      arms_[arm].threshold = trial_[static_cast<std::size_t>(arm)];
    }
    return true;
  }

  /// A guess, as if all posteriors were normal, because chances are dear.
  bool promising(const Posterior& posterior, const PerArm<State>& states,
                 const Clock& start) const noexcept {
    double candidates = 0;
    for (Arm arm = 0; arm < arms_.arms(); ++arm) {
      const Watched& it = arms_[arm];
      if (std::isinf(it.threshold)) continue;
      const double height = std::abs(posterior.mean(states[arm], start) - it.threshold) /
                            posterior.deviation(states[arm], start);
      candidates += 0.5 * std::erfc(height * std::numbers::sqrt2 / 2);
    }
    return candidates <= most_candidates();
  }

  bool sums_fall_;
  PerArm<Watched> arms_;
  std::vector<Arm> action_;  // the leading one
  std::vector<Arm> stale_;
  std::vector<double> trial_;
  bool by_order_ = true;
  bool somebody_fell_ = false;
  double length_of_round_ = 0;
  double longest_round_ = 0;  // that is still worth it
  Round begun_ = 0;
  Round end_ = 0;  // 0: no stretch
  Round candidate_ = 0;
  Round next_ = 0;
  Round retry_at_ = 0;
  Clock last_{};
};

}  // namespace tacit::policies
