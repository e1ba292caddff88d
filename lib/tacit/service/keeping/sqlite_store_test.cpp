#include "tacit/service/keeping/sqlite_store.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tacit/service/keeping/store_in_a_folder_test.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {
namespace {

namespace fs = std::filesystem;

const std::string kBytes("a\0b\xff", 4);

ReleaseRow release(Id experiment, Round version, Slot slot) {
  return {.experiment = experiment,
          .version = version,
          .slot = slot,
          .n = 64,
          .noises = 3,
          .values = {-1.5, 0.1, 1e300},
          .at = 70};
}

TEST(SqliteStore, EveryTableIsReadAsItWasWritten) {
  const Folder folder;
  Tag number{};
  {
    SqliteStore store(folder.file());
    number = store.load().store;
    commit(store, [&] {
      store.put_clock(123);
      store.put_marks(5, 6);
      store.put(ExperimentRow{.id = 2,
                              .name = "button",
                              .spec = "{\"a\": 1}",
                              .population = 1,
                              .state = ExperimentState::kStopped,
                              .why = "asked",
                              .generation = 4,
                              .created = 11});
      store.put(ProgressRow{
          .experiment = 2, .decisions = 9, .recorded = 8, .version = 1, .learned = kBytes});
      store.put(SlotRow{.experiment = 2,
                        .slot = {-1, Round{1} << 40},
                        .n = 5,
                        .state = SlotState::kFull,
                        .opened = 21,
                        .ripe = 22});
      store.put(SealedRow{
          .experiment = 2, .slot = {-1, Round{1} << 40}, .block = 3, .key = 12, .sealed = kBytes});
      store.put(SealedRow{.experiment = 2, .slot = {-1, Round{1} << 40}, .sealed = ""});
      store.add(release(2, 1, {0, 0}), 4);
      store.put(PopulationRow{.id = 1, .name = "all", .epsilon = 0.1, .user_level = true});
      store.add(DebitRow{
          .population = 1, .experiment = 2, .epsilon = 0.1, .reason = "created", .at = 31});
      store.put(UnitRow{.experiment = 2,
                        .tag = tag(1),
                        .used = 3,
                        .sticky = "event",
                        .expires = 500,
                        .sticky_until = 400});
      store.put(ReplyRow{.tag = tag(2), .request = tag(3), .answer = kBytes, .expires = 600});
      store.put(ApiKeyRow{.id = "k1",
                          .role = "app",
                          .note = "the shop's",
                          .hash = {1, 2, 255},
                          .created = 41,
                          .revoked = 42});
      store.add(OperationRow{.at = 51, .key = "k1", .what = "created button"});
      store.add(TrafficRow{.experiment = 2, .arm = 1, .hour = 100, .decisions = 10});
      store.add(TrafficRow{.experiment = 2, .arm = 1, .hour = 200, .decisions = 20});
      store.add(TrafficRow{.experiment = 2, .arm = 1, .hour = 200, .decisions = 2});
      store.put(IncarnationRow{.incarnation = 4000000000U, .last = std::uint64_t{1} << 60});
    });
  }

  SqliteStore store(folder.file());
  const Snapshot all = store.load();
  EXPECT_EQ(all.store, number);
  EXPECT_NE(number, Tag{});
  EXPECT_EQ(all.clock, 123);
  EXPECT_EQ(all.releases, 5U);
  EXPECT_EQ(all.debits, 6U);
  ASSERT_EQ(all.experiments.size(), 1U);
  const ExperimentRow& experiment = all.experiments[0];
  EXPECT_EQ(experiment.id, 2);
  EXPECT_EQ(experiment.name, "button");
  EXPECT_EQ(experiment.spec, "{\"a\": 1}");
  EXPECT_EQ(experiment.population, 1);
  EXPECT_EQ(experiment.state, ExperimentState::kStopped);
  EXPECT_EQ(experiment.why, "asked");
  EXPECT_EQ(experiment.generation, 4);
  EXPECT_EQ(experiment.created, 11);
  ASSERT_EQ(all.progress.size(), 1U);
  EXPECT_EQ(all.progress[0].experiment, 2);
  EXPECT_EQ(all.progress[0].decisions, 9);
  EXPECT_EQ(all.progress[0].recorded, 8);
  EXPECT_EQ(all.progress[0].version, 1);
  EXPECT_EQ(all.progress[0].learned, kBytes);
  ASSERT_EQ(all.slots.size(), 1U);
  EXPECT_EQ(all.slots[0].experiment, 2);
  EXPECT_EQ(all.slots[0].slot, (Slot{-1, Round{1} << 40}));
  EXPECT_EQ(all.slots[0].n, 5);
  EXPECT_EQ(all.slots[0].state, SlotState::kFull);
  EXPECT_EQ(all.slots[0].opened, 21);
  EXPECT_EQ(all.slots[0].ripe, 22);
  ASSERT_EQ(all.sealed.size(), 2U);
  EXPECT_EQ(all.sealed[0].block, -1);
  EXPECT_EQ(all.sealed[0].sealed, "");
  EXPECT_EQ(all.sealed[1].experiment, 2);
  EXPECT_EQ(all.sealed[1].slot, (Slot{-1, Round{1} << 40}));
  EXPECT_EQ(all.sealed[1].block, 3);
  EXPECT_EQ(all.sealed[1].key, 12);
  EXPECT_EQ(all.sealed[1].sealed, kBytes);
  ASSERT_EQ(all.made.size(), 1U);
  EXPECT_EQ(all.made[0].experiment, 2);
  EXPECT_EQ(all.made[0].version, 1);
  EXPECT_EQ(all.made[0].slot, (Slot{0, 0}));
  EXPECT_EQ(all.made[0].n, 64);
  EXPECT_EQ(all.made[0].noises, 3);
  EXPECT_EQ(all.made[0].values, (std::vector<double>{-1.5, 0.1, 1e300}));
  EXPECT_EQ(all.made[0].at, 70);
  ASSERT_EQ(all.populations.size(), 1U);
  EXPECT_EQ(all.populations[0].id, 1);
  EXPECT_EQ(all.populations[0].name, "all");
  EXPECT_EQ(all.populations[0].epsilon, 0.1);
  EXPECT_TRUE(all.populations[0].user_level);
  ASSERT_EQ(all.debited.size(), 1U);
  EXPECT_EQ(all.debited[0].population, 1);
  EXPECT_EQ(all.debited[0].experiment, 2);
  EXPECT_EQ(all.debited[0].epsilon, 0.1);
  EXPECT_EQ(all.debited[0].reason, "created");
  EXPECT_EQ(all.debited[0].at, 31);
  ASSERT_EQ(all.keys.size(), 1U);
  EXPECT_EQ(all.keys[0].id, "k1");
  EXPECT_EQ(all.keys[0].role, "app");
  EXPECT_EQ(all.keys[0].note, "the shop's");
  EXPECT_EQ(all.keys[0].hash[2], 255);
  EXPECT_EQ(all.keys[0].created, 41);
  EXPECT_EQ(all.keys[0].revoked, 42);
  ASSERT_EQ(all.incarnations.size(), 1U);
  EXPECT_EQ(all.incarnations[0].incarnation, 4000000000U);
  EXPECT_EQ(all.incarnations[0].last, std::uint64_t{1} << 60);
  ASSERT_EQ(all.traffic.size(), 1U);
  EXPECT_EQ(all.traffic[0].experiment, 2);
  EXPECT_EQ(all.traffic[0].arm, 1);
  EXPECT_EQ(all.traffic[0].decisions, 32);

  const auto unit = store.unit(2, tag(1));
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->experiment, 2);
  EXPECT_EQ(unit->tag, tag(1));
  EXPECT_EQ(unit->used, 3);
  EXPECT_EQ(unit->sticky, "event");
  EXPECT_EQ(unit->expires, 500);
  EXPECT_EQ(unit->sticky_until, 400);
  EXPECT_FALSE(store.unit(3, tag(1)));
  const auto reply = store.reply(tag(2));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->tag, tag(2));
  EXPECT_EQ(reply->request, tag(3));
  EXPECT_EQ(reply->answer, kBytes);
  EXPECT_EQ(reply->expires, 600);
  EXPECT_FALSE(store.reply(tag(3)));
  const auto hours = store.traffic(2, 150);
  ASSERT_EQ(hours.size(), 1U);
  EXPECT_EQ(hours[0].hour, 200);
  EXPECT_EQ(hours[0].decisions, 22);
  const auto operations = store.operations(10);
  ASSERT_EQ(operations.size(), 1U);
  EXPECT_EQ(operations[0].at, 51);
  EXPECT_EQ(operations[0].key, "k1");
  EXPECT_EQ(operations[0].what, "created button");
}

TEST(SqliteStore, WhatIsPutAgainTakesThePlaceOfWhatWasThere) {
  const Folder folder;
  SqliteStore store(folder.file());
  for (int i = 1; i <= 2; ++i) {
    commit(store, [&] {
      store.put(ExperimentRow{.id = 1, .name = "button", .generation = i});
      store.put(ProgressRow{.experiment = 1, .decisions = i});
      store.put(SlotRow{.experiment = 1, .slot = {0, 0}, .n = i});
      store.put(SealedRow{.experiment = 1, .slot = {0, 0}, .key = i, .sealed = "x"});
      store.put(PopulationRow{.id = 1, .name = "all", .epsilon = 1.0 * i});
      store.put(UnitRow{.experiment = 1, .tag = tag(1), .used = i, .expires = 100 * i});
      store.put(UnitRow{.experiment = 1, .tag = tag(2), .used = i, .expires = 100});
      store.put(ReplyRow{.tag = tag(1), .answer = std::to_string(i), .expires = 100 * i});
      store.put(ApiKeyRow{.id = "k", .role = "app", .revoked = i});
      store.put(IncarnationRow{.incarnation = 1, .last = static_cast<std::uint64_t>(i)});
    });
  }
  const Snapshot all = store.load();
  ASSERT_EQ(all.experiments.size(), 1U);
  EXPECT_EQ(all.experiments[0].generation, 2);
  ASSERT_EQ(all.progress.size(), 1U);
  EXPECT_EQ(all.progress[0].decisions, 2);
  ASSERT_EQ(all.slots.size(), 1U);
  EXPECT_EQ(all.slots[0].n, 2);
  ASSERT_EQ(all.sealed.size(), 1U);
  EXPECT_EQ(all.sealed[0].key, 2);
  ASSERT_EQ(all.populations.size(), 1U);
  EXPECT_EQ(all.populations[0].epsilon, 2);
  ASSERT_EQ(all.keys.size(), 1U);
  EXPECT_EQ(all.keys[0].revoked, 2);
  ASSERT_EQ(all.incarnations.size(), 1U);
  EXPECT_EQ(all.incarnations[0].last, 2U);
  EXPECT_EQ(store.unit(1, tag(1))->used, 2);
  EXPECT_EQ(store.unit(1, tag(1))->expires, 200);
  EXPECT_EQ(store.unit(1, tag(2))->used, 2);
  EXPECT_EQ(store.reply(tag(1))->answer, "2");

  commit(store, [&] { store.forget_expired(100, 10); });
  EXPECT_TRUE(store.unit(1, tag(1)));
  EXPECT_FALSE(store.unit(1, tag(2)));
  EXPECT_TRUE(store.reply(tag(1)));
}

TEST(SqliteStore, AnExperimentDoesNotTakeThePlaceOfAnotherOfItsName) {
  const Folder folder;
  SqliteStore store(folder.file());
  commit(store, [&] { store.put(ExperimentRow{.id = 1, .name = "button"}); });
  store.begin();
  expect_one_line(failure_of([&] { store.put(ExperimentRow{.id = 2, .name = "button"}); }),
                  folder.file() + ": UNIQUE constraint failed: experiments.name");
  store.roll_back();
  EXPECT_EQ(store.load().experiments.at(0).id, 1);
}

TEST(SqliteStore, ReleasesASlotOnceInAGeneration) {
  const Folder folder;
  SqliteStore store(folder.file());
  commit(store, [&] { store.add(release(1, 1, {0, 0}), 0); });
  const auto add = [&](const ReleaseRow& row, std::int64_t generation) {
    store.begin();
    const std::string failure = failure_of([&] { store.add(row, generation); });
    store.roll_back();
    return failure;
  };
  // By its slot, and by its version.
  expect_one_line(add(release(1, 2, {0, 0}), 0), "UNIQUE constraint failed: releases.experiment, ");
  expect_one_line(add(release(1, 1, {0, 1}), 0), "UNIQUE constraint failed: releases.experiment, ");
  EXPECT_EQ(add(release(1, 2, {0, 1}), 0), "nothing failed");
  EXPECT_EQ(add(release(1, 2, {0, 0}), 1), "nothing failed");
  EXPECT_EQ(add(release(2, 1, {0, 0}), 0), "nothing failed");
  EXPECT_EQ(store.load().made.size(), 1U);
}

TEST(SqliteStore, DebitsReleasesAndOperationsStayAsTheyAre) {
  const Folder folder;
  SqliteStore store(folder.file());
  commit(store, [&] {
    store.add(DebitRow{.population = 1, .experiment = 1, .epsilon = 1, .reason = "some"});
    store.add(release(1, 1, {0, 0}), 0);
    store.add(OperationRow{.at = 1, .key = "k", .what = "some"});
    store.put_marks(1, 1);
  });
  const storage::Database other = database_in(folder);
  for (const char* sql :
       {"UPDATE debits SET epsilon = 0", "DELETE FROM debits", "UPDATE releases SET n = 0",
        "DELETE FROM releases", "UPDATE operations SET what = ''", "DELETE FROM operations",
        "UPDATE service SET releases = 0", "UPDATE service SET debits = 0",
        "DELETE FROM service"}) {
    EXPECT_THROW(other.execute(sql), storage::StorageError) << sql;
  }
  const Snapshot all = store.load();
  EXPECT_EQ(all.debited.at(0).epsilon, 1);
  EXPECT_EQ(all.made.at(0).n, 64);
  EXPECT_EQ(all.releases, 1U);
}

TEST(SqliteStore, ForgetsASlotWithWhatIsSealedOfIt) {
  const Folder folder;
  SqliteStore store(folder.file());
  commit(store, [&] {
    for (const Id experiment : {1, 2}) {
      for (const Arm arm : {0, 1}) {
        store.put(SlotRow{.experiment = experiment, .slot = {arm, 3}});
        for (const Round block : {-1, 0}) {
          store.put(
              SealedRow{.experiment = experiment, .slot = {arm, 3}, .block = block, .sealed = "x"});
        }
      }
      store.put(UnitRow{.experiment = experiment, .tag = tag(1)});
    }
    store.forget_slot(1, {0, 3});
  });
  EXPECT_EQ(store.load().slots.size(), 3U);
  EXPECT_EQ(store.load().sealed.size(), 6U);
  commit(store, [&] {
    store.forget_slots(2);
    EXPECT_EQ(store.forget_units(2, 5), 1);
    EXPECT_EQ(store.forget_units(2, 5), 0);
  });
  ASSERT_EQ(store.load().slots.size(), 1U);
  EXPECT_EQ(store.load().slots[0].slot, (Slot{1, 3}));
  EXPECT_EQ(store.load().sealed.size(), 2U);
  EXPECT_TRUE(store.unit(1, tag(1)));
  EXPECT_FALSE(store.unit(2, tag(1)));
}

TEST(SqliteStore, ForgetsWhatHasExpiredInPortions) {
  const Folder folder;
  SqliteStore store(folder.file());
  commit(store, [&] {
    for (int i = 0; i < 10; ++i) {
      store.put(ReplyRow{.tag = tag(i), .answer = "x", .expires = 100 + i});
      store.put(UnitRow{.experiment = 1, .tag = tag(i), .used = 1, .expires = 100 + i});
    }
    store.put(UnitRow{.experiment = 1, .tag = tag(10), .used = 1, .expires = 0});
  });
  const auto left = [&] {
    int n = 0;
    for (int i = 0; i <= 10; ++i) {
      n += store.reply(tag(i)) ? 1 : 0;
      n += store.unit(1, tag(i)) ? 1 : 0;
    }
    return n;
  };
  commit(store, [&] { store.forget_expired(99, 100); });
  EXPECT_EQ(left(), 21);
  commit(store, [&] { store.forget_expired(104, 3); });
  EXPECT_EQ(left(), 18);
  commit(store, [&] { store.forget_expired(104, 3); });
  EXPECT_EQ(left(), 15);
  commit(store, [&] { store.forget_expired(104, 100); });
  EXPECT_EQ(left(), 11);
  commit(store, [&] { store.forget_expired(1000000, 100); });
  EXPECT_EQ(left(), 1);
  EXPECT_TRUE(store.unit(1, tag(10)));
}

TEST(SqliteStore, ReadsReleasesFromAVersionOnAndTheLatestOperationsFirst) {
  const Folder folder;
  SqliteStore store(folder.file());
  commit(store, [&] {
    for (int i = 1; i <= 5; ++i) {
      store.add(release(1, i, {0, i}), 0);
      store.add(OperationRow{.at = i, .key = "k", .what = "some"});
    }
  });
  const auto releases = store.releases(1, 2, 2);
  ASSERT_EQ(releases.size(), 2U);
  EXPECT_EQ(releases[0].version, 3);
  EXPECT_EQ(releases[1].version, 4);
  EXPECT_EQ(releases[1].values, (std::vector<double>{-1.5, 0.1, 1e300}));
  const auto operations = store.operations(2);
  ASSERT_EQ(operations.size(), 2U);
  EXPECT_EQ(operations[0].at, 5);
  EXPECT_EQ(operations[1].at, 4);
}

TEST(SqliteStore, WhatIsRolledBackDidNotHappen) {
  const Folder folder;
  SqliteStore store(folder.file());
  commit(store, [&] { store.put_clock(1); });
  store.begin();
  store.put_clock(2);
  store.roll_back();
  EXPECT_EQ(store.load().clock, 1);
  store.begin();
  store.put_clock(3);
  commit(store, [&] { store.put_marks(1, 1); });  // as if begun anew
  EXPECT_EQ(store.load().clock, 1);
  EXPECT_THROW(store.put_clock(4), StoreFailed);
  EXPECT_EQ(store.load().clock, 1);
}

TEST(SqliteStore, TheLogIsEmptiedUnlessSomebodyReadsIt) {
  const Folder folder;
  SqliteStore store(folder.file());
  commit(store, [&] { store.put_clock(1); });
  EXPECT_GT(fs::file_size(folder.file() + "-wal"), 0U);
  {
    const storage::Database other = database_in(folder);
    const storage::Transaction reading(other, storage::Transaction::Purpose::kRead);
    EXPECT_EQ(other.number("SELECT clock FROM service"), 1);
    commit(store, [&] { store.put_clock(2); });
    store.tidy();
    EXPECT_GT(fs::file_size(folder.file() + "-wal"), 0U);
  }
  store.tidy();
  EXPECT_EQ(fs::file_size(folder.file() + "-wal"), 0U);
  store.begin();
  store.tidy();  // not now
  store.put_clock(3);
  store.commit();
  EXPECT_EQ(store.load().clock, 3);
}

TEST(SqliteStore, WhatIsForgottenIsInNoFile) {
  const Folder folder;
  const std::string marked = "a value that nobody else writes";
  const auto found = [&] {
    std::string all;
    for (const auto& part : fs::directory_iterator(folder.path())) {
      std::ifstream in(part.path(), std::ios::binary);
      all.append(std::istreambuf_iterator<char>(in), {});
    }
    return all.find(marked) != std::string::npos;
  };
  SqliteStore store(folder.file());
  commit(store, [&] {
    store.put(SlotRow{.experiment = 1, .slot = {0, 0}});
    store.put(SealedRow{.experiment = 1, .slot = {0, 0}, .sealed = marked});
  });
  store.tidy();
  EXPECT_TRUE(found());
  commit(store, [&] { store.forget_slot(1, {0, 0}); });
  store.tidy();
  EXPECT_FALSE(found());
}

}  // namespace
}  // namespace tacit::service
