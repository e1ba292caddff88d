// How long a chosen set stands while estimates do and indices only grow with the round.
//
// Exact for UCB curves on matroids, where the difference of two curves is monotone in ln t: a pair
// that is in order at both ends of a stretch is in order throughout, so that only pairs out of order
// at the end need their crossing computed. For concave indices a proof by chords and tangents
// (indices/concave.hpp), elsewhere a bound, neither ever too late. Where rounding could decide an
// order, the answer is the present round: the policy decides again in the next.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/concave.hpp"
#include "tacit/indices/ucb.hpp"

namespace tacit::policies {

/// Whether an index's states have a closed-form crossing. Clipped ones do not: they meet at the clip
/// and stay together.
template <class Index>
concept HasCrossings = !requires {
  Index::kClipped;
}
&&requires(const typename Index::State& s, const indices::Clock& c) {
  indices::leads_until(s, s, c);
};

/// For single arms, which need no memory for it.
struct NoCrossing {};

/// The last round up to `limit` in which the leader of the clock's round surely still leads the challenger.
template <class Index>
Round pair_stands_until(const Index& index, const typename Index::State& leader,
                        const typename Index::State& challenger, const indices::Clock& clock,
                        Round limit) {
  if constexpr (HasCrossings<Index>) {
    return std::min(limit, indices::leads_until(leader, challenger, clock));
  } else {
    return indices::leads_until(index, leader, challenger, clock, limit);
  }
}

/// The last round up to `limit` in which this arm, chosen at `clock` without a tie, surely still leads.
template <class Index>
Round arm_stands_until(const Index& index, const PerArm<typename Index::State>& states, Arm leader,
                       const indices::Clock& clock, Round limit) {
  for (Arm arm = 0; arm < states.arms() && limit > clock.t; ++arm) {
    if (arm == leader) continue;
    limit = pair_stands_until(index, states[leader], states[arm], clock, limit);
  }
  return limit;
}

class Crossing {
 public:
  /// The last round up to `limit` in which the oracle's last choice, made at `clock` without a tie,
  /// is surely what it would choose again.
  template <class Index>
  Round choice_stands_until(actions::Oracle& oracle, std::span<const Arm> action,
                            const Index& index, const PerArm<typename Index::State>& states,
                            const indices::Clock& clock, Round limit) {
    if (limit <= clock.t) return clock.t;
    switch (oracle.skipping()) {
      case actions::Skipping::kByOrder:
        return by_order(oracle, action, index, states, clock, limit);
      case actions::Skipping::kByValue:
        return by_value(oracle, action, index, states, clock, limit);
      case actions::Skipping::kNever: break;
    }
    return clock.t;
  }

 private:
  /// Whether a leads b by more than rounding can account for.
  static bool clearly_above(double a, double b) noexcept {
    return a - b > kDoubt * (1 + std::abs(b));
  }

  void mark(std::span<const Arm> action, int arms) {
    inside_.assign(static_cast<std::size_t>(arms), 0);
    for (const Arm arm : action) inside_[static_cast<std::size_t>(arm)] = 1;
  }

  template <class Index>
  void evaluate(const Index& index, const PerArm<typename Index::State>& states, Round t) {
    const indices::Clock clock = indices::clock_of(index, t);
    later_.clear();
    for (const auto& state : states) later_.push_back(index.value(state, clock));
  }

  /// Whether the guard surely stays above the arm over the whole stretch.
  template <class Index>
  bool proven(std::span<const double> now, std::size_t guard, std::size_t arm) const {
    if constexpr (HasCrossings<Index>) {
      return clearly_above(now[guard], now[arm]) && clearly_above(later_[guard], later_[arm]);
    } else {
      return indices::leads_between(first_[guard], last_[guard], first_[arm], last_[arm], length_);
    }
  }

  template <class Index>
  Round by_order(actions::Oracle& oracle, std::span<const Arm> action, const Index& index,
                 const PerArm<typename Index::State>& states, const indices::Clock& clock,
                 Round limit) {
    mark(action, states.arms());
    const std::span<const double> now = oracle.scores();
    Round until = limit;
    if constexpr (HasCrossings<Index>) {
      evaluate(index, states, limit);
    } else {
      const indices::Clock end = indices::clock_of(index, limit);
      length_ = std::log(static_cast<double>(limit) / static_cast<double>(clock.t));
      first_.clear();
      last_.clear();
      for (const auto& state : states) {
        first_.push_back(index.concave(state, clock));
        last_.push_back(index.concave(state, end));
      }
    }
    for (Arm outside = 0; outside < states.arms() && until > clock.t; ++outside) {
      const auto e = static_cast<std::size_t>(outside);
      if (inside_[e] != 0) continue;
      for (const Arm guard : oracle.guards(outside)) {
        const auto f = static_cast<std::size_t>(guard);
        if (proven<Index>(now, f, e)) continue;
        until = pair_stands_until(index, states[guard], states[outside], clock, until);
        if (until <= clock.t) break;
      }
    }
    return std::max(until, clock.t);
  }

  template <class Index>
  Round by_value(actions::Oracle& oracle, std::span<const Arm> action, const Index& index,
                 const PerArm<typename Index::State>& states, const indices::Clock& clock,
                 Round limit) {
    mark(action, states.arms());
    const std::span<const double> now = oracle.scores();
    // Shorter and shorter stretches; the policy looks again at the end of the first that is safe.
    while (limit > clock.t) {
      evaluate(index, states, limit);
      for (std::size_t i = 0; i < later_.size(); ++i) {
        if (inside_[i] != 0) later_[i] = now[i];
      }
      if (oracle.still_best(later_)) return limit;
      limit = clock.t + (limit - clock.t) / 8;
    }
    return clock.t;
  }

  static constexpr double kDoubt = 1e-12;
  std::vector<char> inside_;
  std::vector<double> later_;
  std::vector<indices::ConcaveIndex> first_, last_;  // at the ends of a stretch
  double length_ = 0;                                // of the stretch, in ln t
};

}  // namespace tacit::policies
