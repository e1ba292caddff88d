#include "tacit/service/engine.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include <sodium.h>

#include "service/rig.hpp"

namespace tacit::service {
namespace {

SumsAsTheyAre exact;

// How long an answer takes is to tell nobody whether the decision was recorded.
TEST(Engine, WritesAfterAReportOfWhatIsNotRecordedAsAfterOneThatIs) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["policy"] = "mgf-imed";
  spec["epsilon"] = 0.01;  // so that slots are long
  const Id id = rig.create(spec);
  for (int i = 0; i < 10; ++i) rig.decide(id);
  const auto count_changes = [](const auto& before, const auto& after) {
    int changed = 0;
    for (std::size_t i = 0; i < after.size(); ++i) changed += before.at(i) == after[i] ? 0 : 1;
    return changed;
  };
  const auto writes = [&](bool record) {
    const Decision decision = rig.engine().decide(
        {.experiment = id, .unit = {}, .eligible = {}, .record = record}, rig.clock.now());
    rig.commit();
    const auto sealed = [&] {
      std::vector<decltype(SealedRow::sealed)> all;
      for (const SealedRow& row : rig.store().load().sealed) all.push_back(row.sealed);
      return all;
    };
    const auto before = sealed();
    rig.report(decision, 1);
    rig.commit();
    const auto between = sealed();
    rig.report(decision, 1);
    rig.commit();
    return std::pair(count_changes(before, between), count_changes(between, sealed()));
  };
  EXPECT_EQ(writes(true), std::pair(2, 2)) << "its sum, and who has answered";
  EXPECT_EQ(writes(false), std::pair(2, 2));
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

// ---- shown later

TEST(Engine, RecordsNoActivationOfAnExperimentThatThereIsNot) {
  // As an older copy of the store leaves it: its number may be another's, later.
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  Event event = rig.event(rig.engine().decide(
      {.experiment = id, .unit = {}, .eligible = {}, .defer = true}, rig.clock.now()));
  ASSERT_TRUE(event.recorded);
  event.experiment = id + 1;
  const auto active =
      rig.engine().directory()->tokens.read(rig.engine().activate(event, rig.clock.now()));
  EXPECT_FALSE(active->recorded);
}

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
