#include "tacit/service/service.hpp"

#include <gtest/gtest.h>

#include <future>

#include "tacit/service/service_rig_test.hpp"

namespace tacit::service {
namespace {

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

TEST(Service, AnswersABatchAfterItIsDurableAlsoWhereItRotatesFirst) {
  Turned rig;
  rig.service.turn();
  rig.clock.advance(kHour);
  rig.submit_decision();
  std::size_t answered_by_then = 1;
  rig.at_failpoint = [&](const std::string& point) {
    if (point == "written") answered_by_then = rig.answers.size();
  };
  rig.service.turn();
  EXPECT_EQ(answered_by_then, 0U);
  EXPECT_EQ(rig.answers.size(), 1U);
}

TEST(Service, RotatesWithinAnHourAlsoWhereItsClockWasAhead) {
  Turned rig;
  KeyRing ring = rig.keys.read();
  ring.rotated += kDay;  // by a clock that has been set back since
  rig.keys.write(ring);
  rig.store.away = true;
  rig.submit_decision();
  rig.service.turn();
  rig.store.away = false;
  rig.clock.advance(kSecond);
  rig.service.turn();
  ASSERT_TRUE(rig.service.store_is_up());
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

TEST(Service, LogsReleasesOfAllArmsAsTheApiTellsThem) {
  Turned rig;
  rig.operate([](Engine& engine, Time now) {
    Json spec = small_spec("every");
    spec["policy"] = "ftnl";
    spec["arms"] = {"all", "holdout"};
    engine.create(spec_of(spec), "test", now);
    engine.decide({.experiment = 2, .unit = {}, .eligible = {}}, now);
  });
  rig.clock.advance(13 * kSecond);
  rig.service.turn();
  const auto found = std::find_if(rig.log.begin(), rig.log.end(),
                                  [](const Json& line) { return line["event"] == "release"; });
  ASSERT_NE(found, rig.log.end());
  EXPECT_EQ((*found)["arm"], "@all");
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

TEST(Service, LogsWhatIsTakenOutOfBudgetsBeforeItIsAnswered) {
  for (const Durability durability : {Durability::kStrict, Durability::kFast}) {
    Turned rig(durability);
    rig.operate([](Engine& engine, Time now) {
      engine.create_population("few", 3, true, "test", now);
      Json spec = small_spec("users");
      spec.erase("epsilon");
      spec["population"] = "few";
      spec["user"] = {{"epsilon", 1.5}, {"cap", 1}, {"period", "1h"}};
      engine.create(spec_of(spec), "test", now);
    });
    const auto logged = [&](const std::string& event) {
      std::vector<std::string> lines;
      for (const Json& line : rig.log) {
        if (line["event"] == event) lines.push_back(line.dump());
      }
      return lines;
    };
    for (std::size_t hour = 0; hour < 4; ++hour) {
      std::size_t by_then = 0;
      rig.service.submit(
          Lane::kDecide,
          [](Engine& engine, Time now) {
            engine.decide({.experiment = 2, .unit = engine.directory()->unit("u"), .eligible = {}},
                          now);
            return Answer{};
          },
          [&](Answer&&) { by_then = logged("debit").size() + logged("not recorded").size(); });
      rig.service.turn();
      EXPECT_EQ(by_then, 2 + std::min<std::size_t>(hour, 2));
      rig.clock.advance(kHour);
    }
    EXPECT_EQ(logged("debit").back(),
              R"({"event":"debit","population":"few","experiment":"users","epsilon":1.5,)"
              R"("left":0.0,"reason":"period 2"})");
    ASSERT_EQ(logged("not recorded").size(), 1U);
    EXPECT_NE(logged("not recorded")[0].find("a period takes 1.5"), std::string::npos);
  }
}

/// Service time at half speed, as where it is ahead of the wall's clock.
class SlowClock final : public Clock {
 public:
  Time now() override { return kStart + gone_ / 2; }
  Time elapsed() override { return gone_; }
  bool is_ahead() override { return true; }
  void advance(Time by) { gone_ += by; }

 private:
  static constexpr Time kStart = 1'800'000'000'000;
  Time gone_ = 0;
};

TEST(Service, RotatesOnceAnHourAlsoWhereServiceTimeGoesAtHalfSpeed) {
  Folder folder;
  KeysInMemory keys;
  SqliteStore store(folder.file("store.db"));
  SlowClock clock;
  std::int64_t kept = 0;
  for (int start = 0; start < 2; ++start) {
    Service service({.store = store,
                     .keys = keys,
                     .releaser = exact,
                     .dice = [](Id) { return random::Dice::numbered(1); }},
                    clock, {.own_thread = false});
    const auto sealing = [&] { return keys.read().sealing_number(); };
    const std::int64_t before = sealing();
    clock.advance(2 * kSecond);
    service.turn();
    EXPECT_EQ(sealing(), before + 1) << "how much of the hour was over before is not known";
    for (int i = 1; i <= 3; ++i) {
      clock.advance(kHour);
      service.turn();
      EXPECT_EQ(sealing(), before + 1 + i);
    }
    EXPECT_GT(before, kept);
    kept = before;
  }
}

}  // namespace
}  // namespace tacit::service
