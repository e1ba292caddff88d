// A service whose thread is the test's, and whose store and keys fail when they are told to.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/rig.hpp"
#include "tacit/service/service.hpp"

namespace tacit::service {

inline SumsAsTheyAre exact;

/// A store that can be told to fail, over one that does not.
class FailingStore final : public Store {
 public:
  explicit FailingStore(std::unique_ptr<SqliteStore> store) : store_(std::move(store)) {}
  bool away = false;
  bool full = false;                     // it may be read
  std::optional<int> commits_left = {};  // and then it is full

  Snapshot load() override { return checked().load(); }
  void begin() override { checked().begin(); }
  void commit() override {
    if (full || commits_left == 0) throw StoreFailed("no room");
    if (commits_left) --*commits_left;
    checked().commit();
  }
  void roll_back() noexcept override { store_->roll_back(); }
  void put_clock(Time clock) override { checked().put_clock(clock); }
  void put_marks(std::uint64_t releases, std::uint64_t debits) override {
    checked().put_marks(releases, debits);
  }
  void put(const ExperimentRow& row) override { checked().put(row); }
  void put(const ProgressRow& row) override { checked().put(row); }
  void put(const SlotRow& row) override { checked().put(row); }
  void put(const SealedRow& row) override { checked().put(row); }
  void put(const PopulationRow& row) override { checked().put(row); }
  void put(const UnitRow& row) override { checked().put(row); }
  void put(const ReplyRow& row) override { checked().put(row); }
  void put(const ApiKeyRow& row) override { checked().put(row); }
  void put(const IncarnationRow& row) override { checked().put(row); }
  void add(const ReleaseRow& row, std::int64_t generation) override {
    checked().add(row, generation);
  }
  void add(const DebitRow& row) override { checked().add(row); }
  void add(const OperationRow& row) override { checked().add(row); }
  void add(const TrafficRow& row) override { checked().add(row); }
  void forget_slot(Id experiment, Slot slot) override { checked().forget_slot(experiment, slot); }
  void forget_slots(Id experiment) override { checked().forget_slots(experiment); }
  int forget_units(Id experiment, int most) override {
    return checked().forget_units(experiment, most);
  }
  void forget_expired(Time now, int most) override { checked().forget_expired(now, most); }
  std::optional<UnitRow> unit(Id experiment, const Tag& tag) override {
    return checked().unit(experiment, tag);
  }
  std::optional<ReplyRow> reply(const Tag& tag) override { return checked().reply(tag); }
  std::vector<ReleaseRow> releases(Id experiment, Round after, int most) override {
    return checked().releases(experiment, after, most);
  }
  std::vector<TrafficRow> traffic(Id experiment, Time from) override {
    return checked().traffic(experiment, from);
  }
  using Store::operations;
  std::vector<OperationRow> operations(int most, std::int64_t before) override {
    return checked().operations(most, before);
  }
  std::vector<ApiKeyRow> keys() override { return checked().keys(); }
  std::int64_t changes_by_others() override { return checked().changes_by_others(); }
  void tidy() override { checked().tidy(); }

 private:
  SqliteStore& checked() {
    if (away) throw StoreFailed("the disk is away");
    return *store_;
  }
  std::unique_ptr<SqliteStore> store_;
};

/// A key ring that can be taken away, or lies on a disk that is full.
class KeysThatFail final : public Keys {
 public:
  std::string why;  // they cannot be read; "": they can
  bool full = false;
  KeyRing read() override {
    if (!why.empty()) throw std::runtime_error(why);
    return keys_.read();
  }
  void write(const KeyRing& ring) override {
    if (full) throw StoreFailed("no room for keys");
    keys_.write(ring);
  }

 private:
  KeysInMemory keys_;
};

/// A service whose thread is the test's.
struct Turned {
  explicit Turned(Durability durability = Durability::kStrict)
      : store(std::make_unique<SqliteStore>(folder.file("store.db"))),
        service({.store = store,
                 .keys = keys,
                 .releaser = exact,
                 .dice = [](Id) { return random::Dice::numbered(1); }},
                clock,
                {.durability = durability,
                 .log = [this](const Json& line) { log.push_back(line); },
                 .on_release =
                     [this](const Engine&, const std::vector<ReleaseRow>& rows) {
                       released.insert(released.end(), rows.begin(), rows.end());
                     },
                 .failpoint = [this](const char* point) { at_failpoint(point); },
                 .own_thread = false}) {
    operate([](Engine& engine, Time now) {
      engine.create_population("people", 100, false, "test", now);
      engine.create(spec_of(small_spec()), "test", now);
    });
  }

  template <class Do>
  Answer operate(Do what) {
    return turned(Lane::kOperate, [what](Engine& engine, Time now) {
      what(engine, now);
      return Answer{};
    });
  }
  Answer turned(Lane lane, Work work) {
    Answer answer{.status = 0};
    service.submit(lane, std::move(work), [&](Answer&& a) { answer = std::move(a); });
    service.turn();
    return answer;
  }
  void submit_decision() {
    service.submit_decision(
        [this](Engine& engine, Time now) {
          decisions.push_back(engine.decide({.experiment = 1, .unit = {}, .eligible = {}}, now));
          return Answer{};
        },
        [this](Engine& engine, Time now) {
          decisions.push_back(
              engine.decide_without_store({.experiment = 1, .unit = {}, .eligible = {}}, now));
          return Answer{.status = 200, .body = "without"};
        },
        [this](Answer&& answer) { answers.push_back(std::move(answer)); });
  }
  Answer report(const Decision& decision) {
    const Event event = *service.directory()->tokens.read(decision.event);
    return turned(Lane::kReport, [event](Engine& engine, Time now) {
      engine.report(event, secret(1), now);
      return Answer{.status = 202};
    });
  }
  bool recorded(const Decision& decision) {
    return service.directory()->tokens.read(decision.event)->recorded;
  }

  Folder folder;
  ClockOfTest clock;
  KeysThatFail keys;
  FailingStore store;
  std::vector<Json> log;
  std::function<void(const std::string&)> at_failpoint = [](const std::string&) {};
  std::vector<ReleaseRow> released;
  std::vector<Decision> decisions;
  std::vector<Answer> answers;
  Service service;
};

}  // namespace tacit::service
