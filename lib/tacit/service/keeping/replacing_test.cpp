// Another file takes the place of a store whose program was killed, so that its last commits are in its log alone: and that is cut
// short wherever it can be.
#include "tacit/service/keeping/replacing.hpp"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "tacit/service/keeping/checking.hpp"
#include "tacit/service/keeping/copying.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/keeping/store_in_a_folder_test.hpp"

namespace tacit::service {
namespace {

namespace fs = std::filesystem;
using Opening = SqliteStore::Opening;

constexpr Time kOld = 20;
constexpr Time kNew = 7;
constexpr int kRows = 3000;

/// True: it was killed.
template <class Do>
bool kills_itself(Do what) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      what();
      _exit(0);
    } catch (...) {
      _exit(1);
    }
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status);
}

/// So many commits, of rows that say which.
void commit_until(SqliteStore& store, Time last) {
  for (Time i = last - 4; i <= last; ++i) {
    commit(store, [&] {
      store.put_clock(i);
      for (int j = 0; j < kRows; ++j) {
        store.put(
            SealedRow{.experiment = 1, .slot = {0, j}, .key = i, .sealed = std::string(50, 'x')});
      }
    });
  }
}

/// Which one it is: every row says the same.
Time which(const Folder& folder) {
  SqliteStore store(folder.file());
  const Snapshot all = store.load();
  EXPECT_EQ(all.sealed.size(), std::size_t{kRows});
  for (const SealedRow& row : all.sealed) EXPECT_EQ(row.key, all.clock);
  return all.clock;
}

class ReplacingAStore : public testing::Test {
 protected:
  void SetUp() override {
    {
      SqliteStore store(other_.file());
      commit_until(store, kNew);
    }
    ASSERT_TRUE(kills_itself([&] {
      SqliteStore store(folder_.file());
      commit_until(store, kOld);
      raise(SIGKILL);
    }));
    ASSERT_GT(fs::file_size(folder_.file() + "-wal"), 0U);
  }
  void replace(const std::function<void(const char*)>& failpoint = [](const char*) {}) const {
    const FileLock lock(folder_.file());
    fs::remove(restoring_file(folder_.file()));
    {
      const storage::Database database(other_.file(), storage::Database::Access::kRead);
      copy_into(database, restoring_file(folder_.file()));
    }
    replace_store(folder_.file(), lock, failpoint);
  }

  Folder folder_;
  Folder other_;
};

TEST_F(ReplacingAStore, PlaysNoLogOverTheNewOne) {
  ASSERT_FALSE(kills_itself([&] { replace(); }));
  EXPECT_EQ(which(folder_), kNew);
}

TEST_F(ReplacingAStore, LeavesTheOldOneOrTheNewOneWhereverItIsCutShort) {
  // Copies of what the killed program left.
  const Folder left;
  fs::copy(folder_.path(), left.path(), fs::copy_options::recursive);
  bool is_new = false;
  int points = 0;
  for (bool done = false; !done; ++points) {
    fs::remove_all(folder_.path());
    fs::copy(left.path(), folder_.path());
    std::string at;
    int ends[2];  // NOLINT: what pipe() takes
    ASSERT_EQ(pipe(ends), 0);
    done = !kills_itself([&] {
      int before = points;
      replace([&](const char* point) {
        if (before-- > 0) return;
        if (write(ends[1], point, std::string(point).size()) > 0) raise(SIGKILL);
      });
    });
    close(ends[1]);
    at.resize(64);
    at.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(ends[0], at.data(), at.size()))));
    close(ends[0]);
    SCOPED_TRACE("killed at point " + std::to_string(points) + ": " + at);
    const bool half = fs::exists(folder_.file() + "-restored");
    if (half) {
      const std::string told = folder_.file() + ": is half put back from a copy";
      expect_one_line(failure_of([&] { SqliteStore beside(folder_.file(), Opening::kBeside); }),
                      told);
      expect_one_line(
          failure_of([&] { SqliteStore beside(folder_.file(), Opening::kBesideOrNew); }), told);
      expect_one_line(failure_of([&] { check_file(folder_.file(), kOld); }), told);
    }
    const Time now = which(folder_);
    EXPECT_EQ(now, is_new || half || done ? kNew : kOld);
    is_new = now == kNew;
    EXPECT_EQ(which(folder_), now);
    for (const char* part : {"-restored", "-restoring"}) {
      EXPECT_FALSE(fs::exists(folder_.file() + part)) << part;
    }
  }
  EXPECT_GT(points, 8);
  EXPECT_TRUE(is_new);
}

TEST_F(ReplacingAStore, MayBeCutShortWhileItIsFinished) {
  ASSERT_TRUE(kills_itself([&] {
    replace([](const char* point) {
      if (point == std::string("without a log")) raise(SIGKILL);
    });
  }));
  // As if a log were there that had not been removed for good.
  std::ofstream(folder_.file() + "-wal") << "of the old one";
  EXPECT_EQ(which(folder_), kNew);
}

TEST_F(ReplacingAStore, DoesNotReplaceWhatAnotherProgramHasOpen) {
  const auto refusal_beside = [&](const auto& open) {
    int gate[2];   // NOLINT: what pipe() takes
    int ready[2];  // NOLINT: likewise
    EXPECT_EQ(pipe(gate) + pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
      close(gate[1]);
      const auto opened = open();
      char byte = 0;
      _exit(write(ready[1], &byte, 1) == 1 && read(gate[0], &byte, 1) == 0 ? 0 : 1);
    }
    char byte = 0;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    const std::string refused = failure_of([&] { replace(); });
    for (const int end : {gate[0], gate[1], ready[0], ready[1]}) close(end);
    EXPECT_EQ(waitpid(child, nullptr, 0), child);
    return refused;
  };
  const std::string told = folder_.file() + ": another program has it open";
  expect_one_line(refusal_beside([&] { return BesideLock(folder_.file()); }), told);
  expect_one_line(refusal_beside([&] {
                    auto database = std::make_unique<storage::Database>(
                        folder_.file(), storage::Database::Access::kRead);
                    EXPECT_GT(database->number("SELECT count(*) FROM sealed"), 0);
                    return database;
                  }),
                  told);
  EXPECT_EQ(which(folder_), kOld);
}

}  // namespace
}  // namespace tacit::service
