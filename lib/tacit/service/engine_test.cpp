#include "tacit/service/engine.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include <sodium.h>

#include "service/rig.hpp"

namespace tacit::service {
namespace {

SumsAsTheyAre exact;

int status_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Problem& problem) {
    return problem.status();
  }
  return 0;
}

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Problem& problem) {
    return problem.what();
  }
  return "accepted";
}

/// Decides until n slots were filled in all, with every outcome 1, and returns what comes out.
std::vector<ReleaseRow> play(Rig& rig, Id id, int decisions) {
  for (int i = 0; i < decisions; ++i) rig.report(rig.decide(id), 1);
  rig.commit();
  return rig.release_all();
}

TEST(Engine, ReleasesASlotOnceWithEveryOutcomeThatCameInTime) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  std::map<Slot, double> expected;
  std::vector<ReleaseRow> released;
  for (int i = 0; i < 300; ++i) {
    const Decision decision = rig.decide(id);
    const Event event = rig.event(decision);
    ASSERT_EQ(event.places.size(), 1U);
    const double outcome = i % 7 / 8.0;  // exact in binary
    switch (i % 4) {
      case 0:
        rig.report(decision, outcome);
        expected[event.places[0].slot] += outcome;
        break;
      case 1:  // twice: the first counts
        rig.report(decision, outcome);
        rig.report(decision, 1);
        expected[event.places[0].slot] += outcome;
        break;
      case 2: break;  // never
      default:        // late
        rig.clock.advance(11 * kSecond);
        rig.report(decision, 1);
    }
    rig.clock.advance(100);
    const auto some = rig.tick();
    released.insert(released.end(), some.begin(), some.end());
  }
  const auto rest = rig.release_all();
  released.insert(released.end(), rest.begin(), rest.end());
  ASSERT_GT(released.size(), 10U);
  std::set<Slot> seen;
  for (const ReleaseRow& row : released) {
    EXPECT_TRUE(seen.insert(row.slot).second) << row.slot.arm << " " << row.slot.phase;
    EXPECT_EQ(row.values[0], expected[row.slot]) << row.slot.arm << " " << row.slot.phase;
  }
}

TEST(Engine, CountsTheDefaultForWhatIsMissing) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["default"] = 0.5;
  const Id id = rig.create(spec);
  for (int i = 0; i < 30; ++i) rig.decide(id);
  rig.commit();
  const auto released = rig.release_all();
  ASSERT_FALSE(released.empty());
  for (const ReleaseRow& row : released) EXPECT_EQ(row.values[0], 0.5 * static_cast<double>(row.n));
}

TEST(Engine, ReleasesNothingBeforeTheLastDeadlineEvenWhenAllHaveAnswered) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  rig.report(rig.decide(id), 1);
  rig.commit();
  const Time ripe = rig.experiment(id).next_release();
  EXPECT_EQ(ripe, rig.clock.now() + 12 * kSecond);
  rig.clock.set(ripe - 1);
  EXPECT_TRUE(rig.tick().empty());
  rig.clock.set(ripe);
  EXPECT_EQ(rig.tick().size(), 1U);
}

TEST(Engine, GoesOnAfterACrashWithWhatWasCommitted) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  std::map<Slot, double> expected;
  std::vector<Decision> open;
  std::vector<ReleaseRow> released;
  for (int i = 0; i < 400; ++i) {
    open.push_back(rig.decide(id));
    if (i % 3 == 0) {
      for (const Decision& decision : open) {
        rig.report(decision, 0.25);
        expected[rig.event(decision).places[0].slot] += 0.25;
      }
      open.clear();
    }
    rig.commit();
    if (i % 11 == 0) {
      // What is not committed did not happen: neither the decision nor the answer.
      const Decision lost = rig.decide(id);
      const std::string before = lost.event;
      rig.restart();
      rig.engine().report(*rig.engine().directory()->tokens.read(before), secret(1),
                          rig.clock.now());
    }
    rig.clock.advance(kSecond);
    const auto some = rig.tick();
    released.insert(released.end(), some.begin(), some.end());
  }
  ASSERT_GT(released.size(), 10U);
  std::set<Slot> seen;
  for (const ReleaseRow& row : released) {
    EXPECT_TRUE(seen.insert(row.slot).second);
    EXPECT_EQ(row.values[0], expected[row.slot]) << row.slot.arm << " " << row.slot.phase;
  }
  EXPECT_EQ(rig.experiment(id).progress().version, static_cast<Round>(released.size()));
}

TEST(Engine, NumbersNoTwoTokensAlikeWhateverIsLost) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  std::set<std::pair<std::uint32_t, std::uint64_t>> seen;
  for (int i = 0; i < 60; ++i) {
    const Event event = rig.event(rig.decide(id));
    EXPECT_TRUE(seen.insert({event.incarnation, event.number}).second);
    if (i % 2 == 0) rig.commit();
    if (i % 3 == 0) rig.restart();
  }
}

TEST(Engine, ReleasesNothingOfAnOlderCopyOfTheStore) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  play(rig, id, 40);
  for (int i = 0; i < 20; ++i) rig.report(rig.decide(id), 1);
  const Decision before = rig.decide(id);
  rig.commit();
  rig.crash();
  const std::string copy = rig.folder.file("backup.db");
  std::filesystem::copy_file(rig.folder.file("store.db"), copy);
  rig.start();
  const auto later = rig.release_all();
  ASSERT_FALSE(later.empty());
  rig.crash();
  std::filesystem::copy_file(copy, rig.folder.file("store.db"),
                             std::filesystem::copy_options::overwrite_existing);
  rig.start();
  ASSERT_EQ(rig.engine().notes().size(), 1U);
  EXPECT_NE(rig.engine().notes()[0].find("older copy"), std::string::npos);
  EXPECT_EQ(rig.experiment(id).under_way(), 0U);
  EXPECT_TRUE(rig.release_all().empty());
  rig.report(before, 1);  // a token of what was under way means nothing any more
  EXPECT_FALSE(play(rig, id, 60).empty()) << "it goes on with slots of its own";
}

TEST(Engine, LosesWhatIsUnderWayWhenItsKeyIsGone) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  for (int i = 0; i < 20; ++i) rig.report(rig.decide(id), 1);
  rig.commit();
  rig.crash();
  std::filesystem::copy_file(rig.folder.file("store.db"), rig.folder.file("backup.db"));
  rig.start();
  rig.engine().rotate(rig.clock.now());
  rig.crash();
  std::filesystem::copy_file(rig.folder.file("backup.db"), rig.folder.file("store.db"),
                             std::filesystem::copy_options::overwrite_existing);
  rig.start();
  ASSERT_EQ(rig.engine().notes().size(), 1U);
  EXPECT_TRUE(rig.release_all().empty());
}

TEST(Engine, RotatesItsKeyWithoutLosingAnything) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  for (int i = 0; i < 50; ++i) {
    rig.report(rig.decide(id), 1);
    if (i % 10 == 5) rig.engine().rotate(rig.clock.now());
    if (i % 10 == 8) rig.commit();
    if (i % 10 == 9) rig.restart();
  }
  EXPECT_TRUE(rig.engine().notes().empty());
  for (const ReleaseRow& row : rig.release_all()) {
    EXPECT_EQ(row.values[0], static_cast<double>(row.n));
  }
  EXPECT_EQ(rig.keys.read().state.size(), 1U);
}

/// Its keys stop being written after so many times.
class FailingKeys final : public Keys {
 public:
  explicit FailingKeys(Keys& keys) : keys_(keys) {}
  KeyRing read() override { return keys_.read(); }
  void write(const KeyRing& ring) override {
    if (left-- <= 0) throw StoreFailed("the keys cannot be written");
    keys_.write(ring);
  }
  int left = 1000;

 private:
  Keys& keys_;
};

TEST(Engine, FinishesARotationThatWasCutShortAnywhere) {
  for (int writes = 0; writes < 2; ++writes) {
    Rig rig(exact);
    rig.population();
    const Id id = rig.create(small_spec());
    for (int i = 0; i < 30; ++i) rig.report(rig.decide(id), 1);
    rig.commit();
    rig.crash();
    {
      FailingKeys keys(rig.keys);
      SqliteStore store(rig.folder.file("store.db"));
      Engine engine({.store = store,
                     .keys = keys,
                     .releaser = exact,
                     .dice = [](Id) { return random::Dice::numbered(1); }},
                    rig.clock.now());
      keys.left = writes;
      EXPECT_THROW(engine.rotate(rig.clock.now()), StoreFailed);
    }
    EXPECT_EQ(rig.keys.read().state.size(), writes == 0 ? 1U : 2U);
    rig.start();
    EXPECT_TRUE(rig.engine().notes().empty());
    EXPECT_EQ(rig.keys.read().state.size(), 1U);
    const auto released = rig.release_all();
    ASSERT_FALSE(released.empty());
    for (const ReleaseRow& row : released) EXPECT_EQ(row.values[0], static_cast<double>(row.n));
  }
}

// ---- budgets and users

TEST(Engine, RefusesWhatAPopulationCannotPayFor) {
  Rig rig(exact);
  rig.population("people", 2.5);
  rig.create(small_spec("one"));
  rig.create(small_spec("two"));
  EXPECT_EQ(status_of([&] { rig.create(small_spec("three")); }), 409);
  EXPECT_EQ(rig.engine().populations().at(0).spent, 2);
  rig.restart();
  EXPECT_EQ(rig.engine().populations().at(0).spent, 2);
  EXPECT_EQ(status_of([&] { rig.create(small_spec("three")); }), 409);
  EXPECT_EQ(rig.engine().find("three"), nullptr);
}

TEST(Engine, KeepsSpentWhatAnOlderCopyOfTheStoreDoesNotKnow) {
  Rig rig(exact);
  rig.population("people", 3);
  rig.create(small_spec("one"));
  rig.crash();
  std::filesystem::copy_file(rig.folder.file("store.db"), rig.folder.file("backup.db"));
  rig.start();
  rig.create(small_spec("two"));
  rig.crash();
  std::filesystem::copy_file(rig.folder.file("backup.db"), rig.folder.file("store.db"),
                             std::filesystem::copy_options::overwrite_existing);
  rig.start();
  EXPECT_EQ(rig.engine().populations().at(0).spent, 2);
  rig.restart();
  EXPECT_EQ(rig.engine().populations().at(0).spent, 2);
}

Json user_spec(int cap, const char* period = nullptr) {
  Json spec = small_spec();
  spec.erase("epsilon");
  spec["user"] = {{"epsilon", 2}, {"cap", cap}};
  if (period != nullptr) spec["user"]["period"] = period;
  return spec;
}

TEST(Engine, RecordsAUnitAtMostAsOftenAsTheCapSays) {
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

TEST(Engine, PaysForEveryPeriodOfItsUsersAndStopsRecordingWhenItCannot) {
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

TEST(Engine, PaysForNoPeriodInWhichNobodyIsRecorded) {
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

TEST(Engine, PaysAgainWhenTheKeyOfItsUsersIsLost) {
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

TEST(Engine, PaysForAPeriodWhoseFirstBatchIsLost) {
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

TEST(Engine, PaysAgainForUsersOfAnOlderCopyOfTheStoreOrStops) {
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

TEST(Engine, ForgetsItsUsersWhenTheirPeriodOrTheirExperimentIsOver) {
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

TEST(Engine, GivesAUnitTheSameEventWhileItSticks) {
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

TEST(Engine, ShowsWhatSticksAndWasFetchedBefore) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["sticky_for"] = "1h";
  const Id id = rig.create(spec);
  const auto unit = rig.engine().directory()->unit("user-1");
  const auto fetch = [&](bool defer) {
    return rig.engine().decide({.experiment = id, .unit = unit, .eligible = {}, .defer = defer},
                               rig.clock.now());
  };
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

TEST(Engine, KeepsNothingOfAUnitWhoseRequestIsRefused) {
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

TEST(Engine, ForgetsAUnitWhenNothingSticksToItAnyMore) {
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

TEST(Engine, ForgetsUnitsAsFastAsOthersComeAlsoWhereNothingIsDue) {
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

// ---- what an operator sets

TEST(Engine, ShowsTheFallbackOfWhatIsStoppedAndLearnsNothingMore) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["fallback"] = "b";
  const Id id = rig.create(spec);
  rig.report(rig.decide(id), 1);
  rig.engine().stop(id, "too slow", "test", rig.clock.now());
  rig.commit();
  const Decision decision = rig.decide(id);
  EXPECT_TRUE(decision.fallback);
  EXPECT_EQ(decision.arms, std::vector<Arm>{1});
  EXPECT_TRUE(decision.observe.empty());
  rig.engine().report(rig.event(decision), secret(1), rig.clock.now());
  EXPECT_EQ(rig.release_all().size(), 1U) << "what was learned before comes out in time";
  rig.restart();
  EXPECT_TRUE(rig.experiment(id).stopped());
  EXPECT_EQ(rig.experiment(id).row().why, "too slow");
}

TEST(Engine, RecordsNothingWhilePaused) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  rig.engine().pause(id, true, "test", rig.clock.now());
  EXPECT_FALSE(rig.event(rig.decide(id)).recorded);
  rig.engine().pause(id, false, "test", rig.clock.now());
  EXPECT_TRUE(rig.event(rig.decide(id)).recorded);
}

TEST(Engine, ChoosesAmongTheEligibleAndTheUnretired) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  const auto arm_of = [&](std::vector<Arm> eligible) {
    return rig.engine()
        .decide({.experiment = id, .unit = {}, .eligible = std::move(eligible)}, rig.clock.now())
        .arms[0];
  };
  for (int i = 0; i < 30; ++i) EXPECT_NE(arm_of({0, 2}), 1);
  rig.engine().retire_arm(id, "c", "test", rig.clock.now());
  rig.commit();
  rig.restart();
  for (int i = 0; i < 30; ++i) EXPECT_NE(rig.decide(id).arms[0], 2);
  EXPECT_EQ(status_of([&] { arm_of({2}); }), 422);
  rig.engine().retire_arm(id, "b", "test", rig.clock.now());
  EXPECT_EQ(status_of([&] { rig.engine().retire_arm(id, "a", "test", rig.clock.now()); }), 409);
}

TEST(Engine, SaysWhatAnOperatorMayDoInstead) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  const auto change = [&](const Json& patch) {
    return refusal_of([&] { rig.engine().change(id, patch, "test", rig.clock.now()); });
  };
  const auto retire = [&](const std::string& arm) {
    return refusal_of([&] { rig.engine().retire_arm(id, arm, "test", rig.clock.now()); });
  };
  const std::string may =
      " (what may change: floor, holdout, control, fallback, sticky_for, phase_max_age, values, "
      "paused)";
  EXPECT_EQ(change({{"flor", 0.1}}), "flor: there is no such key; did you mean floor?" + may);
  EXPECT_EQ(change({{"epsilon", 2}}), "epsilon: cannot change while an experiment runs" + may);
  EXPECT_EQ(change({{"values", 7}}),
            "values = 7: must be an object from names of arms to what is shown");
  EXPECT_EQ(change({{"values", {{"B", 7}}}}), "values.B: is no arm; did you mean b?");
  EXPECT_EQ(retire("B"), "arm = B: there is no such arm; did you mean b?");
  EXPECT_EQ(retire("a"), "accepted");
  EXPECT_EQ(retire("b"), "accepted");
  EXPECT_EQ(retire("c"), "arm = c: too few would be left: 0, and at least 1 must be");
  EXPECT_EQ(refusal_of([&] { rig.engine().archive(id, "test", rig.clock.now()); }),
            "experiment shop is not stopped yet: POST /v1/experiments/shop/stop first");
}

TEST(Engine, SaysItInALineWhateverAnOperatorSends) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  const std::string given = "a\nb" + std::string(60'000, 'x');
  const auto change = [&](const Json& patch) {
    return refusal_of([&] { rig.engine().change(id, patch, "test", rig.clock.now()); });
  };
  for (const std::string& said :
       {change({{given, 1}}), change({{"values", given}}), change({{"values", {{given, 1}}}}),
        refusal_of([&] { rig.engine().retire_arm(id, given, "test", rig.clock.now()); })}) {
    EXPECT_LT(said.size(), 300U) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
}

TEST(Engine, GivesEveryArmItsFloor) {
  Rig rig(exact);
  rig.population();
  for (const char* policy : {"anytime-lazy-ucb", "mgf-imed"}) {
    Json spec = small_spec(policy);
    spec["policy"] = policy;
    spec["floor"] = 0.1;
    spec["wait"] = 0;
    const Id id = rig.create(spec);
    std::map<Arm, int> shown;
    constexpr int kDecisions = 6000;
    for (int i = 0; i < kDecisions; ++i) {
      const Decision decision = rig.decide(id);
      ++shown[decision.arms[0]];
      rig.report(decision, decision.arms[0] == 0 ? 1 : 0);
      if (i % 20 == 0) {
        rig.clock.advance(3 * kSecond);
        rig.tick();
      }
    }
    // Six standard deviations of a Binomial(6000, 0.1).
    for (Arm arm = 0; arm < 3; ++arm) EXPECT_GT(shown[arm], 600 - 140) << policy << " " << arm;
    EXPECT_GT(shown[0], 3600) << policy << ": the floor is no more than that";
  }
}

TEST(Engine, MeasuresThoseWhoAreHeldOutApart) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["holdout"] = 0.25;
  spec["control"] = "c";
  const Id id = rig.create(spec);
  int held_out = 0;
  for (int i = 0; i < 4000; ++i) {
    const Decision decision = rig.decide(id, "unit" + std::to_string(i));
    const Event event = rig.event(decision);
    if (event.places[0].slot.arm == kHoldout) {
      ++held_out;
      EXPECT_EQ(decision.arms[0], 2);
      EXPECT_EQ(decision.observe, std::vector<Arm>{2});
    }
    rig.report(decision, event.places[0].slot.arm == kHoldout ? 1 : 0.5);
  }
  EXPECT_NEAR(held_out, 1000, 6 * std::sqrt(4000 * 0.25 * 0.75));
  rig.commit();
  rig.release_all();
  const auto view = rig.experiment(id).holdout_view(0.95);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->mean, 1);
  for (const auto& arm : rig.experiment(id).views(0.95)) EXPECT_NEAR(arm.mean, 0.5, 1e-9);
  const auto before = rig.experiment(id).progress().version;
  rig.restart();
  EXPECT_EQ(rig.experiment(id).progress().version, before);
  EXPECT_EQ(rig.experiment(id).holdout_view(0.95)->n, view->n);
  const Event again = rig.event(rig.decide(id, "unit7"));
  EXPECT_EQ(rig.event(rig.decide(id, "unit7")).places[0].slot.arm, again.places[0].slot.arm)
      << "always the same";
}

TEST(Engine, HoldsOutWithTheControlWhereItMayBeShownAndNeverWithTwo) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["holdout"] = 0.5;
  spec["control"] = "c";
  const Id id = rig.create(spec);
  for (int i = 0; i < 60; ++i) {
    EXPECT_NE(rig.engine()
                  .decide({.experiment = id, .unit = {}, .eligible = {0, 1}}, rig.clock.now())
                  .arms[0],
              2);
    rig.decide(id);
  }
  const auto change = [&](const Json& patch) {
    return status_of([&] { rig.engine().change(id, patch, "test", rig.clock.now()); });
  };
  EXPECT_EQ(change({{"holdout", 0}}), 0);
  EXPECT_EQ(change({{"control", "a"}}), 422) << "others were held out with another";
  rig.commit();
  rig.restart();
  EXPECT_EQ(change({{"control", "a"}}), 422);
  rig.engine().retire_arm(id, "c", "test", rig.clock.now());
  EXPECT_EQ(change({{"holdout", 0.5}}), 422) << "the control is retired";
}

TEST(Engine, FallsBackToWhatIsNotRetired) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["fallback"] = "b";
  const Id id = rig.create(spec);
  rig.engine().retire_arm(id, "b", "test", rig.clock.now());
  rig.engine().stop(id, "", "test", rig.clock.now());
  EXPECT_EQ(rig.decide(id).arms, std::vector<Arm>{0});
  Json list = small_spec("list");
  list["policy"] = "lazy-kl-cucb";
  list["actions"] = "top:2";
  list["fallback"] = {"c", "c"};
  const Id of_two = rig.create(list);
  rig.engine().stop(of_two, "", "test", rig.clock.now());
  EXPECT_EQ(rig.decide(of_two).arms, (std::vector<Arm>{2, 0}));
}

TEST(Engine, TakesUpAnArmMore) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  play(rig, id, 60);
  for (int i = 0; i < 10; ++i) rig.report(rig.decide(id), 1);
  const Decision before = rig.decide(id);
  rig.engine().add_arm(id, {.name = "d", .value = "\"d\"", .retired = false}, "test",
                       rig.clock.now());
  EXPECT_TRUE(rig.engine().reload_wanted());
  rig.commit();
  rig.restart();
  EXPECT_EQ(rig.experiment(id).arms(), 4);
  rig.report(before, 1);
  std::set<Arm> shown;
  for (int i = 0; i < 60; ++i) {
    const Decision decision = rig.decide(id);
    shown.insert(decision.arms[0]);
    rig.report(decision, 1);
  }
  EXPECT_TRUE(shown.contains(3));
  for (const ReleaseRow& row : rig.release_all())
    EXPECT_EQ(row.values[0], static_cast<double>(row.n));
}

TEST(Engine, ChangesWhatMayChangeAndRefusesTheRest) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  rig.engine().change(id, {{"floor", 0.2}, {"values", {{"a", 7}}}}, "test", rig.clock.now());
  rig.commit();
  rig.restart();
  EXPECT_EQ(rig.experiment(id).spec().floor, 0.2);
  EXPECT_EQ(rig.experiment(id).spec().arms[0].value, "7");
  EXPECT_EQ(status_of([&] {
              rig.engine().change(id, {{"epsilon", 9}}, "test", rig.clock.now());
            }),
            422);
  EXPECT_EQ(status_of([&] {
              rig.engine().change(id, {{"floor", 0.9}}, "test", rig.clock.now());
            }),
            422);
  EXPECT_EQ(status_of([&] {
              rig.engine().change(id, {{"values", {{"x", 1}}}}, "test", rig.clock.now());
            }),
            422);
  EXPECT_EQ(rig.experiment(id).guarantee().epsilon, 1);
}

// ---- shown later

TEST(Engine, RecordsADeferredDecisionWhenItIsShownAndOnce) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  const auto deferred = [&] {
    return rig.engine().decide({.experiment = id, .unit = {}, .eligible = {}, .defer = true},
                               rig.clock.now());
  };
  const Decision decision = deferred();
  EXPECT_EQ(rig.experiment(id).progress().recorded, 0);
  const Event event = rig.event(decision);
  rig.engine().report(event, secret(1), rig.clock.now());  // a report activates nothing
  const std::string active = rig.engine().activate(event, rig.clock.now());
  EXPECT_EQ(rig.engine().activate(event, rig.clock.now()), active);
  rig.commit();
  rig.restart();
  EXPECT_EQ(rig.engine().activate(event, rig.clock.now()), active);
  EXPECT_EQ(rig.experiment(id).progress().recorded, 1);
  EXPECT_EQ(rig.engine().activate(*rig.engine().directory()->tokens.read(active), rig.clock.now()),
            active);
  rig.engine().report(*rig.engine().directory()->tokens.read(active), secret(1), rig.clock.now());
  const auto released = rig.release_all();
  ASSERT_EQ(released.size(), 1U);
  EXPECT_EQ(released[0].values[0], 1);
  const Decision late = deferred();
  rig.clock.advance(kHour);
  rig.engine().activate(rig.event(late), rig.clock.now());
  EXPECT_EQ(rig.experiment(id).progress().recorded, 1) << "its time was over";
}

// ---- time and state

TEST(Engine, NeverGoesBackInTime) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  const Time before = rig.clock.now();
  rig.clock.advance(kDay);
  const Time deadline = rig.decide(id).deadline;
  rig.commit();
  rig.clock.set(before);
  rig.restart();
  EXPECT_GE(rig.engine().clock(), before + kDay);
  EXPECT_GE(rig.decide(id).deadline, deadline);
}

TEST(Engine, ClosesWhatHasBeenFillingForTooLong) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["phase_max_age"] = "1h";
  const Id id = rig.create(spec);
  play(rig, id, 80);
  for (int i = 0; i < 5; ++i) rig.report(rig.decide(id), 1);
  rig.commit();
  ASSERT_EQ(rig.experiment(id).under_way(), 0U) << "slots are longer than that by now";
  rig.clock.advance(kHour);
  rig.tick();
  EXPECT_GT(rig.experiment(id).under_way(), 0U);
  rig.restart();
  for (const ReleaseRow& row : rig.release_all())
    EXPECT_EQ(row.values[0], static_cast<double>(row.n));
}

TEST(Engine, RefusesAStoreAndKeysThatDoNotBelongTogether) {
  Rig one(exact);
  one.population();
  one.create(small_spec());
  Rig other(exact);
  const Engine::Parts parts{
      .store = one.store(), .keys = other.keys, .releaser = exact, .dice = [](Id) {
        return random::Dice::numbered(1);
      }};
  EXPECT_THROW(Engine(parts, one.clock.now()), std::runtime_error);
  KeysInMemory fresh;
  const Engine::Parts with_new_keys{
      .store = one.store(), .keys = fresh, .releaser = exact, .dice = [](Id) {
        return random::Dice::numbered(1);
      }};
  EXPECT_THROW(Engine(with_new_keys, one.clock.now()), std::runtime_error);
}

TEST(Engine, KeepsReportsOfDevicesAcrossACrash) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["policy"] = "ldp-ucb-bits";
  const Id id = rig.create(spec);
  const double one = 1;
  for (int i = 0; i < 5000; ++i) {
    const Event event = rig.event(rig.decide(id));
    rig.engine().take(event, std::span(&one, 1), rig.clock.now());
    rig.engine().take(event, std::span(&one, 1), rig.clock.now());  // the first counts
    if (i % 1000 == 999) {
      rig.commit();
      rig.restart();
      rig.engine().take(event, std::span(&one, 1), rig.clock.now());
    }
  }
  double n = 0;
  for (const auto& view : rig.experiment(id).views(0.95)) n += view.n;
  EXPECT_EQ(n, 5000);
  const double half = 0.5;
  EXPECT_EQ(status_of([&] {
              rig.engine().take(rig.event(rig.decide(id)), std::span(&half, 1), rig.clock.now());
            }),
            422);
}

}  // namespace
}  // namespace tacit::service
