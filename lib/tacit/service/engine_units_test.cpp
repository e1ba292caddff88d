// Units: how often each of them is recorded, what that costs, what sticks to them, and when they are nobody again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <sodium.h>

#include "service/rig.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {
namespace {

SumsAsTheyAre exact;

Json user_spec(int cap, const char* period = nullptr) {
  Json spec = small_spec();
  spec.erase("epsilon");
  spec["user"] = {{"epsilon", 2}, {"cap", cap}};
  if (period != nullptr) spec["user"]["period"] = period;
  return spec;
}

/// As an SDK does: `defer` with all flags, and without when one is shown.
Decision decide_for_a_unit(Rig& rig, Id experiment, bool defer) {
  return rig.engine().decide({.experiment = experiment,
                              .unit = rig.engine().directory()->unit("user-1"),
                              .eligible = {},
                              .defer = defer},
                             rig.clock.now());
}

TEST(Units, RecordsAUnitAtMostAsOftenAsTheCapSays) {
  Rig rig(exact);
  rig.population("people", 100, true);
  const Id id = rig.create(user_spec(3));
  EXPECT_EQ(rig.experiment(id).guarantee().epsilon, 2.0 / 3);
  int recorded = 0;
  std::size_t length = 0;
  for (int i = 0; i < 10; ++i) {
    const Decision decision = rig.decide(id, "user-1");
    recorded += rig.event(decision).recorded ? 1 : 0;
    if (i > 0) {
      EXPECT_NEAR(static_cast<double>(decision.event.size()), static_cast<double>(length), 4);
    }
    length = decision.event.size();
    rig.commit();
    if (i == 1) rig.restart();
  }
  EXPECT_EQ(recorded, 3);
  EXPECT_TRUE(rig.event(rig.decide(id, "user-2")).recorded);
  EXPECT_FALSE(rig.event(rig.decide(id)).recorded) << "of nobody in particular";
}

TEST(Units, PaysForEveryPeriodOfItsUsersAndStopsRecordingWhenItCannot) {
  Rig rig(exact);
  rig.population("people", 5, true);
  const Id id = rig.create(user_spec(1, "1d"));
  EXPECT_TRUE(rig.event(rig.decide(id, "user-1")).recorded);
  EXPECT_FALSE(rig.event(rig.decide(id, "user-1")).recorded);
  rig.commit();
  rig.clock.advance(kDay);
  EXPECT_TRUE(rig.event(rig.decide(id, "user-1")).recorded);
  rig.commit();
  EXPECT_EQ(rig.engine().populations().at(0).spent, 4);
  EXPECT_EQ(rig.keys.read().units.size(), 1U) << "the key of the first day is gone";
  rig.restart();
  rig.clock.advance(kDay);
  EXPECT_FALSE(rig.event(rig.decide(id, "user-1")).recorded);
  EXPECT_EQ(rig.engine().populations().at(0).spent, 4);
}

TEST(Units, RecordsADeferredDecisionInThePeriodOfItsCountAlone) {
  Rig rig(exact);
  rig.population("people", 100, true);
  Json spec = user_spec(2, "1h");
  spec["wait"] = "3h";
  const Id id = rig.create(spec);
  const auto ask = [&] { return rig.event(decide_for_a_unit(rig, id, true)); };
  const auto activated = [&](const Event& event) {
    return *rig.engine().directory()->tokens.read(rig.engine().activate(event, rig.clock.now()));
  };
  const Event first = ask();
  const Event second = ask();
  const Time created = rig.experiment(id).row().created;
  rig.clock.advance(30 * kMinute);
  EXPECT_TRUE(activated(first).recorded);
  rig.clock.advance(created + kHour - rig.clock.now());
  EXPECT_FALSE(activated(second).recorded) << "two more may be recorded in this period";
  rig.clock.advance(
      kSecond);  // deadlines are whole seconds: before, it might have been asked for in the period before
  EXPECT_TRUE(activated(ask()).recorded);
}

TEST(Units, SaysWhenTheirPopulationCannotPayForThePeriod) {
  Rig rig(exact);
  rig.population("people", 5, true);
  const Id id = rig.create(user_spec(1, "1h"));
  const auto why = [&] {
    return rig.engine().why_not_recorded(rig.experiment(id), rig.clock.now());
  };
  const auto news = [&] {
    std::vector<std::string> told;
    for (const auto& each : rig.engine().take_budget_news()) {
      told.push_back(fmt::format("{} {} {}", each.epsilon, each.left, each.why));
    }
    return told;
  };
  const auto operations = [&] {
    rig.commit();
    std::vector<std::string> told;
    for (const OperationRow& row : rig.store().operations(100)) {
      if (row.key == "service") told.push_back(row.what);
    }
    return told;
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(rig.store().operations(1).at(0).what,
            "experiment shop created: anytime-lazy-ucb, epsilon 2 a period; population people has "
            "enough for 1 more");
  EXPECT_EQ(news(), Lines{"2 3 created"});
  EXPECT_EQ(rig.engine().periods_left(rig.experiment(id)), 1);
  rig.decide(id, "user-1");
  EXPECT_EQ(why(), "");
  EXPECT_EQ(news(), Lines{});
  rig.clock.advance(kHour);
  EXPECT_EQ(why(), "") << "there is enough";
  rig.decide(id, "user-1");
  EXPECT_EQ(news(), Lines{"2 1 period 2"});
  EXPECT_EQ(operations(), Lines{"experiment shop: period 2 of its users took 2 out of population "
                                "people, which has 1 left"});
  EXPECT_EQ(rig.engine().periods_left(rig.experiment(id)), 0);
  EXPECT_EQ(why(), "") << "this one is paid";

  const std::string no_more =
      "nothing is recorded: population people has 1 left, and a period takes 2";
  for (int period = 0; period < 3; ++period) {
    rig.clock.advance(kHour);
    EXPECT_EQ(why(), no_more) << "also before somebody comes";
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(rig.event(rig.decide(id, "user-1")).recorded);
    EXPECT_EQ(why(), no_more);
    EXPECT_EQ(rig.experiment(id).row().why, no_more);
    EXPECT_EQ(news(), period == 0 ? Lines{"0 1 " + no_more} : Lines{}) << "once";
    rig.commit();
    rig.restart();
  }
  EXPECT_EQ(operations().at(0), "experiment shop: " + no_more);
  EXPECT_EQ(operations().size(), 2U) << "once, also over restarts";
}

TEST(Units, PaysForNoPeriodInWhichNobodyIsRecorded) {
  Rig rig(exact);
  rig.population("people", 5, true);
  const Id id = rig.create(user_spec(1, "1d"));
  const auto unrecorded = [&] {
    return rig.engine().decide({.experiment = id,
                                .unit = rig.engine().directory()->unit("user-1"),
                                .eligible = {},
                                .record = false},
                               rig.clock.now());
  };
  for (int day = 0; day < 5; ++day) {
    EXPECT_FALSE(rig.event(unrecorded()).recorded);
    rig.engine().pause(id, true, "test", rig.clock.now());
    EXPECT_FALSE(rig.event(rig.decide(id, "user-1")).recorded);
    rig.engine().pause(id, false, "test", rig.clock.now());
    rig.commit();
    rig.clock.advance(kDay);
  }
  EXPECT_EQ(rig.engine().populations().at(0).spent, 2);
  EXPECT_TRUE(rig.event(rig.decide(id, "user-1")).recorded);
  EXPECT_EQ(rig.engine().populations().at(0).spent, 4);
}

TEST(Units, PaysAgainWhenTheKeyOfItsUsersIsLost) {
  Rig rig(exact);
  rig.population("people", 5, true);
  const Id id = rig.create(user_spec(1));
  const KeyRing before = rig.keys.read();
  EXPECT_TRUE(rig.event(rig.decide(id, "user-1")).recorded);
  rig.commit();
  rig.crash();
  rig.keys.write(before);  // an older copy of the key file
  rig.start();
  EXPECT_TRUE(rig.event(rig.decide(id, "user-1")).recorded);
  EXPECT_EQ(rig.engine().populations().at(0).spent, 4);
}

TEST(Units, PaysForAPeriodWhoseFirstBatchIsLost) {
  Rig rig(exact);
  rig.population("people", 5, true);
  const Id id = rig.create(user_spec(1, "1d"));
  rig.decide(id, "user-1");
  rig.commit();
  rig.clock.advance(kDay);
  EXPECT_TRUE(rig.event(rig.decide(id, "user-1")).recorded);
  rig.restart();
  EXPECT_TRUE(rig.event(rig.decide(id, "user-1")).recorded) << "what was lost was never recorded";
  rig.commit();
  EXPECT_EQ(rig.engine().populations().at(0).spent, 4) << "once, and not never";
  rig.restart();
  EXPECT_EQ(rig.engine().populations().at(0).spent, 4);
}

TEST(Units, PaysAgainForUsersOfAnOlderCopyOfTheStoreOrStops) {
  for (const double budget : {5.0, 3.0}) {
    Rig rig(exact);
    rig.population("people", budget, true);
    const Id id = rig.create(user_spec(1));
    rig.crash();
    std::filesystem::copy_file(rig.folder.file("store.db"), rig.folder.file("backup.db"));
    rig.start();
    rig.report(rig.decide(id, "user-1"), 1);
    rig.commit();
    ASSERT_EQ(rig.release_all().size(), 1U);
    rig.crash();
    std::filesystem::copy_file(rig.folder.file("backup.db"), rig.folder.file("store.db"),
                               std::filesystem::copy_options::overwrite_existing);
    rig.start();
    const bool can_pay = budget > 4;
    EXPECT_EQ(rig.engine().populations().at(0).spent, can_pay ? 4 : 2);
    EXPECT_EQ(rig.experiment(id).stopped(), !can_pay);
    EXPECT_EQ(rig.event(rig.decide(id, "user-1")).recorded, can_pay);
    rig.commit();
    rig.restart();
    EXPECT_EQ(rig.engine().populations().at(0).spent, can_pay ? 4 : 2) << "once";
    EXPECT_FALSE(rig.event(rig.decide(id, "user-1")).recorded);
  }
}

TEST(Units, ForgetsItsUsersWhenTheirPeriodOrTheirExperimentIsOver) {
  Rig rig(exact);
  rig.population("people", 100, true);
  const Id daily = rig.create(user_spec(1, "1d"));
  Json spec = user_spec(1);
  spec["name"] = "other";
  const Id stopped = rig.create(spec);
  rig.decide(daily, "user-1");
  rig.decide(stopped, "user-1");
  rig.commit();
  rig.engine().rotate(rig.clock.now());
  EXPECT_EQ(rig.keys.read().units.size(), 2U);
  rig.engine().stop(stopped, "", "test", rig.clock.now());
  rig.clock.advance(kDay);
  rig.engine().rotate(rig.clock.now());
  EXPECT_TRUE(rig.keys.read().units.empty());
}

TEST(Units, GivesAUnitTheSameEventWhileItSticks) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["sticky_for"] = "1h";
  const Id id = rig.create(spec);
  const std::string first = rig.decide(id, "user-1").event;
  EXPECT_EQ(rig.decide(id, "user-1").event, first);
  EXPECT_NE(rig.decide(id, "user-2").event, first);
  rig.commit();
  rig.restart();
  EXPECT_EQ(rig.decide(id, "user-1").event, first);
  EXPECT_EQ(rig.experiment(id).progress().recorded, 2);
  rig.clock.advance(kHour);
  EXPECT_NE(rig.decide(id, "user-1").event, first);
  rig.engine().stop(id, "", "test", rig.clock.now());
  EXPECT_TRUE(rig.decide(id, "user-1").fallback) << "whatever stuck";
}

TEST(Units, LetsNothingStickThatIsNotRecorded) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["sticky_for"] = "1h";
  const Id id = rig.create(spec);
  const auto unit = rig.engine().directory()->unit("user-1");
  const auto ask = [&](bool record) {
    return rig.engine().decide({.experiment = id, .unit = unit, .eligible = {}, .record = record},
                               rig.clock.now());
  };
  EXPECT_FALSE(rig.event(ask(false)).recorded);
  rig.engine().pause(id, true, "test", rig.clock.now());
  EXPECT_FALSE(rig.event(ask(true)).recorded);
  rig.engine().pause(id, false, "test", rig.clock.now());
  const Decision first = ask(true);
  EXPECT_TRUE(rig.event(first).recorded);
  const Decision unrecorded = ask(false);
  EXPECT_EQ(unrecorded.arms, first.arms) << "what is shown sticks";
  EXPECT_NE(unrecorded.event, first.event);
  EXPECT_FALSE(rig.event(unrecorded).recorded);
  EXPECT_EQ(ask(true).event, first.event);
  rig.report(unrecorded, 1);
  rig.report(first, 0.25);
  const auto released = rig.release_all();
  ASSERT_EQ(released.size(), 1U);
  EXPECT_EQ(released[0].values[0], 0.25);
}

TEST(Units, HaveOnePlaceWhateverIsEligibleMeanwhile) {
  for (const bool by_user : {false, true}) {
    Rig rig(exact);
    rig.population("people", 100, by_user);
    Json spec = small_spec();
    spec["sticky_for"] = "1h";
    if (by_user) {
      spec.erase("epsilon");
      spec["user"] = {{"epsilon", 2}, {"cap", 2}};
    }
    const Id id = rig.create(spec);
    const auto unit = rig.engine().directory()->unit("user-1");
    const auto ask = [&](std::vector<Arm> eligible, bool defer = false) {
      return rig.engine().decide(
          {.experiment = id, .unit = unit, .eligible = std::move(eligible), .defer = defer},
          rig.clock.now());
    };
    const Decision first = ask({});
    const Arm shown = first.arms.at(0);
    const Arm other = shown == 0 ? 1 : 0;
    for (int i = 0; i < 5; ++i) {
      const Decision another = ask({other}, i == 3);
      EXPECT_EQ(another.arms, std::vector<Arm>{other});
      EXPECT_FALSE(rig.event(another).recorded);
      EXPECT_EQ(ask({shown, other}).event, first.event);
      EXPECT_EQ(ask({}).event, first.event) << "it sticks all the same";
      rig.commit();
      if (i == 2) rig.restart();
    }
    EXPECT_EQ(rig.experiment(id).progress().recorded, 1);
    rig.engine().retire_arm(id, rig.experiment(id).name_of(shown), "test", rig.clock.now());
    const Decision after = ask({});
    EXPECT_NE(after.arms, first.arms);
    EXPECT_TRUE(rig.event(after).recorded);
    EXPECT_EQ(ask({}).event, after.event);
  }
}

TEST(Units, LetsNothingStickThatAPauseLeftOut) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["sticky_for"] = "1h";
  const Id id = rig.create(spec);
  const auto ask = [&](bool defer) { return decide_for_a_unit(rig, id, defer); };
  ask(true);
  rig.engine().pause(id, true, "test", rig.clock.now());
  EXPECT_FALSE(rig.event(ask(false)).recorded);
  rig.engine().pause(id, false, "test", rig.clock.now());
  const Decision after = ask(false);
  EXPECT_TRUE(rig.event(after).recorded);
  EXPECT_EQ(ask(false).event, after.event);
  rig.commit();
  rig.restart();
  EXPECT_EQ(ask(false).event, after.event);
  rig.engine().change(id, Json{{"sticky_for", 0}}, "test", rig.clock.now());
  EXPECT_NE(ask(false).event, after.event) << "nothing sticks any more";
}

// What an SDK does that asks for all flags, and then for each: at the cap the same as before it.
TEST(Units, LetsStickWhatACapLeavesOut) {
  for (const bool below : {true, false}) {
    Rig rig(exact);
    rig.population("people", 100, true);
    Json spec = small_spec();
    spec.erase("epsilon");
    spec["user"] = {{"epsilon", 3}, {"cap", below ? 3 : 1}};
    spec["sticky_for"] = "1h";
    spec["floor"] = 0.3;
    const Id id = rig.create(spec);
    const auto ask = [&](bool defer) { return decide_for_a_unit(rig, id, defer); };
    ask(false);
    rig.clock.advance(2 * kHour);  // nothing sticks any more
    const Decision fetched = ask(true);
    const Decision shown = ask(false);
    EXPECT_EQ(rig.event(shown).recorded, below);
    EXPECT_EQ(shown.arms, fetched.arms);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(false).event, shown.event);
  }
}

TEST(Units, LetsStickWhatWasRecordedLongAgo) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["sticky_for"] = "1d";
  spec["floor"] = 0.3;
  const Id id = rig.create(spec);
  const auto ask = [&](bool defer) { return decide_for_a_unit(rig, id, defer); };
  const Decision fetched = ask(true);
  rig.engine().activate(rig.event(fetched), rig.clock.now());
  rig.commit();
  rig.clock.advance(2 * kHour);  // its activation is forgotten
  const Decision shown = ask(false);
  EXPECT_FALSE(rig.event(shown).recorded);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ask(false).event, shown.event);
    EXPECT_EQ(ask(false).arms, fetched.arms);
  }
}

TEST(Units, ShowsWhatSticksAndWasFetchedBefore) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["sticky_for"] = "1h";
  const Id id = rig.create(spec);
  const auto fetch = [&](bool defer) { return decide_for_a_unit(rig, id, defer); };
  const Decision fetched = fetch(true);
  EXPECT_TRUE(rig.event(fetched).deferred);
  EXPECT_EQ(fetch(true).event, fetched.event);
  const Decision shown = fetch(false);
  EXPECT_FALSE(rig.event(shown).deferred);
  EXPECT_EQ(shown.arms, fetched.arms);
  EXPECT_EQ(fetch(false).event, shown.event);
  EXPECT_EQ(rig.experiment(id).progress().recorded, 1);
  rig.commit();
  rig.restart();
  EXPECT_EQ(fetch(false).event, shown.event);
  rig.report(shown, 1);
  const auto released = rig.release_all();
  ASSERT_EQ(released.size(), 1U);
  EXPECT_EQ(released[0].values[0], 1);
}

Tag tag_of_unit(Rig& rig, Id experiment, const std::string& name) {
  Tag tag{};
  const KeyRing ring = rig.keys.read();
  const auto unit = rig.engine().directory()->unit(name);
  const KeyBytes& key = ring.units.at({experiment, 0});
  crypto_generichash(tag.data(), tag.size(), unit.data(), unit.size(), key.data(), key.size());
  return tag;
}

TEST(Units, KeepsNothingOfAUnitWhoseRequestIsRefused) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["sticky_for"] = "1h";
  const Id id = rig.create(spec);
  const auto ask = [&](std::vector<Arm> eligible) {
    const auto unit = rig.engine().directory()->unit("user-1");
    return status_of([&] {
      rig.engine().decide({.experiment = id, .unit = unit, .eligible = eligible}, rig.clock.now());
    });
  };
  EXPECT_EQ(ask({7}), 422);
  rig.commit();
  EXPECT_FALSE(rig.store().unit(id, tag_of_unit(rig, id, "user-1")));
  EXPECT_EQ(ask({2}), 0);
  rig.commit();
  EXPECT_TRUE(rig.store().unit(id, tag_of_unit(rig, id, "user-1")));
}

TEST(Units, ForgetsAUnitWhenNothingSticksToItAnyMore) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["sticky_for"] = "1h";
  const Id id = rig.create(spec);
  const Event event = rig.event(rig.decide(id, "user-1"));
  rig.commit();
  const Tag tag = tag_of_unit(rig, id, "user-1");
  EXPECT_TRUE(rig.store().unit(id, tag));
  rig.clock.advance(kHour);
  rig.tick();
  EXPECT_FALSE(rig.store().unit(id, tag));
  EXPECT_TRUE(event.recorded);
}

TEST(Units, ForgetsUnitsAsFastAsOthersComeAlsoWhereNothingIsDue) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["sticky_for"] = "1h";
  const Id id = rig.create(spec);
  const auto is_kept = [&](int unit) {
    return rig.store().unit(id, tag_of_unit(rig, id, std::to_string(unit))).has_value();
  };
  constexpr int kEarly = 40;
  for (int unit = 0; unit < kEarly; ++unit) rig.decide(id, std::to_string(unit));
  rig.commit();
  for (int unit = 0; unit < kEarly; ++unit) EXPECT_TRUE(is_kept(unit));
  rig.clock.advance(kHour);
  for (int unit = kEarly; unit < kEarly + kEarly / 2; ++unit) rig.decide(id, std::to_string(unit));
  rig.commit();
  for (int unit = 0; unit < kEarly; ++unit) EXPECT_FALSE(is_kept(unit));
  EXPECT_TRUE(is_kept(kEarly));
}

TEST(Units, OfAnExperimentThatACopyDoesNotKnowAreNobody) {
  Rig rig(exact);
  rig.population("people", 10, true);
  restore_what_was_before(rig, [&] {
    const Id id = rig.create(user_spec(1));
    rig.decide(id, "user-1");
    rig.commit();
    EXPECT_EQ(rig.keys.read().units.size(), 1U);
  });
  EXPECT_TRUE(rig.keys.read().units.empty());
}

std::size_t units_kept(Rig& rig) {
  const storage::Database database(rig.folder.file("store.db"), storage::Database::Access::kRead);
  return static_cast<std::size_t>(database.number("SELECT count(*) FROM units"));
}

TEST(Units, OfAnExperimentThatIsOverAreForgottenPieceByPiece) {
  Rig rig(exact);
  rig.population("people", 10, true);
  const Id id = rig.create(user_spec(1));
  constexpr int kUnits = 1200;
  for (int unit = 0; unit < kUnits; ++unit) rig.decide(id, std::to_string(unit));
  rig.commit();
  rig.engine().stop(id, "", "test", rig.clock.now());
  rig.commit();
  rig.engine().rotate(rig.clock.now());
  std::vector<std::size_t> left{units_kept(rig)};
  EXPECT_EQ(left.back(), std::size_t{kUnits});
  for (int i = 0; left.back() > 0 && i < 10; ++i) {
    EXPECT_TRUE(rig.engine().anything_due(rig.clock.now()));
    if (i == 1) rig.restart();
    rig.tick();
    left.push_back(units_kept(rig));
  }
  EXPECT_EQ(left, (std::vector<std::size_t>{1200, 700, 200, 0}));
}

TEST(Units, OfAPeriodExpireWithIt) {
  Rig rig(exact);
  rig.population("people", 10, true);
  const Id id = rig.create(user_spec(1, "1d"));
  constexpr int kUnits = 700;
  for (int unit = 0; unit < kUnits; ++unit) rig.decide(id, std::to_string(unit));
  rig.commit();
  rig.clock.advance(kDay);
  EXPECT_TRUE(rig.event(rig.decide(id, "0")).recorded);
  rig.commit();
  rig.tick();
  rig.tick();
  EXPECT_EQ(units_kept(rig), 1U);
  EXPECT_FALSE(rig.event(rig.decide(id, "0")).recorded) << "and counts";
}

}  // namespace
}  // namespace tacit::service
