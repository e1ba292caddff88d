// What docs/service.md promises, as a machine of its own that shares nothing with the program but the names of things. It is told
// what happened and what could be seen of it, and throws Broken where that is not what was promised:
//
//   what is recorded    while the experiment runs, if it was asked for so, at most `cap` times a unit for what was paid; what was
//                       deferred when it is activated, once, by its own deadline and in the period in which it was asked for
//   where               the slot of the arm that is filling, at the next place; held-out visitors in slots of their own, a unit always
//                       on the same side
//   what is released    of a slot once, and of every slot: how many decisions it has, and the sum of the first answer of each by its
//                       deadline, where there is none of `default`
//   when                at the first tick at which it is ripe, an arm's slots in order
//   what is spent       what an experiment takes at its beginning, for each period that begins, and for an older copy of the store
//   what is lost        with a batch that was not kept: all of it; with an older copy: what was under way, where something was
//                       released since, or its key is gone
//
// When a slot is full is the policy's plan, of which nothing is known here: it may be at a slot's last decision or after a restart; it must
// be when it is too old, and when the experiment is stopped.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/broken.hpp"
#include "model/service_story.hpp"

namespace tacit::model {

/// A decision, as its event says it.
struct Seen {
  std::string token = {};
  std::vector<Arm> arms = {};
  std::vector<std::pair<Slot, Round>> places = {};
  Time deadline = 0;
  bool recorded = false;
  bool deferred = false;
  bool fallback = false;
};

/// A slot, as it was released.
struct Out {
  Round version = 0;
  Slot slot{};
  Round n = 0;
  std::vector<double> values = {};
  Time at = 0;
};

class Promise {
 public:
  explicit Promise(const Story& story) : story_(story) {
    budget_ = {story.people, story.members};
    kept_.experiments.resize(story.trials.size());
  }

  bool begun(std::size_t trial) const { return at(trial).begun; }
  bool over(std::size_t trial) const { return at(trial).state >= State::kStopped; }
  bool knows(const std::string& token) const { return kept_.decisions.contains(token); }
  int arms(std::size_t trial) const { return static_cast<int>(at(trial).retired.size()); }

  // ---- what is asked for

  void begins(std::size_t trial, Time now, bool accepted);
  void asked(const Step& step, const Seen& seen, Time now);
  /// Nothing of it was kept.
  void asked_in_vain(const Step& step, const std::optional<Seen>& seen, Time now);
  void activated(std::size_t trial, const std::string& token, const Seen& seen, Time now);
  void answered(const std::string& token, int quarters, Time now);
  /// What is to be sealed again, now that these were answered: whatever became of the answers.
  int to_be_sealed(const std::set<std::string>& tokens) const;
  void told(const Step& step, bool accepted, Time now);

  // ---- time

  /// All ticks until now, and what came out.
  void ticked(Time now, const std::vector<std::pair<std::size_t, Out>>& released);
  void rotated(Time now);
  /// Of a program that starts, or of one that reads its store again.
  void started(Time now, bool anew);
  /// Everything that a copy of the store has.
  struct Kept;
  Kept kept() const;
  void put_back(const Kept& kept);

  // ---- what is seen at any time

  void shows(std::size_t trial, Round recorded, bool running, bool stopped) const;
  void shows_spent(bool members, double epsilon) const;
  void shows_reports(std::size_t trial, const std::vector<Round>& of_arms) const;
  /// Nothing is under way.
  void ends() const;

 private:
  enum class State { kRunning, kPaused, kStopped, kArchived };

  struct Decision {
    std::size_t trial = 0;
    int generation = 0;
    int unit = 0;
    Time at = 0;
    Seen seen = {};
    std::string activated = {};
    std::optional<int> quarters = {};
  };
  struct Open {
    std::vector<std::pair<std::string, int>> decisions = {};  // and which of its outcomes
    Time opened = 0;
    bool closed = false;            // takes no decision any more
    std::vector<Time> may_be = {};  // when it may be released
  };
  struct Sticky {
    std::string token;
    Time until = 0;
  };
  struct Experiment {
    bool begun = false;
    int number = 0;  // in the order in which they were begun
    Trial trial = {};
    State state = State::kRunning;
    Time created = 0;
    int generation = 0;
    Round version = 0;
    Round recorded = 0;
    std::vector<bool> retired = {};
    std::map<Slot, Open> open = {};
    std::map<Arm, Round> released = {};  // the last phase
    std::map<Arm, Time> released_at = {};
    std::map<std::pair<int, int>, int> used = {};       // by unit and what was paid for it
    std::map<std::pair<int, int>, Sticky> sticky = {};  // likewise
    std::map<int, std::pair<double, double>> side =
        {};  // the largest share it was not held out at, the smallest it was
    double never_held_out =
        0;  // ln of the chance that nobody was for so long, and that everybody was
    double always_held_out = 0;
    std::map<Arm, Round> reports = {};
  };

 public:
  struct Kept {
    std::vector<Experiment> experiments = {};
    std::map<std::string, Decision> decisions = {};
    Round releases = 0;
    int rotations = 0;
  };

 private:
  const Experiment& at(std::size_t trial) const { return kept_.experiments[trial]; }
  Experiment& at(std::size_t trial) { return kept_.experiments[trial]; }
  std::vector<std::size_t> in_order() const;
  static bool members(const Experiment& e) { return e.trial.cap > 0; }
  bool pay(const Experiment& e);
  static int period_of(const Experiment& e, Time now);
  std::optional<int> paid_for(std::size_t trial, bool pays, Time now);
  bool may_be_shown(const Experiment& e, const Step& step, const std::vector<Arm>& arms) const;
  bool sticks_beside(const Step& step, const Sticky& sticky, Time now) const;
  bool again(const Step& step, Sticky& sticky, const Seen& seen, Time now);
  void note(std::size_t trial, int unit, const Seen& seen, Time now);
  void record(Experiment& e, const Seen& seen, Time now);
  void check_side(Experiment& e, const Step& step, const Seen& seen) const;
  void comes_out(Experiment& e, const Out& out);
  double sum_of(const Experiment& e, const Open& open, int entry) const;
  static bool is_first(const Experiment& e, const Slot& slot);
  Time ripe(const Experiment& e, Time closed) const;
  void close_all(Experiment& e, Time now);
  void abandon(Experiment& e);

  const Story& story_;
  std::pair<double, double> budget_;
  Kept kept_;

  // What no copy of the store takes back:
  std::pair<double, double> spent_ = {0, 0};
  std::map<std::size_t, std::pair<int, int>>
      paid_;  // of an experiment: the last payment, and its period
  int payments_ = 0;
  Round releases_ = 0;
  int rotations_ = 0;
  Time last_tick_ = 0;
  Time up_since_ = 0;
};

}  // namespace tacit::model
