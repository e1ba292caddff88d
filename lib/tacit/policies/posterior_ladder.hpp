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
// One arm, the leader, is kept apart. Its masses at its stretch's start are those of a process that its own contains in
// every round: its base. A round is calm when the base's highest point lies in a cell above all candidates of the others:
// then the leader wins. Calm rounds need not be looked at one by one.
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
#include "tacit/core/tournament.hpp"
#include "tacit/indices/clock.hpp"
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
    if (placed_ && waiting_.empty() && t <= expires()) [[likely]]
      return false;
    const Clock now = Clock::at(t);
    if (placed_) {
      for (const Arm arm : waiting_) refresh(arms, arm, now, true);
      while (expires() < t) refresh(arms, expiry_.winner().player, now, false);
      forget_waiting();
      add_up();
    }
    if (!placed_ || (out_of_place() && work_ * 4 >= arms.arms())) place(arms, now);
    find_calm(arms, now);
    return true;
  }

  Arm leader() const noexcept { return leader_; }
  /// Up to then, what is said here of rounds holds.
  Round expires() const noexcept { return static_cast<Round>(-expiry_.winner().number); }

  /// How many rounds, of so many, are calm before one that may not be.
  template <class G>
  Round calm_rounds(Round at_most, G& generator) const noexcept {
    if (!calm_) return 0;
    const double rounds = std::log(random::uniform_open(generator)) * calm_gap_;
    return rounds < static_cast<double>(at_most) ? static_cast<Round>(rounds) : at_most;
  }

  /// Who has the largest sample in round t, which is the one after calm_rounds().
  template <class G>
  Arm winner(const Arms& arms, Round t, G& generator) {
    if (!calm_) return walk(arms, t, generator);
    // Where the base's highest point lies, given that somebody else has a candidate there or above.
    const double u = random::uniform_open(generator) * restless_;
    int base = 0;
    while (base < kCells && u >= restless_up_to_[at(base)]) ++base;
    const double v = random::uniform_open(generator);
    const double position = base < kCells ? -std::log1p(-v * somebody_[at(base)]) : -std::log(v);
    const int others = first_of_others(arms, t, base, position, generator);
    if (others == kCells && base < kCells) return leader_;
    const int lead = leader_cell(arms, t, base, others, generator);
    if (lead < others) return leader_;
    if (others == kCells) return largest_below(arms, t, thresholds_[kCells - 1], generator);
    if (lead == others) owners_.push_back(leader_);
    return largest_of_owners(arms, t, others, generator);
  }

 private:
  /// Where to cut: the masses above each threshold, of all arms together. Small cells where the maximum mostly is; in the
  /// last ones it hardly ever is, but a leader's sample is above them surely.
  static constexpr Masses kGoals = {0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4.5, 7, 11, 17, 27};
  static constexpr int kMiddle = 3;  // below that threshold the maximum is about as often as not
  // Looking at a round costs about as much as finding out when the next one is to be looked at.
  static constexpr double kWorthwhile = 0.5;
  static constexpr double kCrowded = 60;
  // A hair more and less, so that rounding in a round's own mass cannot cross a bound.
  static constexpr double kHair = 1e-9;
  static constexpr double kMore = 1 + kHair;
  static constexpr double kLess = 1 - kHair;
  // In ln mass: where a line between two points is as good as a curve.
  static constexpr double kClose = 0.8;
  // In ln t: what makes a slope that rounding does not spoil.
  static constexpr double kApart = 0.01;

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
    if (cell == 0) return -arms.index().log_below(state, clock, thresholds_[0]);
    double below[2];
    arms.index().log_below(state, clock, {&thresholds_[at(cell - 1)], 2}, below);
    return std::max(0.0, below[0] - below[1]);
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
    Masses log_below;
    arms.index().log_below(state, last, thresholds_, log_below);
    double above = 0;
    for (int cell = 0; cell < kCells; ++cell) {
      const double below = log_below[at(cell)];
      begin_stretch(column, cell, new_estimate);
      column.bound[at(cell)] = std::max(0.0, above - below) * kMore + 1e-300;
      above = below;
    }
    column.log_end = last.log_t;
    column.mean = arms.index().mean(state, now);
    expiry_.set(arm, -static_cast<double>(end), false);
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
      leader_bound_[at(cell)] = lead;
    }
  }

  // ---- calm

  /// How often rounds are calm, and why they are not.
  void find_calm(const Arms& arms, const Clock& now) noexcept {
    calm_ = restless_with(leader_bound_) <= kWorthwhile;  // with a base as it could be at best
    if (!calm_) return;
    if (!leader_started_) {
      arms.index().log_below(arms.of(leader_), now, thresholds_, leader_base_);
      for (double& mass : leader_base_) mass *= -kLess;
      leader_started_ = true;
    }
    restless_ = restless_with(leader_base_);
    calm_ = restless_ <= kWorthwhile;
    calm_gap_ = 1 / std::log1p(-restless_);
  }
  /// The chance that a round is not calm, by the masses of the base above each threshold.
  double restless_with(const Masses& base) noexcept {
    double restless = 0;
    double below_top = 1;
    for (int cell = 0; cell < kCells; ++cell) {
      const double below = std::exp(-base[at(cell)]);
      somebody_[at(cell)] = -std::expm1(-others_[at(cell)]);
      restless += (below_top - below) * somebody_[at(cell)];
      restless_up_to_[at(cell)] = restless;
      below_top = below;
    }
    return restless + below_top;
  }

  /// The cell of the leader's highest point, where it may matter: that of its base, or a higher one where it has a point
  /// besides.
  template <class G>
  int leader_cell(const Arms& arms, Round t, int base, int others, G& generator) const {
    const int last = std::min(base - 1, std::min(others, kCells - 1));
    if (last < 0) return base;
    const double position = random::exponential(generator, 1);
    if (position >= leader_bound_[at(last)] - leader_base_[at(last)]) return base;
    const Clock clock = Clock::at(t);
    const auto besides = [&](int cell) {
      return -arms.index().log_below(arms.of(leader_), clock, thresholds_[at(cell)]) -
             leader_base_[at(cell)];
    };
    if (position >= besides(last)) return base;
    for (int cell = 0; cell < last; ++cell) {
      if (position < besides(cell)) return cell;
    }
    return last;
  }

  // ---- walking down

  static double log_chance_of(double mass) noexcept { return std::log(-std::expm1(-mass)); }
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
        known.log_chance_at_end = log_chance_of(column.bound[at(cell)] / kMore);
      }
      const double log_height = log_chance_of(position);
      const double passed = now.log_t - known.log_t;
      const double rise =
          (known.log_chance_at_end - known.log_chance) / (column.log_end - known.log_t);
      if (log_height < known.log_chance + passed * rise - 2 * kHair) {
        known.floor = position;
        return true;
      }
      if (log_height > known.log_chance + passed * known.slope + 2 * kHair) return false;
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

  /// The next candidate after this position, or `end` if it is beyond: by an exponential variable.
  template <class G>
  static double next_candidate(double position, double end, G& generator) {
    const double u = random::uniform_open(generator);
    // Most often the inequality e^-x >= 1 - x settles it.
    return u <= 1 - (end - position) ? end : std::min(end, position - std::log(u));
  }

  /// From the top. Masses are laid end to end, cell by cell, the leader's first in each;
  /// candidates are a Poisson process of rate 1 on them.
  template <class G>
  Arm walk(const Arms& arms, Round t, G& generator) {
    owners_.clear();
    double start = 0;
    double position = random::exponential(generator, 1);
    for (int cell = 0; cell < kCells; start = all_[at(cell++)]) {
      if (position >= all_[at(cell)]) continue;
      if (all_[at(cell)] - start > kCrowded) return largest_below(arms, t, top(cell), generator);
      const double lead = columns_[leader_].bound[at(cell)];
      while (position < all_[at(cell)]) {
        if (position - start < lead) {
          own(arms, leader_, cell, position - start, t);
        } else {
          const auto found = tree_.at(cell, position - start - lead);
          own(arms, found.arm, cell, found.position, t);
        }
        position = next_candidate(position, all_[at(cell)], generator);
      }
      if (!owners_.empty()) return largest_of_owners(arms, t, cell, generator);
      position += random::exponential(generator, 1);
    }
    return largest_below(arms, t, thresholds_[kCells - 1], generator);
  }

  /// The highest cell, down to this one, in which others than the leader have points, and whose; or kCells. Their first
  /// candidate is at this position.
  template <class G>
  int first_of_others(const Arms& arms, Round t, int last, double position, G& generator) {
    owners_.clear();
    double start = 0;
    for (int cell = 0; cell <= last && cell < kCells; start = others_[at(cell++)]) {
      if (position >= others_[at(cell)]) continue;
      while (position < others_[at(cell)]) {
        const auto found = tree_.at(cell, position - start);
        own(arms, found.arm, cell, found.position, t);
        position = next_candidate(position, others_[at(cell)], generator);
      }
      if (!owners_.empty()) return cell;
      position += random::exponential(generator, 1);
    }
    return kCells;
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

  /// Each about where it is to be. Any thresholds are exact, so that rough masses do.
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
    // An interval with all thresholds in it; then halves, and what is between two points by a line.
    const double lowest_goal = std::log(kGoals[0]);
    const double highest_goal = std::log(kGoals[kCells - 1]);
    std::array<Point, 64> points;
    std::size_t count = 2;
    points[0] = {-36, point(-36).log_mass};
    points[1] = point(-1e-12);
    for (std::size_t i = 0; i + 1 < count && count < points.size();) {
      const Point& left = points[i];
      const Point& right = points[i + 1];
      const bool matters = left.log_mass < highest_goal && right.log_mass > lowest_goal;
      if (!matters || right.log_mass - left.log_mass < kClose) {
        ++i;
        continue;
      }
      const Point between = point(left.x + (right.x - left.x) / 2);
      std::copy_backward(points.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                         points.begin() + static_cast<std::ptrdiff_t>(count),
                         points.begin() + static_cast<std::ptrdiff_t>(count) + 1);
      points[i + 1] = between;
      ++count;
    }
    std::size_t i = 0;
    for (int cell = 0; cell < kCells; ++cell) {
      const double goal = std::log(kGoals[at(cell)]);
      while (i + 2 < count && points[i + 1].log_mass < goal) ++i;
      const Point& left = points[i];
      const Point& right = points[i + 1];
      const double share =
          std::clamp((goal - left.log_mass) / (right.log_mass - left.log_mass + 1e-300), 0.0, 1.0);
      thresholds_[at(cell)] = -std::expm1(left.x + share * (right.x - left.x));
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
  Tournament expiry_;      // of the ends of stretches, negated: the first one wins
  Arm leader_ = 0;
  bool leader_started_ = false;
  Masses leader_base_ = {};  // its masses above each threshold at its stretch's start
  Masses others_ = {}, leader_bound_ = {}, all_ = {};  // bounds above each threshold
  double placed_middle_ = 1;                           // all_[kMiddle] when it was placed
  int work_ = 0;                                       // columns since then
  bool calm_ = false;           // whether it is worth while to tell calm rounds from others
  double restless_ = 1;         // the chance that a round is not calm, at most
  double calm_gap_ = 0;         // 1/ln(1 - restless_)
  Masses restless_up_to_ = {};  // with the base's highest point in so many cells
  Masses somebody_ = {};        // the chance that others have candidates above each threshold
  std::vector<Arm> owners_;
  PerArm<char> changed_;
  std::vector<Arm> waiting_;
};

}  // namespace tacit::policies
