#include "tacit/service/keeping/restoring.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tacit/service/keeping/copying.hpp"
#include "tacit/service/keeping/filled_store_test.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/keys.hpp"

namespace tacit::service {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

constexpr Time kNow = kFilledAt + 100;

class RestoringACopy : public testing::Test {
 protected:
  /// A store, its keys, and a copy of it.
  void SetUp() override {
    Tag number{};
    {
      SqliteStore store(folder_.file());
      fill(store);
      commit(store, [&] { store.put(ApiKeyRow{.id = "k1", .role = "app"}); });
      number = store.load().store;
    }
    change_keys([&](KeyRing& ring) {
      ring.store = number;
      ring.releases = 2;
      ring.spent[1] = 0.75;
    });
    back_up(folder_.file(), copy(), Existing::kRefuse, kNow);
  }
  template <class Do>
  void change_keys(Do what) const {
    KeyFile file(keys(), !fs::exists(keys()));
    KeyRing ring = file.read();
    what(ring);
    file.write(ring);
  }
  /// What comes after the copy.
  template <class Do>
  void change_store(Do what) const {
    SqliteStore store(folder_.file());
    commit(store, [&] { what(store); });
  }

  std::string copy() const { return folder_.file("copy.db"); }
  std::string keys() const { return folder_.file("state.key"); }
  Lines costs() const {
    return restore({.copy = copy(), .store = folder_.file(), .keys = keys()}, kNow).costs;
  }
  std::string refusal(const std::string& copy) const {
    try {
      restore({.copy = copy, .store = folder_.file(), .keys = keys()}, kNow);
    } catch (const std::runtime_error& refused) {
      const std::string text = refused.what();
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
      return text;
    }
    return "restored";
  }
  Time clock() const { return SqliteStore(folder_.file()).load().clock; }

  Folder folder_;
};

TEST_F(RestoringACopy, PutsItInThePlaceOfTheStore) {
  change_store([](SqliteStore& store) { store.put_clock(kFilledAt + 50); });
  fs::permissions(copy(), fs::perms(0644));
  EXPECT_EQ(costs(), Lines{"lost: 0 decisions and 0 releases that were made since the copy was"});
  struct stat status {};
  ASSERT_EQ(stat(folder_.file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(clock(), kFilledAt);
  EXPECT_TRUE(fs::exists(copy()));
}

TEST_F(RestoringACopy, SaysWhatIsLostAndWhatIsPaid) {
  change_store([](SqliteStore& store) {
    store.put_marks(5, 3);
    store.put(ProgressRow{.experiment = 1, .decisions = 30, .recorded = 30, .version = 2});
    store.put(ExperimentRow{.id = 2, .name = "list", .spec = "{}", .population = 1});
    store.put(ApiKeyRow{.id = "k1", .role = "app", .revoked = 7});
    store.put(ApiKeyRow{.id = "k2", .role = "viewer"});
  });
  change_keys([](KeyRing& ring) {
    ring.releases = 5;
    ring.spent[1] = 0.875;
  });
  EXPECT_EQ(costs(),
            (Lines{"lost: 21 decisions and 3 releases that were made since the copy was",
                   "lost: what was begun since: list; what it took of budgets stays spent",
                   "lost: 1 slot under way in the copy, with the outcomes of 1 decision: button",
                   "stays spent: 0.125 of population all, of which the copy knows nothing",
                   "key k1 (app) was revoked since, and opens again: revoke it",
                   "lost: key k2 (viewer), which opens nothing any more"}));
}

TEST_F(RestoringACopy, LosesWhatIsSealedUnderAKeyThatIsErased) {
  change_keys([](KeyRing& ring) {
    ring.state.emplace(2, privacy::SealingKey::fresh());
    ring.state.erase(1);
  });
  EXPECT_EQ(costs().at(1),
            "lost: 1 slot under way in the copy, with the outcomes of 1 decision: button");
}

TEST_F(RestoringACopy, SaysWhoPaysAgain) {
  {
    SqliteStore store(folder_.file());
    const std::string spec =
        R"({"name":"button","population":"all","arms":["a","b"],"user":{"epsilon":0.75,"cap":3}})";
    commit(store, [&] {
      store.put(PopulationRow{.id = 1, .name = "all", .epsilon = 1, .user_level = true});
      store.put(
          ExperimentRow{.id = 1, .name = "button", .spec = spec, .population = 1, .created = 5});
    });
  }
  back_up(folder_.file(), copy(), Existing::kReplace, kNow);
  change_keys([](KeyRing& ring) { ring.releases = 3; });
  EXPECT_EQ(costs().back(),
            "paid again: 0.75 by button, which forgets how often its units were recorded");
}

TEST_F(RestoringACopy, NeedsNoStoreThatCanBeRead) {
  const std::string told =
      "lost: what was decided since the copy was made, which nobody can count, and 0 releases that "
      "were made since";
  damage_table(folder_, "traffic");
  EXPECT_EQ(costs().at(0), told);
  EXPECT_EQ(clock(), kFilledAt);
  fs::remove(folder_.file());
  EXPECT_EQ(costs().at(0), told);
  EXPECT_EQ(clock(), kFilledAt);
}

TEST_F(RestoringACopy, RefusesWhatIsNoCopyOfThisStore) {
  const auto refuses = [&](const std::string& name, const std::string& why) {
    const std::string refused = refusal(folder_.file(name));
    EXPECT_NE(refused.find(why), std::string::npos) << refused;
  };
  change_store([](SqliteStore& store) { store.put_clock(kFilledAt + 50); });
  refuses("none.db", "none.db: is not there");
  refuses("shop.db", "shop.db: is the store itself");
  std::ofstream(folder_.file("text.db")) << std::string(5000, 'x');
  refuses("text.db", "text.db: is no file of tacit's, or a damaged one");
  std::ofstream(folder_.file("empty.db")).close();
  refuses("empty.db", "empty.db: is empty");
  {
    SqliteStore store(folder_.file("other.db"));
    fill(store);
  }
  refuses("other.db", "other.db: is not a copy of the store that " + keys() + " belongs to");
  fs::copy_file(copy(), folder_.file("wrong.db"));
  storage::Database(folder_.file("wrong.db"), storage::Database::Access::kWrite)
      .execute("UPDATE slots SET n = -1");
  refuses("wrong.db", "wrong.db: button: 1 slots have more decisions than there were");
  const Folder aside;
  fs::copy_file(copy(), aside.file());
  damage_table(aside, "traffic");
  const std::string damaged = refusal(aside.file());
  EXPECT_NE(damaged.find("the file is damaged: "), std::string::npos) << damaged;
  EXPECT_NE(damaged.find(": nothing was changed"), std::string::npos) << damaged;
  EXPECT_FALSE(fs::exists(folder_.file() + "-restoring"));
  EXPECT_EQ(clock(), kFilledAt + 50);
}

TEST_F(RestoringACopy, RefusesToReplaceWhatIsNoStoreOrAnother) {
  fs::rename(folder_.file(), folder_.file("mine.db"));
  std::ofstream(folder_.file()) << "a letter";
  EXPECT_NE(refusal(copy()).find("shop.db: is there, and is no store"), std::string::npos);
  fs::remove(folder_.file());
  fs::create_directory(folder_.file());
  EXPECT_NE(refusal(copy()).find("shop.db: is there, and is no store"), std::string::npos);
  fs::remove(folder_.file());
  {
    SqliteStore other(folder_.file());
    fill(other);
  }
  EXPECT_NE(refusal(copy()).find("copy.db: is not a copy of " + folder_.file()), std::string::npos);
}

TEST_F(RestoringACopy, RefusesWhileItIsServed) {
  const SqliteStore store(folder_.file());
  EXPECT_NE(refusal(copy()).find("shop.db.lock: is held by process"), std::string::npos);
}

TEST_F(RestoringACopy, RefusesKeysThatAreInUseOrMissing) {
  {
    const KeyFile used(keys(), false);
    EXPECT_NE(refusal(copy()).find("these keys are in use"), std::string::npos);
  }
  fs::remove(keys());
  EXPECT_NE(refusal(copy()).find("state.key: is missing"), std::string::npos);
}

}  // namespace
}  // namespace tacit::service
