#include "tacit/audit/replay.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <variant>

#include <fmt/format.h>

#include "tacit/audit/declared.hpp"
#include "tacit/audit/small.hpp"

namespace tacit::audit {
namespace {

constexpr double kRounding = 1e-6;

/// The first place where two lists differ.
template <class T>
std::size_t first_difference(const std::vector<T>& one, const std::vector<T>& other) {
  return static_cast<std::size_t>(
      std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin());
}

std::string name_of(const Slot& slot) {
  return slot.arm == kAllArms ? fmt::format("epoch {}", slot.phase)
                              : fmt::format("arm {}, phase {}", slot.arm, slot.phase);
}

/// What is seen but for the values: equal, or the first thing that is not.
std::string seen_alike(const Watched& one, const Watched& other) {
  if (one.actions != other.actions) {
    const std::size_t at = first_difference(one.actions, other.actions);
    return fmt::format(
        "the arm at place {} of all that were played differs: something but a "
        "release told the learner",
        at + 1);
  }
  for (std::size_t i = 0; i < std::min(one.told.size(), other.told.size()); ++i) {
    const Told& a = one.told[i];
    const Told& b = other.told[i];
    if (a.slot != b.slot || a.n != b.n)
      return fmt::format("release {} is of {} ({} choices) on the one, of {} ({}) on the other",
                         i + 1, name_of(a.slot), a.n, name_of(b.slot), b.n);
    if (a.noises != b.noises || a.values.size() != b.values.size())
      return fmt::format("release {} has another shape", i + 1);
  }
  if (one.told.size() != other.told.size()) {
    return fmt::format("{} releases on the one, {} on the other", one.told.size(),
                       other.told.size());
  }
  if (one.ledger != other.ledger) return "the ledgers differ";
  return "";
}

/// Whether the two runs' sums, and what became of them, are apart by no more than one round can move.
class Movement {
 public:
  /// What is released may be rounded by so much.
  Movement(const curators::Plan& plan, int entries, double rounding)
      : plan_(plan), entries_(entries), rounding_(rounding) {}

  std::string complaint(const Watched& one, const Watched& other) {
    for (std::size_t i = 0; i < one.told.size(); ++i) {
      const std::string found = of_a_release(one.told[i], other.told[i]);
      if (!found.empty())
        return fmt::format("release {}, {}: {}", i + 1, name_of(one.told[i].slot), found);
    }
    if (moved_ > entries_ + kRounding)
      return fmt::format(
          "one round moved what goes in by {:.6g} in all, more than the {} that it has", moved_,
          entries_);
    return "";
  }

 private:
  std::string of_a_release(const Told& a, const Told& b) {
    if (a.stop) {  // the changed user's report may differ
      const bool same = a.truth == b.truth;
      return same && a.values != b.values ? "differs, and the user stopped at the same place" : "";
    }
    std::vector<double> in;
    for (std::size_t j = 0; j < a.truth.size(); ++j) {
      in.push_back(a.truth[j] - b.truth[j]);
      if (std::abs(in[j]) > 1 + kRounding)
        return fmt::format("what goes in moved by {:.6g}, more than one outcome", in[j]);
      moved_ += std::abs(in[j]);
    }
    if (!adds_noise(plan_)) {
      const bool same = std::all_of(in.begin(), in.end(), [](double d) { return d == 0; });
      return same && a.values != b.values ? "differs, and the same outcomes went in" : "";
    }
    std::vector<double>& so_far = so_far_[a.slot.arm];
    so_far.resize(in.size(), 0);
    for (std::size_t j = 0; j < in.size(); ++j) {
      so_far[j] = (runs_on(plan_) ? so_far[j] : 0) + in[j];
      const double out = a.values[j] - b.values[j];
      if (std::abs(out - so_far[j]) > rounding_)
        return fmt::format(
            "moved by {:.6g} with the same noise, where what went in moved by {:.6g}", out,
            so_far[j]);
    }
    return "";
  }

  const curators::Plan& plan_;
  double entries_;
  double rounding_;
  double moved_ = 0;
  std::map<Arm, std::vector<double>> so_far_;
};

struct Change {
  const char* name;
  Rows::value_type one;
  Rows::value_type other;
};

/// One arm, all, and crosswise; from the row that is there or not.
std::vector<Change> changes(std::size_t arms) {
  using Row = Rows::value_type;
  Row first(arms, 0);
  first.front() = 1;
  Row last(arms, 0);
  last.back() = 1;
  return {{"all arms up", Row(arms, 0), Row(arms, 1)},
          {"the first arm up", Row(arms, 0), first},
          {"crosswise", first, last},
          {"all arms from 0.3 to 0.7", Row(arms, 0.3), Row(arms, 0.7)}};
}

/// 1, 2, 3, 5, 8, ...: early rounds are in the shortest phases, later ones in all others.
std::vector<std::size_t> changed_rounds(std::size_t rounds) {
  std::vector<std::size_t> places;
  for (std::size_t a = 1, b = 2; a < rounds; b += a, std::swap(a, b)) places.push_back(a - 1);
  places.push_back(rounds - 1);
  return places;
}

/// Of every arm: three; of a counter as many as make up a block of blocks. 0: so few rounds have none.
Round releases_wanted(const curators::Plan& plan) {
  constexpr Round kThree = 3;
  const auto* counter = std::get_if<curators::CounterPlan>(&plan);
  if (counter == nullptr || counter->shape.kind() == privacy::Counter::kToeplitz) return kThree;
  constexpr Round kTreeOfTwoLevels = 7;
  if (counter->shape.kind() == privacy::Counter::kHybrid) return kTreeOfTwoLevels;
  return counter->shape.levels() < 2 ? 0 : std::max<Round>(kThree, counter->shape.arity());
}

}  // namespace

Round fewest_releases(const Watched& watched, int arms) {
  std::map<Arm, Round> of_arms;
  for (const Told& told : watched.told) ++of_arms[told.slot.arm];
  if (of_arms.contains(kAllArms)) return of_arms[kAllArms];
  if (of_arms.size() < static_cast<std::size_t>(arms)) return 0;
  Round fewest = of_arms.begin()->second;
  for (const auto& [arm, count] : of_arms) fewest = std::min(fewest, count);
  return fewest;
}

Play small_play(const policies::Entry& entry, double epsilon, std::optional<double> delta,
                const std::vector<policies::ParameterValue>& parameters) {
  constexpr Round kMost = 4096;
  Play play{.entry = entry,
            .setting = {.arms = small_arms(entry.card),
                        .epsilon = epsilon,
                        .delta = delta,
                        .horizon = kMost,
                        .pace = policies::Pace::kPlain,
                        .actions = small_actions(entry.card)},
            .parameters = parameters};
  play.setting.horizon = rounds_for_three_releases(play, kMost);
  return play;
}

Round rounds_for_three_releases(Play play, Round most) {
  constexpr Round kEpochsUpTo32 = 64;
  constexpr Round kAFewActions = 32;  // that is all there is to see of it
  if (std::holds_alternative<curators::NoisyLeaderPlan>(play.plan())) return kEpochsUpTo32;
  if (play.entry.is_its_own_curator) return kAFewActions;
  for (Round rounds = 16; rounds < most; rounds *= 2) {
    play.setting.horizon = rounds;
    const Watched watched =
        watch(play, constant_rows(rounds, play.setting.arms, 0.5), nullptr, Look::kReleases);
    const Round wanted = releases_wanted(play.plan());
    if (wanted > 0 && fewest_releases(watched, play.setting.arms) >= wanted) return rounds;
  }
  return most;
}

ReplayResult replay(const Play& play) {
  ReplayResult result;
  const auto arms = static_cast<std::size_t>(play.setting.arms);
  const auto rounds = static_cast<std::size_t>(play.setting.horizon);
  const curators::Plan plan = play.plan();
  const bool full = play.entry.card.feedback == feedback::Kind::kFull;
  const int entries = full                   ? play.setting.arms
                      : play.setting.actions ? play.setting.actions->size()
                                             : 1;
  // Exact noise lives on a grid, of 2^20 steps a scale at least.
  constexpr double kStepOfAScale = 0x1p-20;
  const bool exact = play.arithmetic == privacy::Arithmetic::kExact;
  const double rounding =
      kRounding + (exact ? 2 * kStepOfAScale * Declared(plan).scale(play.setting.horizon) : 0);
  const std::pair<const char*, Rows::value_type> tables[] = {
      {"zeros", Rows::value_type(arms, 0)},
      {"ones", Rows::value_type(arms, 1)},
      {"fractions", Rows::value_type(arms, 0.6)},
      {"a leading first arm", changes(arms)[1].other}};
  for (const auto& [table, row] : tables) {
    for (const std::size_t round : changed_rounds(rounds)) {
      for (const Change& change : changes(arms)) {
        Rows one(rounds, row);
        Rows other = one;
        one[round] = change.one;
        other[round] = change.other;
        const Watched told = watch(play, one);
        const Watched replayed = watch(play, other, &told.told);
        ++result.pairs;
        result.told += static_cast<Round>(told.told.size() + told.opened.size());
        result.releases = std::max(result.releases, fewest_releases(told, play.setting.arms));
        std::string found = told.opened.empty()
                                ? seen_alike(told, replayed)
                                : "starts from raw outcomes, which leave as they are";
        if (found.empty()) found = Movement(plan, entries, rounding).complaint(told, replayed);
        if (found.empty()) continue;
        result.complaint = found;
        result.where = fmt::format("round {} {}, among {}", round + 1, change.name, table);
        return result;
      }
    }
  }
  return result;
}

}  // namespace tacit::audit
