// Indices that are increasing, and where they are above 0 concave, in ln t while their estimates
// stand: how long one surely stays above another.
//
// Over a stretch of rounds such an index lies above the chord between its ends and below its tangents
// at both. So a leader's chord above the lower of a challenger's two tangents proves the whole
// stretch; that difference is convex and piecewise linear, and it is enough to look at the ends and
// at the point where the tangents meet. The proof misses the truth by the square of the stretch's
// length, which lets long stretches pass even when two indices run close to each other.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/core/round.hpp"
#include "tacit/indices/clock.hpp"

namespace tacit::indices {

/// What an index finder of the last digits may be wrong by; closer than that counts as tied.
inline constexpr double kConcaveDoubt = 1e-11;

struct ConcaveIndex {
  double value = 0;
  double slope = 0;  // in ln t
  double doubt = kConcaveDoubt;
  // Close to 1 what is left of 1 tells indices apart, where that is known.
  double rest = std::numeric_limits<double>::infinity();
  double rest_doubt = 0;

  bool near_one() const noexcept { return std::isfinite(rest); }
  ConcaveIndex from_one() const noexcept { return {-rest, slope, rest_doubt}; }
};

/// Whether the leader is above the challenger in all rounds between two, given both at the ends, which are `length` apart in
/// ln t. Both are concave.
inline bool leads_concavely(const ConcaveIndex& leader_first, const ConcaveIndex& leader_last,
                            const ConcaveIndex& first, const ConcaveIndex& last, double length) {
  const double doubt = std::max({leader_first.doubt, leader_last.doubt, first.doubt, last.doubt});
  const auto clearly = [doubt](double a, double b) { return a - b > doubt; };
  if (!clearly(leader_first.value, first.value) || !clearly(leader_last.value, last.value)) {
    return false;
  }
  // At the start the challenger is at most its value there, at the end likewise; between them the
  // tangents meet, unless the index is a line.
  const double bend = first.slope - last.slope;
  if (!(bend > 0)) return true;
  const double rise = last.value - first.value - last.slope * length;
  const double meet = std::clamp(rise / bend, 0.0, length);
  const double highest = first.value + first.slope * meet;
  const double chord =
      leader_first.value + (leader_last.value - leader_first.value) * (meet / length);
  return clearly(chord, highest);
}

/// The same of any two.
inline bool leads_between(const ConcaveIndex& leader_first, const ConcaveIndex& leader_last,
                          const ConcaveIndex& first, const ConcaveIndex& last, double length) {
  if (std::isinf(leader_first.value)) return !std::isinf(first.value);  // not observed: comes first
  if (leader_first.near_one() && leader_last.near_one() && first.near_one() && last.near_one()) {
    return leads_concavely(leader_first.from_one(), leader_last.from_one(), first.from_one(),
                           last.from_one(), length);
  }
  // An index of 0 may mean that no mean is plausible yet; only from there on is it concave.
  if (first.value <= 0) {
    return leader_first.value - last.value > std::max(leader_first.doubt, last.doubt);
  }
  return leads_concavely(leader_first, leader_last, first, last, length);
}

/// The last round up to `limit` in which the leader of the clock's round surely still leads; at least
/// that round.
template <class Index, class State>
Round leads_until(const Index& index, const State& leader, const State& challenger,
                  const Clock& clock, Round limit) {
  constexpr int kLooks = 60;
  Round reached = clock.t;
  ConcaveIndex leads = index.concave(leader, clock);
  ConcaveIndex follows = index.concave(challenger, clock);
  Round step = limit - reached;
  for (int look = 0; look < kLooks && step > 0 && reached < limit; ++look) {
    const Round end = reached + std::min(step, limit - reached);
    const Clock later = clock_of(index, end);
    const double length = std::log(static_cast<double>(end) / static_cast<double>(reached));
    const ConcaveIndex leads_there = index.concave(leader, later);
    const ConcaveIndex follows_there = index.concave(challenger, later);
    if (leads_between(leads, leads_there, follows, follows_there, length)) {
      reached = end;
      leads = leads_there;
      follows = follows_there;
      step = step > limit / 2 ? limit : 2 * step;
    } else {
      step = (end - reached) / 4;
    }
  }
  return reached;
}

}  // namespace tacit::indices
