#include "tacit/service/keeping/copying.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "tacit/service/keeping/filled_store_test.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"

namespace tacit::service {
namespace {

namespace fs = std::filesystem;

class BackingUp : public testing::Test {
 protected:
  std::string copy() const { return folder_.file("copy.db"); }
  std::string back_up_into(const std::string& name, Existing existing = Existing::kRefuse) const {
    return failure_of([&] { back_up(folder_.file(), folder_.file(name), existing, kFilledAt); });
  }
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      all.insert(entry.path().filename().string());
    }
    return all;
  }

  Folder folder_;
};

TEST_F(BackingUp, CopiesAllOfAStoreThatIsServed) {
  SqliteStore store(folder_.file());
  fill(store);
  const mode_t before = umask(0);
  const Verdict verdict = back_up(folder_.file(), copy(), Existing::kRefuse, kFilledAt);
  umask(before);
  EXPECT_EQ(verdict.holds, "1 experiment, 2 releases, 1 open slot, 1 population, 1 debit, 0 keys");
  struct stat status {};
  ASSERT_EQ(stat(copy().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(store_number(copy()), store.load().store);
  // It is all in one file, which can be read where nothing can be written.
  EXPECT_EQ(names(), (std::set<std::string>{"shop.db", "shop.db-wal", "shop.db-shm", "shop.db.lock",
                                            "copy.db"}));
  EXPECT_EQ(check_file(copy(), kFilledAt).complaints, std::vector<std::string>{});
  EXPECT_FALSE(fs::exists(copy() + "-shm"));
  // And the service goes on.
  commit(store, [&] { store.put_clock(kFilledAt + 1); });
}

TEST_F(BackingUp, HasNothingThatWasDeleted) {
  SqliteStore store(folder_.file());
  fill(store);
  const std::string secret = "remember me not";
  commit(store, [&] {
    store.put(SealedRow{.experiment = 1, .slot = {0, 3}, .block = 0, .key = 1, .sealed = secret});
  });
  commit(store, [&] {
    store.put(SealedRow{.experiment = 1, .slot = {0, 3}, .block = 0, .key = 1, .sealed = "x"});
  });
  ASSERT_EQ(back_up_into("copy.db"), "nothing failed");
  std::ifstream file(copy(), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(bytes.find(secret), std::string::npos);
}

TEST_F(BackingUp, WritesOverNothingButACopyOfTheSameStoreAndWhenItIsTold) {
  SqliteStore store(folder_.file());
  fill(store);
  ASSERT_EQ(back_up_into("copy.db"), "nothing failed");
  expect_one_line(back_up_into("copy.db"), "copy.db: is there already: give another name");
  commit(store, [&] { store.put_clock(kFilledAt + 5); });
  ASSERT_EQ(back_up_into("copy.db", Existing::kReplace), "nothing failed");
  EXPECT_EQ(storage::Database(copy(), storage::Database::Access::kRead)
                .number("SELECT clock FROM service"),
            kFilledAt + 5);

  const std::string told = ": is there, and is no copy of this store: give another name";
  expect_one_line(back_up_into("shop.db", Existing::kReplace), told);
  expect_one_line(back_up_into("shop.db.lock", Existing::kReplace), told);
  { const SqliteStore other(folder_.file("other.db"), SqliteStore::Opening::kBesideOrNew); }
  expect_one_line(back_up_into("other.db", Existing::kReplace), told);
  fs::create_symlink("copy.db", folder_.file("link.db"));
  expect_one_line(back_up_into("link.db", Existing::kReplace), told);
  std::ofstream(folder_.file("another.db-wal")) << "a log";
  expect_one_line(back_up_into("another.db"), "another.db-wal: is the log of another file");
}

TEST_F(BackingUp, GoesOnAfterOneThatWasCutShort) {
  SqliteStore store(folder_.file());
  fill(store);
  std::ofstream(copy() + "-new") << std::string(100000, 'x');
  fs::permissions(copy() + "-new", fs::perms(0644));
  ASSERT_EQ(back_up_into("copy.db"), "nothing failed");
  EXPECT_FALSE(fs::exists(copy() + "-new"));
  EXPECT_EQ(fs::status(copy()).permissions(), fs::perms(0600));
  EXPECT_EQ(check_file(copy(), kFilledAt).complaints, std::vector<std::string>{});
}

TEST_F(BackingUp, LeavesNothingOfAStoreThatCouldNotBeRestored) {
  {
    SqliteStore store(folder_.file());
    fill(store);
  }
  const auto before = names();
  database_in(folder_).execute("UPDATE slots SET n = -1");
  expect_one_line(back_up_into("copy.db"), ": button: 1 slots have more decisions than there were");
  database_in(folder_).execute("UPDATE slots SET n = 1");
  damage_table(folder_, "traffic");
  expect_one_line(back_up_into("copy.db"), "shop.db: is no file of tacit's, or a damaged one");
  fs::remove(folder_.file());
  expect_one_line(back_up_into("copy.db"), "shop.db: is not there");
  EXPECT_FALSE(fs::exists(copy()));
  EXPECT_FALSE(fs::exists(copy() + "-new"));
}

}  // namespace
}  // namespace tacit::service
