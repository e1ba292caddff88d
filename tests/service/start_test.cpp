// What a service says that cannot start on its store and its keys: one line each, which names the file.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "service/rig.hpp"

namespace tacit::service {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const std::string& path) {
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// A store that has been served, with its key file.
class Start : public testing::Test {
 protected:
  Start() { EXPECT_EQ(refusal(true), ""); }

  /// What a start says; "": nothing, it serves.
  std::string refusal(bool is_new = false) const {
    try {
      SqliteStore store(store_);
      KeyFile keys(keys_, is_new);
      SumsAsTheyAre releaser;
      Engine engine(
          {.store = store,
           .keys = keys,
           .releaser = releaser,
           .dice = [](Id) { return random::Dice(random::SimulationKey(1, "dice", "start", 0)); }},
          1'800'000'000'000);
      return "";
    } catch (const std::runtime_error& refused) {
      const std::string text = refused.what();
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
      return text;
    }
  }

  Folder folder_;
  std::string store_ = folder_.file("shop.db");
  std::string keys_ = folder_.file("state.key");
};

TEST_F(Start, GoesOnWithItsKeys) { EXPECT_EQ(refusal(), ""); }

TEST_F(Start, WithoutItsKeysIsRefused) {
  fs::remove(keys_);
  EXPECT_EQ(
      refusal(),
      keys_ +
          ": is missing: this is the key file of a store that exists, without which nothing in it "
          "can be read; put it back, or begin a new store");
}

TEST_F(Start, WithKeysOfAnotherStoreIsRefused) {
  const Folder other;
  {
    SqliteStore store(other.file("shop.db"));
    KeyFile keys(other.file("state.key"), true);
    SumsAsTheyAre releaser;
    const Engine engine(
        {.store = store,
         .keys = keys,
         .releaser = releaser,
         .dice = [](Id) { return random::Dice(random::SimulationKey(1, "dice", "start", 0)); }},
        1'800'000'000'000);
  }
  fs::copy_file(other.file("state.key"), keys_, fs::copy_options::overwrite_existing);
  EXPECT_EQ(refusal(),
            "the key file belongs to another store: give the one that this store was begun with");
}

TEST_F(Start, WithTornKeysIsRefused) {
  std::string bytes = bytes_of(keys_);
  // The first page of both of its slots, behind the head.
  for (std::size_t at : {std::size_t{100}, std::size_t{4096 + 100}})
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
  write(keys_, bytes);
  EXPECT_EQ(
      refusal(),
      keys_ +
          ": neither of its two copies of the keys is whole: put the file back from where it is "
          "kept, or begin a new store");
}

TEST_F(Start, WithHalfOfItsKeysGoesOn) {
  std::string bytes = bytes_of(keys_);
  bytes[100] = static_cast<char>(bytes[100] ^ 1);
  write(keys_, bytes);
  EXPECT_EQ(refusal(), "");
}

TEST_F(Start, WithAFileThatIsNoKeyFileIsRefused) {
  write(keys_, "these are no keys");
  EXPECT_EQ(refusal(), keys_ + ": is not a key file: give the right one");
}

TEST_F(Start, WithKeysThatOthersMayReadIsRefused) {
  ::chmod(keys_.c_str(), 0644);
  EXPECT_EQ(
      refusal(),
      keys_ +
          ": others may read or write these keys: chmod 600, and think of who may have read them");
}

TEST_F(Start, OfASecondServiceIsRefused) {
  const SqliteStore first(store_);
  EXPECT_EQ(refusal(), fs::canonical(store_).string() + ".lock: is held by process " +
                           std::to_string(getpid()) +
                           ", which uses this store; stop it, or give another file");
}

}  // namespace
}  // namespace tacit::service
