// How a store is opened, by whom, and what is refused; and what is left of one whose program was killed.
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tacit/service/keeping/filled_store_test.hpp"
#include "tacit/service/keeping/schema.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {
namespace {

namespace fs = std::filesystem;
using Opening = SqliteStore::Opening;

TEST(SqliteStore, IsNewUntilSomethingIsCommitted) {
  const Folder folder;
  EXPECT_TRUE(SqliteStore(folder.file(), Opening::kBesideOrNew).is_new());
  {
    SqliteStore store(folder.file());
    EXPECT_TRUE(store.is_new());
    commit(store, [&] { store.put(ApiKeyRow{.id = "k", .role = "app"}); });
  }
  {
    SqliteStore store(folder.file());
    EXPECT_TRUE(store.is_new());
    commit(store, [&] { store.put_clock(1); });
  }
  EXPECT_FALSE(SqliteStore(folder.file()).is_new());
}

TEST(SqliteStore, OfAKilledProgramTheLastCommitIsLeft) {
  const Folder folder;
  const pid_t child = fork();
  if (child == 0) {
    SqliteStore store(folder.file());
    for (int i = 1; i <= 20; ++i) {
      store.begin();
      store.put_clock(i);
      // More than SQLite's memory holds, so that some of it is in the log before the commit.
      for (int j = 0; j < (i == 20 ? 60000 : 10); ++j) {
        store.put(
            SealedRow{.experiment = 1, .slot = {0, j}, .key = i, .sealed = std::string(900, 'x')});
      }
      if (i == 20) raise(SIGKILL);
      store.commit();
    }
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_GT(fs::file_size(folder.file() + "-wal"), 1U << 20U);
  SqliteStore store(folder.file());
  const Snapshot all = store.load();
  EXPECT_EQ(all.clock, 19);
  ASSERT_EQ(all.sealed.size(), 10U);
  for (const SealedRow& row : all.sealed) EXPECT_EQ(row.key, 19);
}

TEST(SqliteStore, ASecondServiceIsRefusedUntilTheFirstIsGone) {
  const Folder folder;
  {
    const SqliteStore store(folder.file());
    expect_one_line(failure_of([&] { SqliteStore second(folder.file()); }),
                    folder.file() + ".lock: is held by process " + std::to_string(getpid()));
    // Under another name it is the same file.
    fs::create_symlink("shop.db", folder.file("alias.db"));
    expect_one_line(failure_of([&] { SqliteStore second(folder.file("alias.db")); }),
                    "is held by process");
  }
  EXPECT_EQ(failure_of([&] { SqliteStore second(folder.file()); }), "nothing failed");
}

TEST(SqliteStore, TheLockWritesOverNothingThatALinkLeadsTo) {
  const Folder folder;
  std::ofstream(folder.file("victim")) << "precious";
  fs::create_symlink("victim", folder.file() + ".lock");
  expect_one_line(failure_of([&] { SqliteStore store(folder.file()); }),
                  folder.file() + ".lock: is a symbolic link");
  EXPECT_EQ(FileLock::holder(folder.file()), std::nullopt);
  std::ifstream victim(folder.file("victim"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(victim), {}), "precious");
}

TEST(SqliteStore, TheLockIsNotAForkedChilds) {
  const Folder folder;
  int gate[2];   // NOLINT: what pipe() takes
  int ready[2];  // NOLINT
  ASSERT_EQ(pipe(gate), 0);
  ASSERT_EQ(pipe(ready), 0);
  pid_t child = 0;
  char byte = 0;
  {
    const SqliteStore store(folder.file());
    child = fork();
    if (child == 0) {  // lives on until the gate is closed
      close(gate[1]);
      if (write(ready[1], &byte, 1) != 1) _exit(1);
      _exit(static_cast<int>(read(gate[0], &byte, 1)));
    }
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
  }
  EXPECT_EQ(failure_of([&] { SqliteStore second(folder.file()); }), "nothing failed");
  for (const int end : {gate[0], gate[1], ready[0], ready[1]}) close(end);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
}

/// By a program that is killed after that.
template <class Do>
void leave_killed(const Folder& folder, Do what) {
  const pid_t child = fork();
  if (child == 0) {
    SqliteStore store(folder.file());
    commit(store, [&] { store.put_clock(1); });
    what(store);
    raise(SIGKILL);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
}

TEST(SqliteStore, AFileThatWasDamagedIsNotServedAfterAProgramThatWasKilled) {
  for (const bool also_beside : {false, true}) {
    const Folder folder;
    {
      SqliteStore store(folder.file());
      fill(store);
    }
    leave_killed(folder, [](SqliteStore&) {});
    damage_table(folder, "traffic");
    // Which empties the log.
    if (also_beside) SqliteStore(folder.file(), Opening::kBeside).keys();
    for (int start = 0; start < 2; ++start) {
      const std::string refused = failure_of([&] { SqliteStore store(folder.file()); });
      expect_one_line(refused, folder.file() + ": the file is damaged: ");
      expect_one_line(refused, ": put a copy back by `tacit serve restore`");
    }
  }
}

TEST(SqliteStore, ACopyUnderTheLogOfAnotherFileIsNotServed) {
  const Folder folder;
  {
    SqliteStore store(folder.file());
    fill(store);
  }
  fs::copy_file(folder.file(), folder.file("copy.db"));
  leave_killed(folder, [](SqliteStore& store) {
    // So much that the log was emptied into the file, and begun again.
    for (int i = 0; i < 250; ++i) {
      commit(store, [&] {
        for (int j = 0; j < 100; ++j) {
          store.put(SealedRow{.experiment = 1,
                              .slot = {0, 3},
                              .block = (7919 * (100 * i + j)) % 25000,
                              .key = 1,
                              .sealed = std::string(500, 'x')});
        }
      });
    }
  });
  fs::copy_file(folder.file("copy.db"), folder.file(), fs::copy_options::overwrite_existing);
  for (int start = 0; start < 2; ++start) {
    expect_one_line(failure_of([&] { SqliteStore store(folder.file()); }),
                    folder.file() + ": the file is damaged: ");
  }
  EXPECT_GT(fs::file_size(folder.file() + "-wal"), 0U);
  // As the guide says.
  for (const char* part : {"-wal", "-shm"}) fs::remove(folder.file() + part);
  fs::copy_file(folder.file("copy.db"), folder.file(), fs::copy_options::overwrite_existing);
  EXPECT_EQ(failure_of([&] { SqliteStore store(folder.file()); }), "nothing failed");
}

TEST(SqliteStore, IsLookedAtAfterAProgramThatWasKilledAlone) {
  const Folder folder;
  {
    SqliteStore store(folder.file());
    fill(store);
  }
  {
    const FileLock lock(folder.file());
    EXPECT_FALSE(lock.was_cut_short());
    lock.end_well();
  }
  leave_killed(folder, [](SqliteStore&) {});
  EXPECT_TRUE(FileLock(folder.file()).was_cut_short());
  { const SqliteStore store(folder.file()); }
  EXPECT_FALSE(FileLock(folder.file()).was_cut_short());
}

TEST(SqliteStore, OnceItIsFoundToBeDamagedItIsNotGoneOnWith) {
  const Folder folder;
  {
    SqliteStore store(folder.file());
    fill(store);
  }
  std::ifstream file(folder.file(), std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(file), {});
  damage_table(folder, "operations");
  std::string told;
  {
    SqliteStore store(folder.file());
    commit(store, [&] { store.put_clock(kFilledAt + 1); });
    told = failure_of([&] { store.operations(1); });
    expect_one_line(told, folder.file() + ": the file is damaged: nothing is learned or released");
    EXPECT_EQ(failure_of([&] { store.begin(); }), told);
    EXPECT_EQ(failure_of([&] { store.load(); }), told);
    EXPECT_EQ(failure_of([&] { store.tidy(); }), told);
  }
  // And the next one looks for it.
  EXPECT_NE(failure_of([&] { SqliteStore store(folder.file()); }), "nothing failed");
  std::ofstream(folder.file(), std::ios::binary) << whole;
  EXPECT_EQ(failure_of([&] { SqliteStore store(folder.file()); }), "nothing failed");
}

TEST(SqliteStore, KeysAreWrittenBesideAService) {
  const Folder folder;
  EXPECT_EQ(failure_of([&] { SqliteStore none(folder.file(), Opening::kBeside); }),
            folder.file() + ": is not there: give the file that `tacit serve --store` was given");
  EXPECT_FALSE(fs::exists(folder.file()));
  SqliteStore service(folder.file());
  const std::int64_t before = service.changes_by_others();
  commit(service, [&] { service.put_clock(1); });
  EXPECT_EQ(service.changes_by_others(), before);
  {
    SqliteStore beside(folder.file(), Opening::kBeside);
    commit(beside, [&] {
      beside.put(ApiKeyRow{.id = "k", .role = "app"});
      beside.add(OperationRow{.at = 1, .key = "k", .what = "added k"});
    });
    EXPECT_EQ(beside.keys().size(), 1U);
  }
  EXPECT_GT(service.changes_by_others(), before);
  EXPECT_EQ(service.keys().at(0).id, "k");
  commit(service, [&] { service.put_clock(2); });
  EXPECT_EQ(service.load().clock, 2);
}

TEST(SqliteStore, OthersCannotReadTheFile) {
  const Folder folder;
  const SqliteStore store(folder.file());
  for (const char* part : {"", "-wal", "-shm", ".lock"}) {
    struct stat status {};
    ASSERT_EQ(stat((folder.file() + part).c_str(), &status), 0) << part;
    EXPECT_EQ(status.st_mode & 0777U, 0600U) << part;
  }
}

TEST(SqliteStore, ThatWasMovedAwayOrReplacedBeginsNothingUntilItIsBack) {
  const Folder folder;
  SqliteStore store(folder.file());
  commit(store, [&] { store.put_clock(1); });
  const std::string told =
      folder.file() + ": was moved or removed while it was served: put it back";
  fs::rename(folder.file(), folder.file("away"));
  EXPECT_EQ(failure_of([&] { store.begin(); }), told);
  std::ofstream(folder.file()) << "another";
  EXPECT_EQ(failure_of([&] { store.begin(); }), told);
  fs::rename(folder.file("away"), folder.file());
  EXPECT_EQ(failure_of([&] { commit(store, [&] { store.put_clock(2); }); }), "nothing failed");
  EXPECT_EQ(store.load().clock, 2);
}

TEST(SqliteStore, ANewerSchemaIsRefused) {
  const Folder folder;
  { const SqliteStore store(folder.file()); }
  const int newer = newest_schema() + 1;
  database_in(folder).execute("PRAGMA user_version = " + std::to_string(newer));
  for (const Opening opening : {Opening::kServe, Opening::kBeside, Opening::kBesideOrNew}) {
    expect_one_line(failure_of([&] { SqliteStore store(folder.file(), opening); }),
                    folder.file() + ": has schema " + std::to_string(newer) + ", of a newer tacit");
  }
  EXPECT_EQ(database_in(folder).number("PRAGMA user_version"), newer);
}

TEST(SqliteStore, WhatIsNoStoreIsRefusedAndStaysAsItIs) {
  const Folder folder;
  const std::string text(5000, 'x');
  std::ofstream(folder.file("text.db")) << text;
  expect_one_line(failure_of([&] { SqliteStore store(folder.file("text.db")); }),
                  folder.file("text.db") + ": is no file of tacit's, or a damaged one");
  std::ifstream in(folder.file("text.db"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), text);

  storage::Database(folder.file(), storage::Database::Access::kCreate)
      .execute("CREATE TABLE t (x)");
  expect_one_line(failure_of([&] { SqliteStore store(folder.file()); }),
                  folder.file() + ": is a database of another program");
  EXPECT_EQ(database_in(folder).number("SELECT count(*) FROM sqlite_master"), 1);
  EXPECT_FALSE(fs::exists(folder.file() + "-wal"));

  expect_one_line(failure_of([&] { SqliteStore store(folder.path().string()); }),
                  folder.path().string());
  expect_one_line(failure_of([&] { SqliteStore store(""); }), "a path must be given");
  expect_one_line(failure_of([&] { SqliteStore store(":memory:"); }), "a path must be given");
  EXPECT_FALSE(fs::exists(":memory:.lock"));
}

/// What a user without rights on the folder is told: root has them all, so a child gives them up.
std::string refused_without_rights(const std::string& file) {
  int pipes[2];  // NOLINT: what pipe() takes
  if (pipe(pipes) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (getuid() == 0 && setuid(kNobody) != 0) _exit(1);
    const std::string failure = failure_of([&] { SqliteStore store(file); });
    _exit(write(pipes[1], failure.data(), failure.size()) < 0 ? 1 : 0);
  }
  close(pipes[1]);
  std::string text(4096, '\0');
  const ssize_t got = read(pipes[0], text.data(), text.size());
  close(pipes[0]);
  waitpid(child, nullptr, 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

TEST(SqliteStore, AFolderThatCannotBeWrittenIsNamed) {
  const Folder folder;
  fs::permissions(folder.path(), fs::perms(0555));
  expect_one_line(refused_without_rights(folder.file()), folder.file() + ".lock: cannot be made");
  fs::permissions(folder.path(), fs::perms(0777));
  EXPECT_EQ(refused_without_rights(folder.file()), "nothing failed");
  expect_one_line(refused_without_rights(folder.file("missing/shop.db")),
                  folder.file("missing/shop.db"));
}

}  // namespace
}  // namespace tacit::service
