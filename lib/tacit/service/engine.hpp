// The service as a state machine: requests, the clock and coins in, answers and rows out. One thread. What it answers is a
// function of requests, time, coins and what was released; that is what tests/service holds it to, byte by byte.
//
// How it is driven (service.hpp does):
//
//   store.begin();  ... decide(), report(), ...;  engine.write();  store.commit();      then the answers may leave
//   store.begin();  engine.tick(now);  engine.write();  store.commit();  engine.publish();      once a second
//
// If anything throws StoreFailed, the engine is no longer what the store says: it is thrown away, and a new one reads the store.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tacit/random/dice.hpp"
#include "tacit/service/budget.hpp"
#include "tacit/service/directory.hpp"
#include "tacit/service/experiment.hpp"
#include "tacit/service/keys.hpp"
#include "tacit/service/releaser.hpp"
#include "tacit/service/store.hpp"
#include "tacit/service/time.hpp"

namespace tacit::service {

struct DecideRequest {
  Id experiment = 0;
  std::optional<UnitHash> unit;
  std::vector<Arm> eligible;  // none: all
  bool defer = false;         // shown later, or not at all: activate() says so
  bool record = true;
};

struct Decision {
  std::string event;         // the token
  std::vector<Arm> arms;     // what is to be shown, in order
  std::vector<Arm> observe;  // whose outcomes are asked for; kAllArms: everybody's
  Time deadline = 0;
  Round version = 0;
  bool fallback = false;
};

class Engine {
 public:
  struct Parts {
    Store& store;
    Keys& keys;
    Releaser& releaser;
    /// Public dice of an experiment; fresh for every start unless a test says otherwise.
    std::function<random::Dice(Id experiment)> dice;
    /// Public coins of floors and holdouts, one for every start; null: fresh ones.
    std::function<random::Dice()> coins = nullptr;
  };

  /// Reads the store and the key ring, and finishes what a crash left: between begin() and commit() of its own. `now` is what the
  /// clock on the wall says; the engine's time is never before what was kept. A store that is older than the key ring knows loses
  /// all that was under way. Throws std::runtime_error when the two do not belong together.
  Engine(const Parts& parts, Time now);

  /// Never before what any request was answered at.
  Time clock() const noexcept { return clock_; }
  /// What happened at the start that an operator should read: one line each.
  const std::vector<std::string>& notes() const noexcept { return notes_; }

  // ---- requests. `now` never falls. Throw Problem for what is refused, which then did not happen.

  Decision decide(const DecideRequest& request, Time now);
  /// The same decision, unrecorded, without a look at the store: while that is away.
  Decision decide_without_store(const DecideRequest& request, Time now);
  /// Whether decide() would keep something of a unit of which nothing is kept now.
  bool is_new_unit(const DecideRequest& request, Time now);
  /// It is shown now: the active token. Of one that is active already: itself.
  std::string activate(const Event& event, Time now);
  /// Says nothing: not whether it was the first, in time, or of anything that there is.
  void report(const Event& event, std::span<const privacy::Secret<Sum>> outcomes, Time now);
  void take(const Event& event, std::span<const double> report, Time now);

  /// An answer that was given to the same request before.
  std::optional<ReplyRow> reply(const Tag& tag, Time now);
  void keep(const ReplyRow& reply);

  // ---- operators. `by` is the id of the key that asked.

  Id create_population(const std::string& name, double epsilon, bool user_level,
                       const std::string& by, Time now);
  Id create(const Spec& spec, const std::string& by, Time now);
  /// From running to paused and back; stopped ones stay stopped.
  void pause(Id experiment, bool paused, const std::string& by, Time now);
  void stop(Id experiment, const std::string& why, const std::string& by, Time now);
  void archive(Id experiment, const std::string& by, Time now);
  /// What an operator ordered while the store was away.
  struct Order {
    std::string experiment;
    ExperimentState to = ExperimentState::kStopped;  // or paused, or running again
    std::string why;
    std::string by;

    std::string in_words() const;
  };
  /// While the store is away: holds at once, and as long as this engine does. False: it was stopped before, on the disk too.
  bool order(Id experiment, ExperimentState to, const std::string& why, const std::string& by);
  const std::vector<Order>& orders() const noexcept { return orders_; }
  /// Those of the engine before this one, now that there is a store. What cannot be done is noted.
  void carry_out(const std::vector<Order>& orders, Time now);
  /// What may change while it runs: floor, holdout, control, fallback, sticky_for, phase_max_age, values of arms. Throws Problem for the rest.
  void change(Id experiment, const Json& patch, const std::string& by, Time now);
  /// Adds arms, or retires some. The engine must be read again after the commit: see reload_wanted().
  void add_arm(Id experiment, const ArmSpec& arm, const std::string& by, Time now);
  void retire_arm(Id experiment, const std::string& arm, const std::string& by, Time now);
  bool reload_wanted() const noexcept { return reload_wanted_; }
  void put_key(const ApiKeyRow& key, const std::string& by, Time now);

  // ---- the batch and the tick

  /// Puts all that changed into the store's transaction.
  void write();
  /// Closes old slots and draws noise for ripe ones, into the store's transaction.
  void tick(Time now);
  /// Whether a tick would have something to do, or something is not written yet.
  bool anything_due(Time now) const;
  /// When the clock alone next changes something; Experiment::kNever: nothing waits.
  Time next_due() const;
  /// After a transaction is durable: raises the marks in the key ring, tells learners, lets it be seen. Returns what was released.
  std::vector<ReleaseRow> publish();
  /// A new key, under which everything secret is sealed again; the old one is erased. Transactions of its own.
  void rotate(Time now, const std::string& by = "");
  Time rotated() const noexcept { return ring_.rotated; }
  /// Whether everything that was done before is durable, by a transaction of the engine's own since it was asked last.
  bool take_committed() noexcept { return std::exchange(committed_, false); }
  /// Reads keys of the API again, which another program may have written.
  void reread_keys();

  // ---- what may be told

  /// For other threads: rebuilt when something of it changes.
  std::shared_ptr<const Directory> directory();
  const Experiment* find(std::string_view name) const;
  /// Throws Problem (404).
  const Experiment& at(Id experiment) const;
  std::vector<const Experiment*> experiments() const;
  struct PopulationView {
    PopulationRow row;
    double spent = 0;
    double left = 0;
  };
  std::vector<PopulationView> populations() const;
  /// Why nothing is recorded of an experiment that runs, whoever asks: a period of its users has begun that their population cannot
  /// pay for. "": it is. By the time, the budget, and whether somebody took part.
  std::string why_not_recorded(const Experiment& experiment, Time now) const;
  /// For how many periods more its population has enough, if nothing else is taken out of it; none: it has no periods.
  std::optional<std::int64_t> periods_left(const Experiment& experiment) const;
  /// What of budgets is to be told, since it was asked last: what was taken out of them, and what could not be.
  struct BudgetNews {
    Id population = 0;
    Id experiment = 0;   // 0: none
    double epsilon = 0;  // 0: nothing was taken
    double left = 0;
    std::string why;
  };
  std::vector<BudgetNews> take_budget_news() { return std::exchange(budget_news_, {}); }
  bool has_budget_news() const noexcept { return !budget_news_.empty(); }
  /// What operators have made and set.
  struct Standing {
    std::vector<std::pair<ExperimentRow, Spec>> experiments;
    std::vector<PopulationView> populations;
    std::vector<ApiKeyRow> keys;
  };
  Standing standing() const;
  /// As it stood, for an engine that is only read from now on: what was changed since did not become durable.
  void take_back(const Standing& standing);
  /// Likewise, of how many decisions there were: what the store has. Where it cannot be read, as it was.
  void count_what_is_kept();
  const std::vector<ApiKeyRow>& api_keys() const noexcept { return api_keys_; }
  Store& store() noexcept { return parts_.store; }
  /// Decisions of every arm since the beginning, in the order of experiments().
  const std::map<std::pair<Id, Arm>, Round>& decisions() const noexcept { return decisions_; }
  /// Hour by hour, also of what is not written yet: whether it is depends on whether something was reported.
  std::vector<TrafficRow> traffic(Id experiment, Time from);

 private:
  struct Population {
    PopulationRow row;
    Budget budget;
  };

  // engine.cpp
  Experiment& mutable_at(Id experiment);
  bool known(const Event& event) const;
  Time later(Time now) { return clock_ = std::max(clock_, now); }
  Event choose(Experiment& experiment, const DecideRequest& request, Time now);
  std::span<const Arm> eligible(const Experiment& experiment, const DecideRequest& request);
  bool held_out(const Experiment& experiment, const DecideRequest& request);
  Event stopped(const Experiment& experiment, Time now);
  Decision answer(const Experiment& experiment, const Event& event, std::string token) const;
  Decision answer(const Experiment& experiment, Event& event);
  void count(const Event& event);
  static Tag tag_of_unit(const UnitHash& unit, const KeyBytes& key);
  UnitRow& unit_row(Id experiment, const Tag& tag);
  bool may_record(Experiment& experiment, UnitRow* unit) const;
  std::optional<Event> stuck_to(const Experiment& experiment, const UnitRow& unit, Time now) const;
  /// What sticks, once more; for the first time, if it was deferred. What is kept out by an operator's doing sticks no longer.
  Decision again(Experiment& experiment, Event event, const DecideRequest& request, UnitRow& unit,
                 Time now);
  /// Of its present period, which may have just begun: then there is a new key, and a debit if somebody `pays`, who is to be
  /// recorded. Null: nobody does, or the budget is spent.
  const KeyBytes* unit_key(Experiment& experiment, bool pays, Time now);
  /// The period of its users that is now.
  bool is_paid(const Experiment& experiment, Time now) const;
  void tell_unpaid(Experiment& experiment, Time now);
  static std::int64_t period_of(const Experiment& experiment, Time now);
  /// A unit's count is of the period in which a decision is asked for. Shown in a later one it would be recorded on top of as many
  /// there.
  static bool was_asked_for_in_this_period(const Experiment& experiment, const Event& event,
                                           Time now);
  static Time end_of(const Experiment& experiment, const UnitRow& unit, Time now);
  /// Whoever is in its tables is nobody from now on.
  void erase_unit_keys(Id experiment);
  void forget_old_units(Time now);
  void forget_nobodies(int most);
  void pay_again(Experiment& experiment, Time now);

  // engine_loading.cpp
  void load(Time now);
  void forget_lost_experiments();
  double spend_known(Id population, Time now);
  void load_populations(const Snapshot& snapshot);
  void catch_up_with_ring(Time now);
  void load_experiments(const Snapshot& snapshot, bool behind, Time now);
  void finish_rotation();
  void reseal();

  // engine_operating.cpp
  Population& population_named(const std::string& name);
  bool try_debit(Id population, Id experiment, double epsilon, const std::string& reason, Time now);
  void note(const std::string& by, const std::string& what, Time now);
  void check_not_over(const Experiment& experiment) const;
  void insert(std::unique_ptr<Experiment> experiment);

  Parts parts_;
  KeyRing ring_;
  TokenKeys tokens_;
  Time clock_ = 0;
  std::uint64_t number_ = 0;                        // of the last token
  std::map<std::uint32_t, std::uint64_t> durable_;  // numbers of earlier starts
  std::uint64_t releases_ = 0;
  std::uint64_t debits_ = 0;
  random::Dice coins_;  // floors and holdouts
  std::map<Id, std::unique_ptr<Experiment>> experiments_;
  std::map<std::string, Id, std::less<>> by_name_;
  std::map<Id, Population> populations_;
  std::vector<ApiKeyRow> api_keys_;
  std::map<std::pair<Id, Arm>, Round> decisions_;
  std::set<Id> touched_;           // experiments with something that is not written
  std::set<Id> nobodies_;          // experiments that are over and may have rows of units
  std::vector<ReleaseRow> drawn_;  // and not published

  // Not written yet:
  std::map<std::tuple<Id, Time, Arm>, Round> unwritten_traffic_;  // by hour
  std::map<std::pair<Id, Tag>, UnitRow> units_;
  std::map<Tag, ReplyRow> replies_;
  std::vector<DebitRow> unwritten_debits_;
  std::vector<BudgetNews> budget_news_;
  std::vector<OperationRow> unwritten_operations_;
  std::vector<PopulationRow> unwritten_populations_;
  std::vector<ApiKeyRow> unwritten_keys_;
  std::uint64_t written_number_ = 0;  // of the last token whose number is written
  Time written_clock_ = 0;
  bool ring_changed_ = false;
  bool committed_ = false;
  std::vector<Arm> eligible_;
  std::vector<std::string> notes_;
  std::shared_ptr<const Directory> directory_;
  bool reload_wanted_ = false;
  std::vector<Order> orders_;  // in the order in which they came
};

}  // namespace tacit::service
