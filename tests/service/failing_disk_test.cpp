// The store on a disk that fails: every write of a service's life fails once, in every way, and what commit() has returned for is
// there, and what threw is there as a whole or not at all.
#include "service/failing_vfs.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/keeping/store_in_a_folder_test.hpp"

namespace tacit::service {
namespace {

namespace fs = std::filesystem;
using Failure = tests::FailingVfs::Failure;

/// The disk is a play anyway: thousands of files need not wait for a real one.
Folder folder_in_memory() {
  const fs::path memory = "/dev/shm";
  std::error_code unknown;
  return fs::is_directory(memory, unknown) ? Folder(memory) : Folder();
}

/// As a program finds it that starts after this one was killed just now.
void copy(const Folder& from, const Folder& to) {
  for (const char* part : {"shop.db", "shop.db-journal", "shop.db-wal"}) {
    if (fs::exists(from.file(part))) fs::copy_file(from.file(part), to.file(part));
  }
}

constexpr int kBatches = 16;
constexpr Arm kArms = 6;

/// Number `i`, of which every part tells that it is there: something new, something changed, something that goes.
void put_batch(Store& store, int i) {
  store.put_clock(i);
  store.put(ProgressRow{.experiment = 1, .decisions = i, .recorded = i, .version = 0});
  for (Arm arm = 0; arm < kArms; ++arm) {
    store.put(SlotRow{.experiment = 1, .slot = {arm, 0}, .n = i});
    store.put(SealedRow{.experiment = 1,
                        .slot = {arm, 0},
                        .block = -1,
                        .key = i,
                        .sealed = std::string(700, static_cast<char>('a' + i))});
  }
  store.put(SlotRow{.experiment = 1, .slot = {kArms, i}, .n = 1});
  if (i > 1) store.forget_slot(1, {kArms, i - 1});
  store.add(ReleaseRow{.experiment = 1, .version = i, .slot = {0, i}, .values = {0.5 * i}}, 0);
  store.add(DebitRow{.population = 1, .experiment = 1, .epsilon = 1.0 * i, .reason = "some"});
  store.add(TrafficRow{.experiment = 1, .arm = 0, .hour = 0, .decisions = 1 << i});
  store.put(UnitRow{.experiment = 1, .tag = tag(i), .used = i, .expires = 1});
  store.forget_expired(1, 1);
}

using Batches = std::set<int>;

/// Which batches are there as a whole. Any that is there in part fails the test.
Batches batches_in(const std::string& file, const std::string& when) {
  SCOPED_TRACE(when);
  SqliteStore store(file);
  const Snapshot all = store.load();
  Batches batches;
  Round sum = 0;
  for (const ReleaseRow& row : all.made) {
    batches.insert(static_cast<int>(row.version));
    sum += Round{1} << row.version;
    EXPECT_EQ(row.values, std::vector<double>{0.5 * static_cast<double>(row.version)});
  }
  const int last = batches.empty() ? 0 : *batches.rbegin();
  EXPECT_EQ(all.clock, last);
  EXPECT_EQ(all.progress.size(), last == 0 ? 0U : 1U);
  for (const ProgressRow& row : all.progress) EXPECT_EQ(row.decisions, last);
  std::size_t old = 0;  // of a batch whose successor threw, and forgot nothing
  for (const SlotRow& row : all.slots) {
    if (row.slot.arm == kArms) {
      EXPECT_TRUE(batches.contains(static_cast<int>(row.slot.phase)));
      EXPECT_FALSE(batches.contains(static_cast<int>(row.slot.phase) + 1));
      ++old;
    } else {
      EXPECT_EQ(row.n, last);
    }
  }
  EXPECT_EQ(all.slots.size(), (last == 0 ? 0U : kArms) + old);
  EXPECT_EQ(all.sealed.size(), last == 0 ? 0U : kArms);
  for (const SealedRow& row : all.sealed) {
    EXPECT_EQ(row.key, last);
    EXPECT_EQ(row.sealed, std::string(700, static_cast<char>('a' + last)));
  }
  EXPECT_EQ(all.debited.size(), batches.size());
  for (const DebitRow& row : all.debited) {
    EXPECT_TRUE(batches.contains(static_cast<int>(row.epsilon)));
  }
  EXPECT_EQ(all.traffic.empty() ? 0 : all.traffic.front().decisions, sum);
  return batches;
}

struct Life {
  Batches committed = {};
  int last = 0;  // that was begun
  std::optional<int> threw = {};
};

/// A service's life, in which what fails is not tried again.
void live(const std::string& file, Life& life) {
  std::optional<SqliteStore> store;
  try {
    store.emplace(file);
  } catch (const StoreFailed&) {
    store.emplace(file);  // the disk is well again
  }
  while (life.last < kBatches) {
    const int i = ++life.last;
    try {
      store->begin();
      put_batch(*store, i);
      store->commit();
      life.committed.insert(i);
    } catch (const StoreFailed&) {
      life.threw = i;
      store->roll_back();
    }
    try {
      if (i % 4 == 0) store->tidy();
    } catch (const StoreFailed&) {  // what was committed is in the log
    }
  }
}

void every_write_fails_once(Failure failure) {
  tests::FailingVfs disk;
  constexpr int kMost = 2000;
  int n = 1;
  int lost = 0;
  for (; n <= kMost; ++n) {
    const std::string when = "operation " + std::to_string(n);
    const Folder folder = folder_in_memory();
    const Folder killed = folder_in_memory();
    Life life;
    Life at_failure;
    disk.fail(failure, n, 1, [&] {
      at_failure = life;
      copy(folder, killed);
    });
    live(folder.file(), life);
    const bool failed = disk.has_failed();
    disk.work();
    // Who lives on knows what was rolled back.
    EXPECT_EQ(batches_in(folder.file(), when), life.committed) << when;
    EXPECT_GE(life.committed.size(), static_cast<std::size_t>(kBatches - 1)) << when;
    if (life.threw) ++lost;
    // And of one that ended there and then, what was under way is there as a whole or not at all.
    if (failed) {
      Batches with = at_failure.committed;
      with.insert(at_failure.last);
      const Batches found = batches_in(killed.file(), when + ", killed");
      EXPECT_TRUE(found == at_failure.committed || found == with) << when << ", killed";
    }
    if (testing::Test::HasFailure() || !failed) break;
  }
  EXPECT_LE(n, kMost);
  // Else nothing has been tried: a commit writes a few pages and syncs them.
  EXPECT_GT(n, 10 * kBatches);
  EXPECT_GT(lost, 5 * kBatches);
}

TEST(FailingDisk, ErrorsLoseNothingThatWasCommitted) { every_write_fails_once(Failure::kIoError); }
TEST(FailingDisk, AFullDiskLosesNothingThatWasCommitted) { every_write_fails_once(Failure::kFull); }
TEST(FailingDisk, HalfAWriteLosesNothingThatWasCommitted) {
  every_write_fails_once(Failure::kShortWrite);
}

TEST(FailingDisk, AStoreGoesOnWhenTheDiskIsNoLongerFull) {
  const Folder folder = folder_in_memory();
  tests::FailingVfs disk;
  SqliteStore store(folder.file());
  for (int i = 1; i <= kBatches; ++i) {
    disk.fail(Failure::kFull, 1, 1000000);
    for (int tries = 0; tries < 3; ++tries) {
      EXPECT_THROW(
          {
            store.begin();
            put_batch(store, i);
            store.commit();
          },
          StoreFailed);
      store.roll_back();
      EXPECT_EQ(store.load().clock, i - 1);
    }
    disk.work();
    store.begin();
    put_batch(store, i);
    store.commit();
  }
  EXPECT_EQ(store.load().made.size(), static_cast<std::size_t>(kBatches));
}

TEST(FailingDisk, WhatIsWrittenAfterAFailureWithoutANewBeginningIsRefused) {
  const Folder folder = folder_in_memory();
  tests::FailingVfs disk;
  SqliteStore store(folder.file());
  store.begin();
  store.put_clock(1);
  disk.fail(Failure::kIoError, 1);
  EXPECT_THROW(store.commit(), StoreFailed);
  EXPECT_THROW(store.put_clock(2), StoreFailed);
  EXPECT_THROW(store.commit(), StoreFailed);
  EXPECT_EQ(store.load().clock, 0);
}

}  // namespace
}  // namespace tacit::service
