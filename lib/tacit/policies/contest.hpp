// Who has the largest indices, found by computing only those that can win: the same arms, ties and draws as if all had
// been computed.
//
// Between two choices few arms' states change, and the clock moves little. So every arm keeps an enclosure of its index
// (indices/enclosure.hpp): a bound above it and, where indices grow, its last value below. Those chosen last are
// *inside*, all others in a tournament by a number that their indices do not exceed in an era, which is short. As long as
// every index inside is surely above the largest number outside, the same are chosen. Where that is not sure, the two
// concerned are bounded more closely, by the tangent here and now, by a fresh enclosure, at last by the index itself, as
// it is computed for everybody on the plain path; and they change places when it turns out that way. Equal indices are
// tied, and drawn from like an oracle does; then nobody stays inside.
//
// Cost of a choice: an enclosure for every arm whose state changed and for those at the edge, and O(log arms) for every
// arm outside that is looked at; once an era O(arms), without computing an index.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/core/tournament.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/enclosure.hpp"
#include "tacit/indices/saturation.hpp"
#include "tacit/policies/crossing.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies {

/// For shells whose indices are all computed.
struct NoContest {};

/// Whether it can pay. Where states change every round many are equal, and ties in closed form are found sooner by
/// computing all.
template <class Book, class Index>
inline constexpr bool kMayContest = indices::Enclosed<Index> &&
                                    (indices::kSearched<Index> || !Book::kChangesEveryRound);

/// Whether it does: keeping bounds costs as much as some thirty indices in closed form, or one that is searched for.
template <class Index>
bool worth_a_contest(const Index& index, int arms) {
  if constexpr (requires { index.can_be_enclosed(); }) {
    if (!index.can_be_enclosed()) return false;
  }
  constexpr int kMany = 32;
  return indices::kSearched<Index> || arms >= kMany;
}

template <class Index>
class Contest {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

 public:
  using States = PerArm<typename Index::State>;

  /// For the best `places` of so many arms.
  Contest(int arms, int places)
      : places_(static_cast<std::size_t>(places)),
        known_(arms),
        outside_(arms),
        means_(indices::kComparesWithBestMean<Index> ? arms : 1) {
    forget();
  }

  /// The arm's state is another.
  void changed(Arm arm) {
    if (known_[arm].stage == Stage::kUnknown) return;
    known_[arm].stage = Stage::kUnknown;
    unknown_.push_back(arm);
  }
  /// So is everybody's.
  void forget() {
    inside_.clear();
    unknown_.clear();
    for (Arm arm = 0; arm < known_.arms(); ++arm) {
      known_[arm] = {};
      unknown_.push_back(arm);
    }
    era_ = {};
  }

  /// Those with the largest indices; in no particular order, unless there is a tie. Time does not run backwards. Puts the
  /// largest mean into the clock of an index that compares with it.
  actions::ChosenSet choose(const Index& index, const States& states, indices::Clock& clock,
                            const random::Dice& dice) {
    if constexpr (indices::kComparesWithBestMean<Index>) {
      for (const Arm arm : unknown_) means_.set(arm, index.mean(states[arm]), false);
      clock.best_mean = std::max(0.0, means_.winner().number);
    }
    const Look look{index, states, clock, indices::coordinate<Index>(clock)};
    if (!era_.has(look.at) || looks_ > looks_worth_an_era()) begin_era(look);
    for (const Arm arm : unknown_) enclose(arm, look);
    unknown_.clear();
    const bool apart = told_apart(look);
    const bool tied = !apart && chosen_among_equals(look, dice);
    blunt_ = tied ? is_blunt_tie(look) : is_blunt(look);
    put_back();
    return {tied ? tied_ : inside_, tied};
  }

  /// Whether the last choice was among indices so close to 1 that their order, and whether they are tied, are not those of
  /// their values (indices/saturation.hpp): then it is not the choice.
  bool blunt() const noexcept { return blunt_; }

  /// An arm's index; at a clock of which a choice was made it may be known.
  double value(Arm arm, const Index& index, const States& states,
               const indices::Clock& clock) const {
    return known_[arm].lasting ? known_[arm].value : index.value(states[arm], clock);
  }

  /// After a choice at this clock, those chosen by decreasing index. False where some are equal: then nothing is said.
  bool rank(const Index& index, const States& states, const indices::Clock& clock,
            std::vector<Arm>& ranked) {
    const Look look{index, states, clock, indices::coordinate<Index>(clock)};
    ranked = inside_;
    for (const Arm arm : ranked) {
      if (!known_[arm].lasting && known_[arm].at != look.at) enclose(arm, look);
    }
    const auto in_order = [&] {
      // By insertion: they are few, and mostly in order.
      for (std::size_t i = 1; i < ranked.size(); ++i) {
        for (std::size_t k = i; k > 0 && known_[ranked[k]].value > known_[ranked[k - 1]].value;
             --k) {
          std::swap(ranked[k], ranked[k - 1]);
        }
      }
      for (std::size_t i = 1; i < ranked.size(); ++i) {
        if (!(low(ranked[i - 1], look.at) > high(ranked[i], look.at))) return false;
      }
      return true;
    };
    if (in_order()) return true;
    for (const Arm arm : ranked) compute(arm, look);
    const bool apart = in_order();
    inside_ = ranked;
    for (const Arm arm : ranked) known_[arm].stage = Stage::kInEra;
    return apart;
  }

  /// The last round up to `limit` in which what was chosen at `clock`, without a tie, is surely chosen again while states
  /// stand.
  Round stands_until(const Index& index, const States& states, const indices::Clock& clock,
                     Round limit) const {
    static_assert(indices::kGrows<Index> && indices::kHasTangents<Index>);
    const double now = indices::coordinate<Index>(clock);
    const double end = indices::coordinate<Index>(indices::clock_of(index, limit));
    double least = kInfinity;
    for (const Arm arm : inside_) least = std::min(least, low(arm, now));
    const auto ask = [&](Arm outside) {
      const double most = high(outside, end);
      if (known_[outside].inside || !(most >= least)) return;
      for (const Arm inside : inside_) {
        if (limit > clock.t && low(inside, now) <= most) {
          limit = pair_stands_until(index, states[inside], states[outside], clock, limit);
        }
      }
    };
    if (end <= era_.last) {
      outside_.for_each_from(least, ask);
    } else {
      for (Arm arm = 0; arm < known_.arms(); ++arm) ask(arm);
    }
    return limit;
  }

 private:
  /// How closely an arm is bounded.
  enum class Stage : char {
    kUnknown,  // not at all
    kInEra,    // over the whole era
    kNow,      // by its tangent, at the present clock
    kLooked,   // by a fresh enclosure
    kExact,    // by its index
  };
  struct Known {
    double value = 0;
    double doubt = 0;
    double slope = 0;
    double at = -kInfinity;      // where on the clock it was enclosed
    double ceiling = kInfinity;  // of the era, for indices without tangents
    Stage stage = Stage::kUnknown;
    bool lasting = false;
    bool inside = false;
    bool touched = false;  // its number is of the present clock, not of the era
  };
  struct Era {
    double length = 1.0 / 64;  // in ln t, or of a mean, either way
    double first = kInfinity;
    double last = -kInfinity;
    indices::Clock end = {};
    bool has(double x) const noexcept { return x >= first && x <= last; }
  };
  struct Look {
    const Index& index;
    const States& states;
    const indices::Clock& clock;
    double at;
  };

  double high(Arm arm, double x) const noexcept {
    const Known& k = known_[arm];
    if (k.lasting || (k.stage == Stage::kExact && x == k.at)) return k.value;
    if constexpr (indices::kHasTangents<Index>) {
      return k.value + k.doubt + k.slope * (x - k.at);
    } else {
      return x == k.at ? k.value + k.doubt : k.ceiling;
    }
  }
  double low(Arm arm, double x) const noexcept {
    const Known& k = known_[arm];
    if (k.lasting || k.stage == Stage::kExact) return k.value;
    return indices::kGrows<Index> || x == k.at ? k.value - k.doubt : -kInfinity;
  }
  double highest_in_era(Arm arm) const noexcept {
    if constexpr (indices::kGrows<Index>) {
      return high(arm, era_.last);
    } else {
      return std::max(high(arm, era_.first), high(arm, era_.last));
    }
  }

  /// As many looks as cost what beginning an era costs.
  int looks_worth_an_era() const noexcept { return 8 + known_.arms() / 8; }

  /// Long where few arms are looked at meanwhile, short where many are: then their numbers are too large too soon.
  void begin_era(const Look& look) {
    constexpr double kLongest = 1.0 / 64;
    if (looks_ > looks_worth_an_era()) {
      era_.length *= 0.5;
    } else if (2 * looks_ < looks_worth_an_era()) {
      era_.length = std::min(kLongest, 2 * era_.length);
    }
    looks_ = 0;
    if constexpr (indices::kGrows<Index>) {
      const Round t = look.clock.t;
      const auto rounds = static_cast<Round>(era_.length * static_cast<double>(t));
      era_.end = indices::clock_of(look.index, t + rounds);
      era_.first = look.at;
      era_.last = indices::coordinate<Index>(era_.end);
    } else {
      era_.first = look.at - era_.length;
      era_.last = look.at + era_.length;
    }
    for (Arm arm = 0; arm < known_.arms(); ++arm) {
      Known& k = known_[arm];
      k.ceiling = kInfinity;
      if (k.inside || k.stage == Stage::kUnknown) continue;
      outside_.prepare(arm, highest_in_era(arm), !k.lasting);
    }
    outside_.settle();
  }

  void set_number(Arm arm, double number, bool open) {
    Known& k = known_[arm];
    if (k.inside) return;
    if (!k.touched) {
      k.touched = true;
      touched_.push_back(arm);
    }
    outside_.set(arm, number, open);
  }
  void enclose(Arm arm, const Look& look) {
    Known& k = known_[arm];
    const indices::Enclosure e = look.index.near(look.states[arm], look.clock, k.value);
    k.ceiling = k.stage == Stage::kUnknown ? kInfinity : k.ceiling;
    k.value = e.value;
    k.doubt = e.doubt;
    k.slope = e.slope;
    k.at = look.at;
    k.lasting = e.lasting;
    k.stage = e.exact ? Stage::kExact : Stage::kLooked;
    looks_ += k.inside ? 0 : 1;
    set_number(arm, high(arm, look.at), !e.exact);
  }
  void compute(Arm arm, const Look& look) {
    Known& k = known_[arm];
    if (k.lasting || k.stage == Stage::kExact) return;
    if (k.at != look.at) enclose(arm, look);
    if (k.stage == Stage::kExact) return;
    k.value = look.index.value(look.states[arm], look.clock);
    k.stage = Stage::kExact;
    set_number(arm, k.value, false);
  }
  /// Bounds an arm outside at the present clock, where its number is of the era; false when it is closer already.
  bool bound_now(Arm arm, const Look& look) {
    Known& k = known_[arm];
    if (k.lasting || k.stage != Stage::kInEra) return false;
    k.stage = Stage::kNow;
    if constexpr (indices::kHasTangents<Index>) {
      ++looks_;
    } else {
      if (k.ceiling == kInfinity) {
        const indices::Enclosure end = look.index.near(look.states[arm], era_.end, k.value);
        k.ceiling = end.lasting ? end.value : end.value + end.doubt;
      }
    }
    set_number(arm, high(arm, look.at), true);
    return true;
  }
  /// After a choice: numbers are of the era again.
  void put_back() {
    for (const Arm arm : touched_) {
      Known& k = known_[arm];
      k.touched = false;
      if (k.inside) continue;
      k.stage = Stage::kInEra;
      outside_.set(arm, highest_in_era(arm), !k.lasting);
    }
    touched_.clear();
    for (const Arm arm : inside_) known_[arm].stage = Stage::kInEra;
  }

  bool is_blunt(const Look& look) const {
    if constexpr (indices::kSaturates<Index>) {
      return std::any_of(inside_.begin(), inside_.end(), [&](Arm arm) {
        return indices::is_blunt(look.index, look.states[arm], look.clock, high(arm, look.at));
      });
    } else {
      return false;
    }
  }
  /// One that is 1 may be tied with others that are not.
  bool is_blunt_tie(const Look& look) const {
    return indices::kSaturates<Index> && std::any_of(tied_.begin(), tied_.end(), [&](Arm arm) {
             return indices::is_nearly_one(high(arm, look.at));
           });
  }

  void let_in(Arm arm) {
    known_[arm].inside = true;
    outside_.remove(arm);
  }
  void let_out(Arm arm, const Look& look) {
    known_[arm].inside = false;
    set_number(arm, high(arm, look.at), is_open(arm));
  }

  /// Whether those with the largest indices are known, and inside. False: some are equal, or nobody is inside yet.
  bool told_apart(const Look& look) {
    if (inside_.empty()) return false;
    for (;;) {
      std::size_t last = 0;  // of those inside, the one that may have the smallest index
      double least = low(inside_[0], look.at);
      for (std::size_t i = 1; i < inside_.size(); ++i) {
        const double other = low(inside_[i], look.at);
        if (other < least) {
          least = other;
          last = i;
        }
      }
      const Tournament::Entry next = outside_.winner();
      if (next.empty() || least > next.number) return true;
      const Arm out = next.player;
      const Arm in = inside_[last];
      if (bound_now(out, look)) continue;
      if (!is_looked_at(in)) {
        enclose(in, look);
      } else if (!is_looked_at(out)) {
        enclose(out, look);
      } else if (low(out, look.at) > high(in, look.at)) {
        let_out(in, look);
        let_in(out);
        inside_[last] = out;
      } else if (is_open(out)) {
        compute(out, look);
      } else if (is_open(in)) {
        compute(in, look);
      } else {
        return false;
      }
    }
  }
  bool is_looked_at(Arm arm) const noexcept {
    return known_[arm].lasting || known_[arm].stage >= Stage::kLooked;
  }
  bool is_open(Arm arm) const noexcept {
    return !known_[arm].lasting && known_[arm].stage != Stage::kExact;
  }

  /// By the indices themselves, as an oracle would. Whether more have the last one's index than there are places: then they
  /// are in tied_, and nobody is inside.
  bool chosen_among_equals(const Look& look, const random::Dice& dice) {
    for (const Arm arm : inside_) {
      compute(arm, look);
      let_out(arm, look);
    }
    inside_.clear();
    while (inside_.size() < places_) {
      while (outside_.winner().open()) compute(outside_.winner().player, look);
      if (std::cmp_greater(outside_.winner().equal, places_ - inside_.size())) {
        draw_the_rest(outside_.winner().equal, dice.ties(look.clock.t));
        for (const Arm arm : inside_) let_out(arm, look);
        inside_.clear();
        return true;
      }
      const Arm arm = outside_.winner().player;
      inside_.push_back(arm);
      let_in(arm);
    }
    return false;
  }
  /// Draws for the places that are left among so many that are as good as the winner, one after the other.
  void draw_the_rest(int equal, random::KeyedDraw ties) {
    tied_ = inside_;
    drawn_.clear();
    for (; tied_.size() < places_; --equal) {
      // Of those that are left the skip-th is, among all, the one with as many more before it as were drawn before it.
      int skip = random::uniform_index(ties, equal);
      std::size_t before = 0;
      while (before < drawn_.size() && drawn_[before] <= skip) {
        ++before;
        ++skip;
      }
      drawn_.insert(drawn_.begin() + static_cast<std::ptrdiff_t>(before), skip);
      tied_.push_back(outside_.tied_winner(skip));
    }
  }

  std::size_t places_;
  PerArm<Known> known_;
  Tournament outside_;
  Tournament means_;
  Era era_;
  int looks_ = 0;  // at arms outside, in this era
  bool blunt_ = false;
  std::vector<Arm> inside_;
  std::vector<Arm> tied_;   // what was chosen, where that was by chance
  std::vector<int> drawn_;  // which of the equal ones, increasing
  std::vector<Arm> unknown_;
  std::vector<Arm> touched_;
};

}  // namespace tacit::policies
