#include "tacit/audit/exact.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacit/audit/exact_law.hpp"
#include "tacit/audit/exact_paths.hpp"
#include "tacit/audit/exact_state.hpp"
#include "tacit/audit/neighbours.hpp"
#include "tacit/audit/replay.hpp"
#include "tacit/core/check.hpp"

namespace tacit::audit {
namespace {

/// With a larger one, what is e^-epsilon times as rare as what is left out could not be written down.
constexpr double kLargestEpsilon = 100;

class Search {
 public:
  Search(const Play& play, const Law& law, std::int64_t most_paths)
      : law_(law),
        rounds_(play.setting.horizon),
        most_paths_(most_paths),
        state_(play, law),
        book_(law.runs_on) {}

  /// How many rounds can be followed: all, or fewer.
  Round run() {
    Nodes now{{state_.saved(), {Path{}}}};
    for (t_ = 1; t_ <= rounds_; ++t_) {
      for (const auto& [text, paths] : now) result_.paths += std::ssize(paths);
      if (too_many()) return t_ - 1;
      for (const auto& [text, paths] : now) {
        play_round(text, paths);
        if (too_many()) return t_;  // as the last one it has no more
      }
      for (const double beyond : beyond_) result_.beyond += beyond;
      beyond_.clear();
      now = std::exchange(next_, {});
    }
    result_.rounds = rounds_;
    return rounds_;
  }
  const ExactResult& result() const { return result_; }

 private:
  using Nodes = std::unordered_map<std::string, Paths>;  // by public state

  bool too_many() const { return result_.paths > most_paths_; }
  bool is_last() const { return t_ == rounds_; }

  void play_round(const std::string& text, Paths paths) {
    state_.load(text);
    state_.learner().choose({t_}, choice_);
    const bool may_come =
        std::any_of(paths.begin(), paths.end(), [](const Path& path) { return path.left == 0; });
    if (may_come && !choice_.slots().empty()) {
      Places places;
      for (const Slot& slot : choice_.slots())
        places.push_back({slot.arm, state_.released(slot.arm)});
      paths.push_back({book_.index_of(places), 0, t_, nullptr});
    }
    if (law_.reports) {
      report(paths);
    } else {
      fill(0, paths);
    }
  }

  /// The choice's slots, from this one on.
  void fill(std::size_t at, const Paths& paths) {
    if (at == choice_.slots().size()) {
      keep(paths);
      return;
    }
    const Slot slot = choice_.slots()[at];
    const Round full = state_.learner().assign(slot, 1);
    if (full == 0) {
      fill(at + 1, paths);
      return;
    }
    const Block block = state_.block_of(slot, full);
    const Possible& possible = possible_of(block.ends - block.begins, block.ends);
    leave_out(at, law_.entries * possible.beyond());
    const auto is_in_it = [&](const Place& place) { return block.holds(place.arm, place.after); };
    tell(possible, static_cast<std::size_t>(law_.entries), slot.arm, book_.steps(paths, is_in_it),
         [&](const Values& values, const Paths& after) {
           if (!values.empty()) state_.deliver(block, values);
           fill(at + 1, after);
         });
  }

  void report(const Paths& paths) {
    const Possible& possible = possible_of(1, 1);
    const std::size_t entries = law_.whole ? 1 : choice_.slots().size();
    leave_out(0, static_cast<double>(entries) * possible.beyond());
    tell(possible, entries, kAllArms, book_.steps(paths, [](const Place&) { return true; }),
         [&](const Values& values, const Paths& after) {
           if (!values.empty()) state_.take(choice_, values);
           keep(after);
         });
  }

  const Possible& possible_of(Round n, Round so_far) {
    const auto found = possible_.find({n, so_far});
    if (found != possible_.end()) return found->second;
    return possible_.emplace(std::pair(n, so_far), law_.possible(n, so_far)).first->second;
  }
  void leave_out(std::size_t at, double beyond) {
    beyond_.resize(std::max(beyond_.size(), at + 1), 0);
    beyond_[at] = std::max(beyond_[at], beyond);
  }

  /// Goes on with every value that can come out, and all paths on which something is left to be told; in the last round,
  /// when no choice follows, once and without a value.
  template <class GoOn>
  void tell(const Possible& possible, std::size_t entries, Arm arm, const std::vector<Step>& steps,
            GoOn go_on) {
    std::vector<Step> followed;
    Paths ended;
    for (const Step& step : steps) {
      if (!is_last() && step.left != kNothing) {
        followed.push_back(step);
        continue;
      }
      std::vector<const Said*> worst;
      if (step.direction) worst.assign(entries, &possible.worst(*step.direction));
      const Path path = book_.after(step, possible, worst, t_, arm, result_.epsilon);
      if (path.left == kNothing) {
        consider(path);
      } else {
        ended.push_back(path);
      }
    }
    if (is_last()) {
      go_on({}, ended);
      return;
    }
    if (followed.empty()) return;
    const std::string text = state_.saved();
    std::vector<std::size_t> places(entries, 0);  // one value of every entry, all in turn
    for (bool more = true; more && !too_many();) {
      std::vector<const Said*> said;
      Values values;
      for (const std::size_t place : places) {
        said.push_back(&possible.said()[place]);
        values.insert(values.end(), said.back()->values.begin(), said.back()->values.end());
      }
      Paths after;
      for (const Step& step : followed)
        after.push_back(book_.after(step, possible, said, t_, arm, 0));
      result_.paths += std::ssize(after);
      state_.load(text);
      go_on(values, after);
      more = false;
      for (std::size_t i = 0; i < entries && !more; ++i) {
        places[i] = (places[i] + 1) % possible.said().size();
        more = places[i] != 0;
      }
    }
  }

  void keep(const Paths& paths) {
    if (!is_last()) {
      merge(paths, next_[state_.saved()]);
      return;
    }
    for (const Path& path : paths) consider(path);
  }

  void consider(const Path& path) {
    if (path.loss <= result_.epsilon) return;
    result_.epsilon = path.loss;
    result_.where = path.told();
  }

  const Law& law_;
  Round rounds_;
  std::int64_t most_paths_;
  PublicState state_;
  PathBook book_;
  Round t_ = 0;
  policies::Choice choice_;
  Nodes next_;
  std::map<std::pair<Round, Round>, Possible> possible_;
  std::vector<double> beyond_;  // of this round, by slot: the most
  ExactResult result_;
};

bool shows_every_arm(Play play, Round rounds) {
  play.setting.horizon = rounds;
  const Rows rows = constant_rows(rounds, play.setting.arms, 0.5);
  return fewest_releases(watch(play, rows, nullptr, Look::kReleases), play.setting.arms) > 0;
}

}  // namespace

Round enough_rounds(const Play& play) {
  constexpr Round kMost = 4096;
  Round enough = play.entry.card.plays_sets() ? 4 : 8;
  if (shows_every_arm(play, enough)) return enough;
  Round too_few = enough;
  for (enough *= 2; enough < kMost && !shows_every_arm(play, enough); enough *= 2) too_few = enough;
  while (enough - too_few > 1) {
    const Round middle = (too_few + enough) / 2;
    (shows_every_arm(play, middle) ? enough : too_few) = middle;
  }
  return enough;
}

ExactResult exact_audit(Play play, Round rounds, std::int64_t most_paths) {
  check::positive_up_to("exact_audit", "epsilon", play.setting.epsilon.value_or(0),
                        kLargestEpsilon);
  const policies::Card& card = play.entry.card;
  if (card.trust == policies::Trust::kNone) {
    throw InvalidParameter(
        Option{"policy"}, card.name,
        "claims no privacy, so there is nothing to compute; tacit list shows who "
        "does");
  }
  play.setting.pace = policies::Pace::kPlain;
  const bool asked = rounds != 0;
  if (!asked) rounds = enough_rounds(play);
  for (;;) {
    play.setting.horizon = check::horizon("exact_audit", rounds);
    const Law law = law_of(play);
    Search search(play, law, most_paths);
    const Round feasible = search.run();
    if (feasible == rounds) return search.result();
    if (asked) {
      throw InvalidParameter(
          Option{"rounds"}, fmt::format("{}", rounds),
          fmt::format("more than can be enumerated at epsilon {}; {} can be, or a larger epsilon",
                      *play.setting.epsilon, feasible));
    }
    rounds = feasible;
  }
}

}  // namespace tacit::audit
