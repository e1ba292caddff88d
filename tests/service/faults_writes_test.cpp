// The n-th write, sync or truncation of a life fails, for every n: a report that is not kept is answered 503, decisions go on, the
// service comes back by itself, and in the end no sum is wrong. And a disk that is full for a while.
#include <gtest/gtest.h>

#include <sys/mount.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "service/kill_trial.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kPatience{10000};
constexpr std::array<const char*, 3> kFailures{"error", "full", "short"};

/// Whether it is well again: what is sent is acknowledged.
void expect_alive(Trial& trial) {
  EXPECT_TRUE(await([&] { return trial.get("/readyz").status == 200; }, kPatience))
      << "does not come back: " << trial.said();
  EXPECT_TRUE(trial.await_outcomes(1, kPatience)) << "takes nothing: " << trial.said();
}

/// True: the service came so far that the write failed.
bool one_life(Trial& trial, int n, const char* failure) {
  if (!trial.start({"--rotate", "300", "--disk", fmt::format("{}:{}", failure, n)})) {
    EXPECT_TRUE(trial.service().refused_to_start()) << trial.said();
    return true;
  }
  trial.open_doors();
  std::string failed;
  const auto asked = [&] { return (failed = trial.service().ask("failed?")) != "no"; };
  await(asked, milliseconds(3000));
  EXPECT_NE(failed, "") << "ended: " << trial.said();
  if (failed == "yes") expect_alive(trial);
  trial.close_doors();
  EXPECT_TRUE(trial.service().was_killed()) << trial.said();
  return failed == "yes";
}

void fail_writes(int stride, int most) {
  const Folder folder;
  Trial trial(folder.path());
  int failed = 0;
  int lives = 0;
  for (int n = 1; n <= most && !testing::Test::HasFailure(); n += stride, ++lives) {
    SCOPED_TRACE(fmt::format("write {}", n));
    // The first lives make the files.
    failed += one_life(trial, n, kFailures[static_cast<std::size_t>(lives) % kFailures.size()]);
  }
  EXPECT_GE(failed * 10, lives * 9) << "most never came to the write that fails";
  EXPECT_GT(trial.counts().not_kept, 0U);
  EXPECT_EQ(trial.counts().refused, 0U)
      << "a decision was answered " << trial.counts().refused_with;
  trial.finish(static_cast<std::size_t>(lives / 2));  // on a busy machine a slot takes two lives
}

/// Each in files that it has to make.
void fail_first_writes(int stride, int most) {
  for (int n = 1; n <= most && !testing::Test::HasFailure(); n += stride) {
    SCOPED_TRACE(fmt::format("write {} of a new store", n));
    const Folder folder;
    Trial trial(folder.path());
    one_life(trial, n, kFailures[static_cast<std::size_t>(n) % kFailures.size()]);
    ASSERT_TRUE(trial.start()) << trial.said();
    trial.open_doors();
    expect_alive(trial);
  }
}

TEST(FailingWrites, ManyLoseNothing) { fail_writes(61, 2000); }
TEST(FailingWrites, AllLoseNothing) { fail_writes(1, 2000); }
TEST(FailingWrites, ANewStoreIsBegunInSpiteOfSome) { fail_first_writes(23, 300); }
TEST(FailingWrites, ANewStoreIsBegunInSpiteOfEach) { fail_first_writes(1, 300); }

/// A small disk of its own, in memory.
class SmallDisk {
 public:
  explicit SmallDisk(int mebibytes) {
    const std::string how = fmt::format("size={}m,mode=700", mebibytes);
    mounted_ = ::mount("none", folder_.path().c_str(), "tmpfs", 0, how.c_str()) == 0;
    why_ = std::strerror(errno);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) ::umount2(folder_.path().c_str(), MNT_DETACH);
  }
  bool mounted() const noexcept { return mounted_; }
  const std::string& why() const noexcept { return why_; }
  std::string path() const { return folder_.path(); }

  void fill() const {
    std::ofstream file(folder_.file("filler"), std::ios::app | std::ios::binary);
    // In ever smaller pieces, so that nothing is left.
    for (std::size_t size = 1 << 20; size > 0; size /= 2) {
      while (file.write(std::string(size, 'x').data(), static_cast<std::streamsize>(size)) &&
             file.flush()) {
      }
      file.clear();
    }
  }
  void make_room() const { fs::remove(folder_.file("filler")); }

 private:
  Folder folder_;
  bool mounted_ = false;
  std::string why_;
};

TEST(FullDisk, RecoversWithoutARestart) {
  constexpr int kEnough = 64;  // mebibytes: the log takes up to 16
  const SmallDisk disk(kEnough);
  if (!disk.mounted()) GTEST_SKIP() << "a disk cannot be mounted here: " << disk.why();
  Trial trial(disk.path());
  ASSERT_TRUE(trial.start()) << trial.said();
  trial.open_doors();
  ASSERT_TRUE(trial.await_outcomes(200, kPatience));
  for (int times = 0; times < 3; ++times) {
    SCOPED_TRACE(times);
    const std::uint64_t not_kept = trial.counts().not_kept;
    disk.fill();
    ASSERT_TRUE(await([&] { return trial.counts().not_kept > not_kept; }, kPatience));
    EXPECT_EQ(trial.get("/readyz").status, 503);
    // Nobody who asks is left without a decision.
    const std::uint64_t decisions = trial.counts().decisions;
    EXPECT_TRUE(await([&] { return trial.counts().decisions > decisions + 20; }, kPatience));
    disk.make_room();
    expect_alive(trial);
    EXPECT_TRUE(trial.await_outcomes(200, kPatience)) << trial.said();
  }
  EXPECT_EQ(trial.counts().refused, 0U)
      << "a decision was answered " << trial.counts().refused_with;
  trial.finish(10);
}

/// The log alone is more than it holds. What the log says has its place in the file: there lie pages that nobody uses.
TEST(FullDisk, RecoversAlsoWhereItsOwnLogHasFilledIt) {
  constexpr int kTooSmall = 6;
  const SmallDisk disk(kTooSmall);
  if (!disk.mounted()) GTEST_SKIP() << "a disk cannot be mounted here: " << disk.why();
  Trial trial(disk.path());
  {
    const storage::Database file(trial.file("shop.db"), storage::Database::Access::kWrite);
    file.execute(
        "CREATE TABLE room (bytes); INSERT INTO room VALUES (zeroblob(2000000)); DROP TABLE room");
  }
  ASSERT_TRUE(trial.start()) << trial.said();
  trial.open_doors();
  for (int times = 0; times < 3; ++times) {
    SCOPED_TRACE(times);
    const std::uint64_t not_kept = trial.counts().not_kept;
    ASSERT_TRUE(await([&] { return trial.counts().not_kept > not_kept; }, 3 * kPatience));
    expect_alive(trial);
  }
  EXPECT_EQ(trial.counts().refused, 0U)
      << "a decision was answered " << trial.counts().refused_with;
  trial.finish(5);
}

/// The same where no disk can be mounted: SQLite is told that it is full.
TEST(FullDisk, GoesOnAsSoonAsWritesSucceed) {
  const Folder folder;
  Trial trial(folder.path());
  ASSERT_TRUE(trial.start({"--disk", "none"})) << trial.said();
  trial.open_doors();
  ASSERT_TRUE(trial.await_outcomes(100, kPatience));
  for (const char* failure : kFailures) {
    SCOPED_TRACE(failure);
    const std::uint64_t not_kept = trial.counts().not_kept;
    ASSERT_EQ(trial.service().ask(fmt::format("disk {}:1:1000000000", failure)), "done");
    ASSERT_TRUE(await([&] { return trial.counts().not_kept > not_kept; }, kPatience));
    const std::uint64_t decisions = trial.counts().decisions;
    EXPECT_TRUE(await([&] { return trial.counts().decisions > decisions + 20; }, kPatience));
    ASSERT_EQ(trial.service().ask("disk none"), "done");
    EXPECT_TRUE(trial.await_outcomes(100, kPatience)) << trial.said();
  }
  EXPECT_EQ(trial.counts().refused, 0U)
      << "a decision was answered " << trial.counts().refused_with;
  trial.finish(10);
}

}  // namespace
}  // namespace tacit::service
