// Which of many independent posterior samples is the largest, without drawing them.
//
// A random variable with distribution function F is the highest point of a Poisson process with intensity d ln F. So
// the largest sample belongs to the arm that owns the highest point of all arms' processes together. Thresholds
// 1 > y_0 > y_1 > ... cut [0, 1] into cells; an arm has in the cell above y_c the mass ln F(y_{c-1}) - ln F(y_c). One walks
// down: a cell's points are as many as a Poisson variable with the cell's total mass, and each is an arm's with
// probability proportional to its mass. In the first cell that is not empty somebody's sample lies. If all its points are one
// arm's, that arm's sample is the largest; else the samples of those arms are drawn, conditioned on that cell. What lies
// below a cell does not depend on what lies above.
//
// Masses never fall while an arm's estimate stands (the contract of a posterior, indices/shifted_beta.hpp). So over a
// stretch of rounds, of each arm's own length, the mass at its end is a bound. Candidates are drawn by bounds, and one
// counts with probability mass/bound; a mass of an earlier round is a floor, which settles most cases without computing
// anything. A new estimate, or the end of a stretch, concerns the masses of one arm.
//
// One arm, the leader, is kept apart. A round is calm when its sample is above some y_c and nobody else has a candidate
// there: then the leader wins. Calm rounds need not be looked at one by one.
//
// Cost: a walk takes one or two exponential variables and as many descents in a tree of arms; a new estimate one
// distribution function a cell. Thresholds are placed anew, for all arms, when the law of the maximum has moved.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "tacit/core/per_arm.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/first_expiry.hpp"
#include "tacit/policies/mass_tree.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies {

/// Arms has arms(), of(arm), and index(): the posterior.
template <class Arms>
class PosteriorLadder {
  static constexpr int kCells = 12;
  using Clock = indices::Clock;
  using Masses = typename MassTree<kCells>::Masses;

 public:
  explicit PosteriorLadder(int arms)
      : columns_(arms), tree_(arms), expiry_(arms), changed_(arms, 0) {
    owners_.reserve(static_cast<std::size_t>(arms));
    waiting_.reserve(static_cast<std::size_t>(arms));
  }

  /// Everything may have changed.
  void forget() noexcept { placed_ = false; }
  /// An arm's estimate did.
  void changed(Arm arm) {
    if (changed_[arm] != 0) return;
    changed_[arm] = 1;
    waiting_.push_back(arm);
  }

  /// Before anything is asked about round t. True when what was said of calm rounds no longer holds.
  bool advance(const Arms& arms, Round t) {
    if (placed_ && waiting_.empty() && t <= expiry_.round()) [[likely]]
      return false;
    const Clock now = Clock::at(t);
    if (placed_) {
      for (const Arm arm : waiting_) refresh(arms, arm, now, true);
      while (expiry_.round() < t) refresh(arms, expiry_.arm(), now, false);
      forget_waiting();
      add_up();
    }
    if (!placed_ || (out_of_place() && work_ * 4 >= arms.arms())) place(arms, now);
    find_calm(arms, now);
    return true;
  }

  /// The chance that a round up to expires() is not calm, at most; 1 where there is no telling.
  double restless_chance() const noexcept { return restless_; }
  Arm leader() const noexcept { return leader_; }
  Round expires() const noexcept { return expiry_.round(); }

  /// Who has the largest sample in round t.
  template <class G>
  Arm winner(const Arms& arms, Round t, G& generator) {
    return walk(arms, t, 0, generator);
  }

  /// The same in a round that may not be calm: one of those that come with restless_chance().
  template <class G>
  Arm winner_of_restless(const Arms& arms, Round t, G& generator) {
    owners_.clear();
    const double u = random::uniform_open(generator) * restless_;
    int cell = 0;
    bool falls = true;
    if (u < somebody_) {
      cell = first_of_others(arms, t, -std::log1p(-u), generator);
      falls = random::uniform_open(generator) < leader_below_most_[at(calm_ - 1)];
    }
    if (falls) falls = really_falls(arms, t, generator);
    if (owners_.empty()) return falls ? walk(arms, t, calm_, generator) : leader_;
    if (falls) return largest_of_owners(arms, t, cell, generator);
    return against_leader(arms, t, cell, generator);
  }

 private:
  /// Where to cut: the masses above each threshold, of all arms together. Small cells where the maximum mostly is; in the
  /// last ones it hardly ever is, but a leader's sample is above them surely.
  static constexpr std::array<double, kCells> kAbove = {0.25, 0.5, 0.75, 1,  1.5, 2,
                                                        3,    4.5, 7,    11, 17,  27};
  static constexpr int kMiddle = 3;
  // Looking at a round costs about as much as finding out when the next one is to be looked at.
  static constexpr double kWorthwhile = 0.5;
  static constexpr double kCrowded = 60;
  // A hair more and less, so that rounding in a round's own mass cannot cross a bound.
  static constexpr double kMore = 1 + 1e-9;
  static constexpr double kLess = 1 - 1e-9;
  // In ln t: what makes a slope that rounding does not spoil.
  static constexpr double kApart = 1e-3;

  /// What is known of an arm's mass in a cell besides its bound, by rounds in which it was computed.
  struct Known {
    double floor = 0;  // the latest, or 0
    // Of the chance to be in the cell, if not above, the logarithm: concave in ln t, so that it is above its chords and
    // below what they point to.
    double log_t = -1;  // when it was computed; before round 1: not since the estimate came
    double log_chance = 0;
    double slope = std::numeric_limits<double>::infinity();  // up to then
    double log_chance_at_end = 1;                            // positive: not computed
  };
  struct Column {
    Masses bound = {};  // at the stretch's end
    std::array<Known, kCells> known = {};
    double log_end = 0;
    double mean = 0;
  };

  static constexpr std::size_t at(int cell) noexcept { return static_cast<std::size_t>(cell); }
  double top(int cell) const noexcept { return cell == 0 ? 1 : thresholds_[at(cell - 1)]; }

  // ---- masses

  double mass_in(const Arms& arms, Arm arm, const Clock& clock, int cell) const noexcept {
    const auto& state = arms.of(arm);
    return std::max(0.0, arms.index().log_below(state, clock, top(cell)) -
                             arms.index().log_below(state, clock, thresholds_[at(cell)]));
  }

  /// Short enough that masses where the maximum mostly is grow by no more than a third or so.
  Round stretch_end(const Arms& arms, Arm arm, const Clock& now) const noexcept {
    const auto& state = arms.of(arm);
    const double drift = arms.index().drift(state, now);
    if (drift == 0) return kLastRound;
    const double deviation = arms.index().deviation(state, now);
    const double distance = (thresholds_[kMiddle] - arms.index().mean(state, now)) / deviation;
    const double log_length =
        std::min(0.7, 0.3 * deviation / (drift * std::clamp(distance, 1.0, 6.0)));
    const double length = static_cast<double>(now.t) * std::expm1(log_length);
    return length < static_cast<double>(kLastRound - now.t) ? now.t + static_cast<Round>(length)
                                                            : kLastRound;
  }

  void refresh(const Arms& arms, Arm arm, const Clock& now, bool new_estimate) {
    const auto& state = arms.of(arm);
    Column& column = columns_[arm];
    const Round end = stretch_end(arms, arm, now);
    const Clock last = Clock::at(end);
    double above = 0;
    for (int cell = 0; cell < kCells; ++cell) {
      const double below = arms.index().log_below(state, last, thresholds_[at(cell)]);
      begin_stretch(column, cell, new_estimate);
      column.bound[at(cell)] = std::max(0.0, above - below) * kMore + 1e-300;
      above = below;
    }
    column.log_end = last.log_t;
    column.mean = arms.index().mean(state, now);
    expiry_.set(arm, end);
    ++work_;
    if (arm == leader_) {
      leader_started_ = false;
      if (new_estimate) lead(highest_mean());
    } else {
      tree_.set(arm, column.bound);
      if (column.mean > columns_[leader_].mean) lead(arm);
    }
  }

  void begin_stretch(Column& column, int cell, bool new_estimate) noexcept {
    Known& known = column.known[at(cell)];
    if (new_estimate) {
      known = {};
      return;
    }
    known.floor = column.bound[at(cell)] * kLess * kLess;
    if (known.log_t < 0 || known.log_chance_at_end > 0) {
      known.log_t = -1;
      return;
    }
    if (column.log_end - known.log_t >= kApart) {
      known.slope = (known.log_chance_at_end - known.log_chance) / (column.log_end - known.log_t);
    }
    known.log_t = column.log_end;
    known.log_chance = known.log_chance_at_end;
    known.log_chance_at_end = 1;
  }

  Arm highest_mean() const noexcept {
    Arm best = 0;
    for (Arm arm = 1; arm < columns_.arms(); ++arm) {
      if (columns_[arm].mean > columns_[best].mean) best = arm;
    }
    return best;
  }

  void lead(Arm arm) noexcept {
    if (arm == leader_) return;
    tree_.set(leader_, columns_[leader_].bound);
    tree_.set(arm, Masses{});
    leader_ = arm;
    leader_started_ = false;
  }

  void add_up() noexcept {
    double others = 0;
    double lead = 0;
    for (int cell = 0; cell < kCells; ++cell) {
      others += tree_.total(cell);
      lead += columns_[leader_].bound[at(cell)];
      others_[at(cell)] = others;
      all_[at(cell)] = others + lead;
      leader_below_least_[at(cell)] = std::exp(-lead);
    }
  }

  // ---- calm

  /// The threshold above which the leader is, and nobody else, most often.
  void find_calm(const Arms& arms, const Clock& now) noexcept {
    if (!find_calm(leader_below_least_)) return;
    if (!leader_started_) {
      for (int cell = 0; cell < kCells; ++cell) {
        leader_below_most_[at(cell)] =
            kMore * std::exp(arms.index().log_below(arms.of(leader_), now, thresholds_[at(cell)]));
      }
      leader_started_ = true;
    }
    find_calm(leader_below_most_);
  }
  bool find_calm(const Masses& leader_below) noexcept {
    restless_ = kWorthwhile;
    calm_ = 0;
    for (int cells = 1; cells <= kCells && others_[at(cells - 1)] < 1; ++cells) {
      const double somebody = -std::expm1(-others_[at(cells - 1)]);
      const double chance = somebody + (1 - somebody) * leader_below[at(cells - 1)];
      if (chance < restless_) {
        restless_ = chance;
        somebody_ = somebody;
        calm_ = cells;
      }
    }
    if (calm_ == 0) restless_ = 1;
    return calm_ > 0;
  }

  /// In a round in which the leader's sample is below the threshold of calm with the chance at most that it has: whether it
  /// is.
  template <class G>
  bool really_falls(const Arms& arms, Round t, G& generator) {
    const std::size_t cell = at(calm_ - 1);
    const double height = random::uniform_open(generator) * leader_below_most_[cell];
    return height < leader_below_least_[cell] ||
           height <
               std::exp(arms.index().log_below(arms.of(leader_), Clock::at(t), thresholds_[cell]));
  }

  /// The owners' samples lie in the cell, and the leader's above the threshold of calm.
  template <class G>
  Arm against_leader(const Arms& arms, Round t, int cell, G& generator) {
    const double height = random::uniform_open(generator);
    const auto is_above = [&](int c) {
      if (c == calm_ - 1) return true;
      const double most =
          (1 - leader_below_least_[at(c)]) - height * (1 - leader_below_most_[at(calm_ - 1)]);
      if (most <= 0) return false;
      const double least =
          (1 - leader_below_most_[at(c)]) - height * (1 - leader_below_least_[at(calm_ - 1)]);
      if (least > 0) return true;
      const Clock clock = Clock::at(t);
      const auto above = [&](int of) {
        return -std::expm1(arms.index().log_below(arms.of(leader_), clock, thresholds_[at(of)]));
      };
      return height * above(calm_ - 1) < above(c);
    };
    if (cell > 0 && is_above(cell - 1)) return leader_;
    if (is_above(cell)) owners_.push_back(leader_);
    return largest_of_owners(arms, t, cell, generator);
  }

  // ---- walking down

  static double log_chance_of(double mass) noexcept { return std::log(-std::expm1(-mass)); }
  static double mass_of(double log_chance) noexcept {
    return log_chance < 0 ? -std::log1p(-std::exp(log_chance))
                          : std::numeric_limits<double>::infinity();
  }

  /// Whether the candidate at this position of an arm's bound counts.
  bool counts(const Arms& arms, Arm arm, int cell, double position, Round t) {
    if (arm >= columns_.arms()) return false;
    Column& column = columns_[arm];
    Known& known = column.known[at(cell)];
    if (position < known.floor) return true;
    const Clock now = Clock::at(t);
    const bool computed = known.log_t >= 0;
    if (computed) {
      if (known.log_chance_at_end > 0) {
        known.log_chance_at_end = log_chance_of(column.bound[at(cell)]);
      }
      const double passed = now.log_t - known.log_t;
      const double share = passed / (column.log_end - known.log_t);
      if (position < kLess * mass_of(known.log_chance +
                                     share * (known.log_chance_at_end - known.log_chance))) {
        return true;
      }
      if (position > kMore * mass_of(known.log_chance + passed * known.slope)) return false;
    }
    const double mass = mass_in(arms, arm, now, cell);
    known.floor = mass * kLess;
    if (arms.index().is_concave(arms.of(arm), now) &&
        (!computed || now.log_t - known.log_t >= kApart)) {
      const double log_chance = log_chance_of(mass);
      if (computed) known.slope = (log_chance - known.log_chance) / (now.log_t - known.log_t);
      known.log_t = now.log_t;
      known.log_chance = log_chance;
    }
    return position < mass;
  }
  void own(const Arms& arms, Arm arm, int cell, double position, Round t) {
    if (std::find(owners_.begin(), owners_.end(), arm) != owners_.end()) return;
    if (counts(arms, arm, cell, position, t)) owners_.push_back(arm);
  }

  /// From this cell on, with nothing above. Masses are laid end to end, cell by cell, the leader's first in each;
  /// candidates are a Poisson process of rate 1 on them.
  template <class G>
  Arm walk(const Arms& arms, Round t, int cell, G& generator) {
    owners_.clear();
    double position = (cell == 0 ? 0 : all_[at(cell - 1)]) + random::exponential(generator, 1);
    for (;; position += random::exponential(generator, 1)) {
      if (cell < kCells && position >= all_[at(cell)]) {
        if (!owners_.empty()) return largest_of_owners(arms, t, cell, generator);
        while (cell < kCells && position >= all_[at(cell)]) ++cell;
      }
      if (cell == kCells) return largest_below(arms, t, thresholds_[kCells - 1], generator);
      const double start = cell == 0 ? 0 : all_[at(cell - 1)];
      if (owners_.empty() && all_[at(cell)] - start > kCrowded) {
        return largest_below(arms, t, top(cell), generator);
      }
      const double lead = columns_[leader_].bound[at(cell)];
      if (position - start < lead) {
        own(arms, leader_, cell, position - start, t);
      } else {
        const auto found = tree_.at(cell, position - start - lead);
        own(arms, found.arm, cell, found.position, t);
      }
    }
  }

  /// The highest cell above the threshold of calm in which others than the leader have points, and whose. Their first
  /// candidate is at this position.
  template <class G>
  int first_of_others(const Arms& arms, Round t, double position, G& generator) {
    int cell = 0;
    for (;; position += random::exponential(generator, 1)) {
      if (position >= others_[at(cell)] && !owners_.empty()) return cell;
      while (cell < calm_ && position >= others_[at(cell)]) ++cell;
      if (cell == calm_) return cell;
      const auto found = tree_.at(cell, position - (cell == 0 ? 0 : others_[at(cell - 1)]));
      own(arms, found.arm, cell, found.position, t);
    }
  }

  /// All owners' samples lie in the cell.
  template <class G>
  Arm largest_of_owners(const Arms& arms, Round t, int cell, G& generator) const {
    if (owners_.size() == 1) return owners_[0];
    const Clock clock = Clock::at(t);
    Arm best = owners_[0];
    double largest = 0;
    for (const Arm arm : owners_) {
      const double x = arms.index().sample_between(arms.of(arm), clock, thresholds_[at(cell)],
                                                   top(cell), generator);
      if (x > largest) {
        largest = x;
        best = arm;
      }
    }
    return best;
  }

  /// When all samples are below y.
  template <class G>
  Arm largest_below(const Arms& arms, Round t, double y, G& generator) {
    work_ += 1 + arms.arms() / 8;
    const Clock clock = Clock::at(t);
    Arm best = 0;
    double largest = 0;
    for (Arm arm = 0; arm < arms.arms(); ++arm) {
      const double x = arms.index().sample_between(arms.of(arm), clock, 0, y, generator);
      if (x > largest) {
        largest = x;
        best = arm;
      }
    }
    return best;
  }

  // ---- placing

  bool out_of_place() const noexcept {
    const double moved = all_[kMiddle] / placed_middle_;
    return moved > 3 || moved < 1 / 3.0 || all_[kCells - 1] < 8;
  }

  void place(const Arms& arms, const Clock& now) {
    place_thresholds(arms, now);
    placed_ = true;
    forget_waiting();
    leader_started_ = false;
    for (Arm arm = 0; arm < arms.arms(); ++arm) refresh(arms, arm, now, true);
    work_ = 0;
    add_up();
    placed_middle_ = all_[kMiddle];
  }

  /// Each about where kAbove says. Any thresholds are exact, so that rough masses do.
  void place_thresholds(const Arms& arms, const Clock& now) noexcept {
    // By x = ln(1 - y), because the maximum may be very close to 1; the mass above y grows with x.
    struct Point {
      double x, log_mass;
    };
    const auto point = [&](double x) {
      const double y = -std::expm1(x);
      double mass = 1e-300;
      for (Arm arm = 0; arm < arms.arms(); ++arm) {
        mass -= arms.index().rough_log_below(arms.of(arm), now, y);
      }
      return Point{x, std::log(mass)};
    };
    const Point lowest = point(-1e-12);
    Point left = point(-36);
    double spacing = 0;
    for (int cell = 0; cell < kCells; ++cell) {
      const double goal = std::log(kAbove[at(cell)]);
      const double start = left.x;
      Point right = lowest;
      while (spacing > 0 && left.x + spacing < lowest.x) {
        right = point(left.x + spacing);
        if (right.log_mass >= goal) break;
        left = right;
        right = lowest;
        spacing *= 2;
      }
      // False position, and halves where that is slow.
      for (int i = 0; i < 100 && std::abs(left.log_mass - goal) > 0.1; ++i) {
        const double share =
            i % 3 == 2 ? 0.5 : (goal - left.log_mass) / (right.log_mass - left.log_mass);
        const Point between = point(left.x + share * (right.x - left.x));
        (between.log_mass < goal + 0.1 ? left : right) = between;
      }
      if (cell > 0) spacing = left.x - start;
      thresholds_[at(cell)] = -std::expm1(left.x);
    }
  }

  void forget_waiting() noexcept {
    for (const Arm arm : waiting_) changed_[arm] = 0;
    waiting_.clear();
  }

  bool placed_ = false;
  Masses thresholds_ = {};
  PerArm<Column> columns_;
  MassTree<kCells> tree_;  // of the bounds of all arms but the leader
  FirstExpiry expiry_;
  Arm leader_ = 0;
  bool leader_started_ = false;
  Masses leader_below_most_ =
      {};  // the chance that its sample is below each threshold, at the stretch's start
  Masses leader_below_least_ = {};  // and at its end
  Masses others_ = {}, all_ = {};   // bounds above each threshold, without the leader and with it
  double placed_middle_ = 1;        // all_[kMiddle] when it was placed
  int work_ = 0;                    // columns since then
  double restless_ = 1;
  double somebody_ = 0;  // the part of it that others have
  int calm_ = 0;         // how many cells are above the threshold of calm
  std::vector<Arm> owners_;
  PerArm<char> changed_;
  std::vector<Arm> waiting_;
};

}  // namespace tacit::policies
