#include "tacit/service/service.hpp"

#include <gtest/gtest.h>

#include <future>

#include "service/rig.hpp"

namespace tacit::service {
namespace {

SumsAsTheyAre exact;

/// A store that can be told to fail, over one that does not.
class FailingStore final : public Store {
 public:
  explicit FailingStore(std::unique_ptr<SqliteStore> store) : store_(std::move(store)) {}
  bool away = false;

  Snapshot load() override { return checked().load(); }
  void begin() override { checked().begin(); }
  void commit() override { checked().commit(); }
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
  std::vector<OperationRow> operations(int most) override { return checked().operations(most); }
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

TEST(Service, AnswersABatchAfterItIsDurable) {
  Turned rig;
  rig.submit_decision();
  rig.submit_decision();
  EXPECT_TRUE(rig.answers.empty());
  rig.service.turn();
  ASSERT_EQ(rig.answers.size(), 2U);
  SqliteStore beside(rig.folder.file("store.db"), SqliteStore::Opening::kBeside);
  EXPECT_EQ(beside.load().progress.at(0).recorded, 2);
}

TEST(Service, AnswersJustBeforeItIsDurableWhenItIsToBeFast) {
  Turned rig(Durability::kFast);
  std::size_t answered_by_then = 0;
  rig.at_failpoint = [&](const std::string& point) {
    if (point == "written") answered_by_then = rig.answers.size();
  };
  rig.submit_decision();
  rig.service.turn();
  EXPECT_EQ(answered_by_then, 1U);
  // And not when a report comes, which a crash would tell.
  EXPECT_EQ(rig.store.load().progress.at(0).recorded, 1);
}

TEST(Service, ReleasesAtTicksAloneAndAtEachThatIsDue) {
  Turned rig;
  rig.clock.advance(1);  // milliseconds past a tick
  for (int i = 0; i < 8; ++i) {
    rig.submit_decision();
    rig.service.turn();
    rig.clock.advance(1500);
  }
  rig.clock.advance(60 * kSecond);
  rig.service.turn();  // as after a batch that took a minute
  ASSERT_GE(rig.released.size(), 3U);
  std::set<Time> times;
  for (const ReleaseRow& row : rig.released) {
    EXPECT_EQ(row.at % kSecond, 0);
    times.insert(row.at);
  }
  EXPECT_GE(times.size(), 3U) << "each at its own time";
  for (const Decision& decision : rig.decisions) EXPECT_EQ(decision.deadline % kSecond, 0);
}

TEST(Service, DoesNotKeepWhenAReportCame) {
  Turned rig;
  rig.submit_decision();
  rig.service.turn();
  const Time kept = rig.store.load().clock;
  rig.clock.advance(700);
  EXPECT_EQ(rig.report(rig.decisions.back()).status, 202);
  EXPECT_EQ(rig.store.load().clock, kept);
}

TEST(Service, GoesOnUnrecordedWhileTheStoreIsAwayAndComesBackByItself) {
  Turned rig;
  rig.submit_decision();
  rig.service.turn();
  ASSERT_TRUE(rig.recorded(rig.decisions.back()));
  const Decision before = rig.decisions.back();

  rig.store.away = true;
  rig.decisions.clear();
  rig.answers.clear();
  rig.submit_decision();
  rig.service.turn();
  ASSERT_EQ(rig.answers.size(), 1U);
  EXPECT_EQ(rig.answers[0].body, "without");
  EXPECT_FALSE(rig.recorded(rig.decisions.back()));
  EXPECT_FALSE(rig.service.store_is_up());
  const Answer refused = rig.report(before);
  EXPECT_EQ(refused.status, 503);
  EXPECT_GT(refused.retry_after, 0);
  rig.submit_decision();
  rig.service.turn();
  EXPECT_EQ(rig.answers.back().body, "without");
  const auto read = [](Engine& engine, Time) {
    return Answer{.body = std::to_string(engine.experiments().size())};
  };
  EXPECT_EQ(rig.turned(Lane::kRead, read).body, "1") << "what is known may be read";

  rig.store.away = false;
  rig.clock.advance(kSecond);
  rig.service.turn();
  EXPECT_TRUE(rig.service.store_is_up());
  EXPECT_EQ(rig.report(before).status, 202);
  for (int i = 0; i < 30; ++i) {
    rig.clock.advance(kSecond);
    rig.service.turn();
  }
  ASSERT_EQ(rig.released.size(), 1U);
  EXPECT_EQ(rig.released[0].values[0], 1) << "what was answered before and after counts";
  EXPECT_EQ(rig.released[0].n, 1) << "what was decided meanwhile does not";
}

TEST(Service, GoesOnUnrecordedWhileItsKeysCannotBeRead) {
  Turned rig;
  rig.store.away = true;
  rig.keys.why = "the keys are torn";
  rig.submit_decision();
  rig.service.turn();
  rig.store.away = false;
  for (int i = 0; i < 5; ++i) {
    rig.clock.advance(kSecond);
    rig.submit_decision();
    rig.service.turn();
    EXPECT_EQ(rig.answers.back().body, "without");
  }
  EXPECT_EQ(std::count_if(rig.log.begin(), rig.log.end(),
                          [](const Json& line) { return line.value("state", "") == "away"; }),
            2)
      << "once for each reason";
  rig.keys.why.clear();
  rig.clock.advance(kSecond);
  rig.service.turn();
  EXPECT_TRUE(rig.service.store_is_up());
}

TEST(Service, ReleasesNothingTwiceWhereverTheStoreGoesAway) {
  // Lost at the tick itself: the noise that was drawn was shown to nobody, and the slot is drawn again.
  Turned rig;
  rig.submit_decision();
  rig.service.turn();
  rig.report(rig.decisions.back());
  rig.clock.advance(13 * kSecond);
  rig.store.away = true;
  rig.service.turn();
  EXPECT_TRUE(rig.released.empty());
  rig.store.away = false;
  for (int i = 0; i < 5; ++i) {
    rig.clock.advance(kSecond);
    rig.service.turn();
  }
  EXPECT_EQ(rig.released.size(), 1U);
}

TEST(Service, KnowsOfAnArmThatIsAddedInTheNextRequestOfTheSameBatch) {
  Turned rig;
  std::vector<Arm> shown;
  rig.service.submit(
      Lane::kOperate,
      [](Engine& engine, Time now) {
        engine.add_arm(1, {.name = "d", .value = "4", .retired = false}, "test", now);
        return Answer{};
      },
      [](Answer&& answer) { EXPECT_EQ(answer.status, 200); });
  rig.service.submit(
      Lane::kReport,
      [&](Engine& engine, Time now) {
        EXPECT_EQ(engine.at(1).views(0.95).size(), 4U);
        shown = engine.decide({.experiment = 1, .unit = {}, .eligible = {3}}, now).arms;
        return Answer{};
      },
      [](Answer&& answer) { EXPECT_EQ(answer.status, 200); });
  rig.service.turn();
  EXPECT_EQ(shown, std::vector<Arm>{3});
}

TEST(Service, RotatesByItself) {
  Turned rig;
  rig.service.turn();
  const auto key = rig.keys.read().sealing_number();
  rig.clock.advance(kHour);
  rig.service.turn();
  EXPECT_EQ(rig.keys.read().sealing_number(), key + 1);
}

TEST(Service, KnowsTheKeysThatAnotherProgramAdds) {
  Turned rig;
  {
    SqliteStore beside(rig.folder.file("store.db"), SqliteStore::Opening::kBeside);
    beside.begin();
    beside.put(ApiKeyRow{.id = "abc", .role = "viewer"});
    beside.commit();
  }
  rig.clock.advance(kSecond);
  rig.service.turn();
  EXPECT_TRUE(rig.service.directory()->keys.contains("abc"));
}

TEST(Service, TellsInItsLogOfAReleaseWithoutWhatItSaid) {
  Turned rig;
  rig.submit_decision();
  rig.service.turn();
  rig.clock.advance(13 * kSecond);
  rig.service.turn();
  const auto found = std::find_if(rig.log.begin(), rig.log.end(),
                                  [](const Json& line) { return line["event"] == "release"; });
  ASSERT_NE(found, rig.log.end());
  EXPECT_EQ((*found)["experiment"], "shop");
  EXPECT_EQ((*found)["n"], 1);
  EXPECT_FALSE(found->contains("values"));
}

TEST(Service, WaitsForKeysThatAreAwayWhenTheStoreIsBack) {
  Folder folder;
  FailingStore store(std::make_unique<SqliteStore>(folder.file("store.db")));
  KeysThatFail keys;
  ClockOfTest clock;
  std::vector<Json> log;
  Service service({.store = store,
                   .keys = keys,
                   .releaser = exact,
                   .dice = [](Id) { return random::Dice::numbered(1); }},
                  clock,
                  {.log = [&](const Json& line) { log.push_back(line); }, .own_thread = false});
  int status = 0;
  store.away = true;
  service.submit(
      Lane::kReport, [](Engine&, Time) { return Answer{}; },
      [&](Answer&& answer) { status = answer.status; });
  service.turn();
  ASSERT_EQ(status, 503);
  store.away = false;
  keys.why = "no keys";
  for (int i = 0; i < 3; ++i) {
    clock.advance(kSecond);
    service.turn();
  }
  EXPECT_FALSE(service.store_is_up());
  const auto told = [&](const Json& line) {
    return line.contains("why") && line["why"] == "no keys";
  };
  EXPECT_EQ(std::count_if(log.begin(), log.end(), told), 1) << "once, and not every second";
  keys.why.clear();
  clock.advance(kSecond);
  service.turn();
  EXPECT_TRUE(service.store_is_up());
}

TEST(Service, ShowsNoReleaseBeforeTheKeyFileKnowsOfIt) {
  Turned rig;
  rig.submit_decision();
  rig.service.turn();
  rig.keys.full = true;
  rig.clock.advance(13 * kSecond);
  rig.service.turn();
  EXPECT_FALSE(rig.service.store_is_up());
  Round version = -1;
  std::size_t durable = 0;
  const auto look = [&] {
    const Answer answer = rig.turned(Lane::kRead, [&](Engine& engine, Time) {
      version = engine.at(1).version();
      durable = engine.store().releases(1, 0, 10).size();
      return Answer{};
    });
    EXPECT_EQ(answer.status, 200);
  };
  look();
  EXPECT_EQ(version, 0);
  EXPECT_EQ(durable, 1U) << "it is drawn";
  EXPECT_TRUE(rig.released.empty());
  EXPECT_EQ(rig.service.directory()->by_id.at(1)->version, 0);
  rig.keys.full = false;
  rig.clock.advance(kSecond);
  rig.service.turn();
  look();
  EXPECT_TRUE(rig.service.store_is_up());
  EXPECT_EQ(version, 1);
  EXPECT_EQ(durable, 1U) << "and once";
}

TEST(Service, SaysOfWhatIsKeptThatItIs) {
  Turned rig;
  rig.keys.full = true;
  Json other = small_spec("other");
  const auto create = [&] {
    return rig.operate(
        [&](Engine& engine, Time now) { engine.create(spec_of(other), "test", now); });
  };
  EXPECT_EQ(create().status, 200) << "it is durable, and its budget spent";
  EXPECT_FALSE(rig.service.store_is_up());
  EXPECT_EQ(create().status, 503);
  rig.keys.full = false;
  rig.clock.advance(kSecond);
  rig.service.turn();
  EXPECT_TRUE(rig.service.store_is_up());
  EXPECT_EQ(rig.service.directory()->by_name.count("other"), 1U);
  EXPECT_EQ(create().status, 409);
}

TEST(Service, LetsNobodyWaitForThoseWhoReadMuch) {
  Turned rig;
  int read = 0;
  constexpr int kReads = 50;
  for (int i = 0; i < kReads; ++i) {
    rig.service.submit(
        Lane::kRead, [](Engine&, Time) { return Answer{}; }, [&](Answer&&) { ++read; });
  }
  int read_before = -1;
  rig.service.submit(
      Lane::kOperate, [](Engine&, Time) { return Answer{}; },
      [&](Answer&&) { read_before = read; });
  rig.service.turn();
  EXPECT_LT(read_before, kReads / 2);
  EXPECT_EQ(read, kReads);
}

TEST(Service, KeepsFewLongAnswersAtOnce) {
  Turned rig;
  constexpr int kAnswers = 40;
  int done = 0;
  int most_waiting = 0;
  for (int i = 0; i < kAnswers; ++i) {
    rig.service.submit(
        Lane::kOperate,
        [&, i](Engine&, Time) {
          most_waiting = std::max(most_waiting, i - done);
          return Answer{.body = std::string(1 << 20, 'x')};
        },
        [&](Answer&&) { ++done; });
  }
  rig.service.turn();
  EXPECT_EQ(done, kAnswers);
  EXPECT_LT(most_waiting, 20);
}

TEST(Service, ForgetsItsKeyWhenItStops) {
  const Folder folder;
  const std::string path = folder.file("store.db");
  KeysInMemory keys;
  const auto number = [&] { return keys.read().sealing_number(); };
  std::int64_t served = 0;
  {
    SqliteStore store(path);
    ClockOfTest clock;
    const Service service({.store = store,
                           .keys = keys,
                           .releaser = exact,
                           .dice = [](Id) { return random::Dice::numbered(1); }},
                          clock, {});
    served = number();
  }
  EXPECT_GT(number(), served);
  EXPECT_EQ(keys.read().state.size(), 1U);
}

TEST(Service, SaysNothingInItsLogOfAReportThatFails) {
  Turned rig;
  const std::size_t lines = rig.log.size();
  const auto fail = [](Engine&, Time) -> Answer { throw std::logic_error("never"); };
  EXPECT_EQ(rig.turned(Lane::kReport, fail).status, 500);
  EXPECT_EQ(rig.log.size(), lines);
  EXPECT_EQ(rig.turned(Lane::kOperate, fail).status, 500);
  EXPECT_EQ(rig.log.size(), lines + 1);
}

TEST(Service, RefusesRequestsOnceItIsDraining) {
  Turned rig;
  rig.service.drain();
  const Answer answer = rig.turned(Lane::kRead, [](Engine&, Time) { return Answer{}; });
  EXPECT_EQ(answer.status, 503);
}

TEST(Service, AnswersEverybodyFromManyThreads) {
  Folder folder;
  KeysInMemory keys;
  SqliteStore store(folder.file("store.db"));
  SteadyClock clock;
  std::atomic<int> answered{0};
  {
    Service service({.store = store,
                     .keys = keys,
                     .releaser = exact,
                     .dice = [](Id) { return random::Dice::numbered(1); }},
                    clock, {});
    std::promise<int> created;
    service.submit(
        Lane::kOperate,
        [](Engine& engine, Time now) {
          engine.create_population("people", 100, false, "test", now);
          engine.create(spec_of(small_spec()), "test", now);
          return Answer{};
        },
        [&](Answer&& answer) { created.set_value(answer.status); });
    EXPECT_EQ(created.get_future().get(), 200);
    std::vector<std::jthread> clients;
    for (int i = 0; i < 4; ++i) {
      clients.emplace_back([&] {
        for (int j = 0; j < 500; ++j) {
          service.submit(
              Lane::kReport,
              [](Engine& engine, Time now) {
                engine.decide({.experiment = 1, .unit = {}, .eligible = {}}, now);
                return Answer{};
              },
              [&](Answer&& answer) { answered += answer.status == 200 ? 1 : 0; });
        }
      });
    }
  }
  EXPECT_EQ(answered, 2000);
  EXPECT_EQ(store.load().progress.at(0).recorded, 2000) << "all of it is kept";
}

TEST(SteadyClock, GoesOnFromWhatWasSeenWhateverTheWallSays) {
  SteadyClock clock;
  const Time before = clock.now();
  clock.not_before(before - kDay);
  EXPECT_LT(clock.now() - before, kHour);
  clock.not_before(before + kDay);  // the wall's clock was set back between two starts
  EXPECT_GE(clock.now(), before + kDay);
  EXPECT_LT(clock.now(), before + kDay + kHour);
  EXPECT_LT(clock.jumped(), -kHour) << "by so much the wall's clock is behind";
  EXPECT_EQ(clock.jumped(), 0) << "which is told once";
}

}  // namespace
}  // namespace tacit::service
