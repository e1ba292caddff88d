// The store or the key file is away, or full: what is answered meanwhile, and how the service comes back.
#include <gtest/gtest.h>

#include "tacit/service/service_rig_test.hpp"

namespace tacit::service {
namespace {

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

TEST(Service, CountsOnlyWhatIsKept) {
  Turned rig;
  std::vector<Round> counts;
  const auto look = [&](Engine& engine, Time) {
    const auto progress = engine.at(1).progress();
    Round shown = 0;
    for (const TrafficRow& row : engine.traffic(1, 0)) shown += row.decisions;
    counts.assign({progress.decisions, progress.recorded, shown});
    return Answer{};
  };
  for (const Round kept : {0, 1, 2}) {
    rig.store.full = true;
    for (int i = 0; i < 5; ++i) rig.submit_decision();
    rig.service.turn();
    EXPECT_FALSE(rig.service.store_is_up());
    rig.turned(Lane::kRead, look);
    EXPECT_EQ(counts, std::vector<Round>(3, kept));
    rig.store.full = false;
    rig.clock.advance(kSecond);
    rig.service.turn();
    rig.submit_decision();
    rig.service.turn();
    rig.turned(Lane::kRead, look);
    EXPECT_EQ(counts, std::vector<Round>(3, kept + 1));
  }
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
  rig.keys.full = false;
  rig.clock.advance(kSecond);
  rig.service.turn();
  look();
  EXPECT_TRUE(rig.service.store_is_up());
  EXPECT_EQ(version, 1);
  EXPECT_EQ(durable, 1U) << "and once";
  ASSERT_EQ(rig.released.size(), 1U) << "and told, late";
  EXPECT_EQ(rig.released[0].version, 1);
}

TEST(Service, TakesBackWhatAnOperatorChangedAndWasNotKept) {
  Turned rig;
  const auto now_shown = [&] {
    return rig
        .turned(Lane::kRead,
                [](Engine& engine, Time) {
                  std::string text;
                  for (const Experiment* each : engine.experiments()) {
                    text += each->row().name + (each->stopped() ? " stopped" : "");
                    text += " " + each->spec().arms[0].value + " ";
                  }
                  for (const auto& each : engine.populations()) {
                    text += each.row.name + " " + std::to_string(each.spent) + " ";
                  }
                  return Answer{.body = text + std::to_string(engine.api_keys().size())};
                })
        .body;
  };
  const std::string before = now_shown();
  EXPECT_NE(before.find("people 1.0"), std::string::npos) << before;
  const auto change_all = [](Engine& engine, Time now) {
    engine.change(1, {{"values", {{"a", 7}}}}, "test", now);
    engine.stop(1, "", "test", now);
    engine.create_population("others", 5, false, "test", now);
    engine.create(spec_of(small_spec("second")), "test", now);
    engine.put_key({.id = "k", .role = "app"}, "test", now);
  };
  rig.store.away = true;
  EXPECT_EQ(rig.operate(change_all).status, 503);
  EXPECT_EQ(now_shown(), before);
  rig.submit_decision();
  rig.service.turn();
  EXPECT_FALSE(rig.decisions.back().fallback);
  rig.store.away = false;
  rig.clock.advance(kSecond);
  rig.service.turn();
  EXPECT_EQ(now_shown(), before);
  EXPECT_EQ(rig.operate(change_all).status, 200);
  EXPECT_NE(now_shown(), before);
  const std::string after = now_shown();
  rig.store.away = true;
  rig.submit_decision();
  rig.service.turn();
  EXPECT_FALSE(rig.service.store_is_up());
  EXPECT_EQ(now_shown(), after) << "what was kept stays";
}

TEST(Service, SealsNothingUnderAKeyThatTheDiskMayNotHave) {
  Turned rig;
  rig.submit_decision();
  rig.service.turn();
  ASSERT_EQ(rig.report(rig.decisions.back()).status, 202);
  // A rotation that got as far as the key file: it has both keys, if it was written.
  rig.operate([&](Engine& engine, Time now) {
    rig.store.away = true;
    engine.rotate(now);
  });
  ASSERT_FALSE(rig.service.store_is_up());
  rig.store.away = false;
  const auto sealed = [&] {
    std::vector<std::string> texts;
    for (const SealedRow& row : rig.store.load().sealed) texts.push_back(row.sealed);
    return texts;
  };
  const std::vector<std::string> before = sealed();
  rig.keys.full = true;
  rig.clock.advance(kSecond);
  rig.service.turn();
  EXPECT_FALSE(rig.service.store_is_up());
  EXPECT_EQ(sealed(), before);
  rig.keys.full = false;
  rig.clock.advance(kSecond);
  rig.service.turn();
  EXPECT_TRUE(rig.service.store_is_up());
  EXPECT_NE(sealed(), before);
  rig.clock.advance(kMinute);
  rig.service.turn();
  ASSERT_EQ(rig.released.size(), 1U);
  EXPECT_EQ(rig.released[0].values[0], 1);
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

}  // namespace
}  // namespace tacit::service
