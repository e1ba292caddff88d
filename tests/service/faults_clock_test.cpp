// The clock on the wall is moved or stands still, while the service runs and between its lives; only the monotonic clock goes on.
// Decisions and releases go on in order, nothing comes out twice, and a service that is ahead comes back.
//
// By libfaketime, which lies to the service about the wall's clock alone; what it says is in a file that is read every time.
#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "service/kill_trial.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"

namespace tacit::service {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kPatience{20000};

class MovedClock : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(TACIT_FAKETIME))
      GTEST_SKIP() << "there is no libfaketime here: it is Debian's package faketime";
    move("+0");
    start();
  }

  /// "+1d", or a moment at which it stands.
  void move(const std::string& clock) {
    // At once: whoever reads half a line would have another clock.
    std::ofstream(aside_.file("next")) << clock << "\n";
    std::filesystem::rename(aside_.file("next"), aside_.file("clock"));
  }
  void stand_still() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::string text(32, '\0');
    text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &local));
    move(text);
  }

  Trial::Variables variables() const {
    return {{"LD_PRELOAD", TACIT_FAKETIME},
            {"FAKETIME_DONT_FAKE_MONOTONIC", "1"},
            {"FAKETIME_NO_CACHE", "1"},
            {"FAKETIME_TIMESTAMP_FILE", aside_.file("clock")}};
  }
  void start() {
    ASSERT_TRUE(trial_.start({}, variables())) << trial_.said();
    trial_.open_doors();
    trial_.visitors().ask_again();
  }
  /// Everything is answered before it: which clock an answer is late by need not be known.
  void restart() {
    ASSERT_TRUE(trial_.visitors().settle(kPatience));
    trial_.close_doors();
    start();
  }
  /// With a clock that is behind what the store has seen.
  void restart_behind() {
    trial_.visitors().expect_half_speed();
    restart();
  }

  /// Service time before the wall's, as the store has it.
  Time ahead() const {
    return SqliteStore(trial_.file("shop.db"), SqliteStore::Opening::kBeside).load().clock -
           clocks_of_the_machine().wall;
  }

  std::vector<ReleaseRow> releases() const {
    return SqliteStore(trial_.file("shop.db"), SqliteStore::Opening::kBeside).load().made;
  }
  /// Outcomes are taken, and slots that are filled from now on come out.
  void expect_goes_on() {
    EXPECT_TRUE(trial_.await_outcomes(100, kPatience)) << trial_.said();
    const std::size_t before = releases().size();
    // More than can be under way.
    constexpr std::size_t kMore = 20;
    EXPECT_TRUE(await([&] { return releases().size() >= before + kMore; }, kPatience))
        << "no releases: " << trial_.said();
  }
  bool has_said(const std::string& part) const { return trial_.has_said(part); }
  void finish() {
    ASSERT_TRUE(trial_.visitors().settle(kPatience));
    std::map<Id, Time> last;
    for (const ReleaseRow& row : releases()) {
      EXPECT_GE(row.at, last[row.experiment]) << "a release before the one before it";
      last[row.experiment] = row.at;
    }
    EXPECT_EQ(trial_.counts().refused, 0U)
        << "a decision was answered " << trial_.counts().refused_with;
    trial_.finish(20, variables());
  }

 private:
  Folder folder_;
  Folder aside_;
  Trial trial_{folder_.path()};
};

TEST_F(MovedClock, ADayForwardWhileItRuns) {
  expect_goes_on();
  move("+1d");
  expect_goes_on();
  finish();
}

TEST_F(MovedClock, ADayBackWhileItRuns) {
  expect_goes_on();
  move("-1d");
  expect_goes_on();
  finish();
}

TEST_F(MovedClock, StandsStillWhileItRunsAndWhenItStarts) {
  stand_still();
  expect_goes_on();
  restart_behind();
  expect_goes_on();
  finish();
}

TEST_F(MovedClock, ADayForwardBetweenLives) {
  expect_goes_on();
  move("+1d");
  restart();
  expect_goes_on();
  finish();
}

// One that was down for two days, as one that is started with a clock two days ahead.
TEST_F(MovedClock, TwoDaysForwardBetweenLivesStartsByItself) {
  expect_goes_on();
  move("+2d");
  restart();
  EXPECT_TRUE(has_said("2 days and 0 hours after what the store has seen last"));
  expect_goes_on();
  finish();
}

TEST_F(MovedClock, SixDaysAheadAtOneStartAloneIsCaughtUpWith) {
  move("+6d");
  restart();
  expect_goes_on();
  move("+0");
  restart_behind();
  const Time at_first = ahead();
  EXPECT_GT(at_first, 5 * kDay);
  // At half speed: a second in two.
  constexpr Time kMuch = 4 * kSecond;
  EXPECT_TRUE(await([&] { return ahead() < at_first - kMuch; }, kPatience))
      << ahead() << " ms ahead, after " << at_first;
  expect_goes_on();
  finish();
}

TEST_F(MovedClock, ADayBackBetweenLives) {
  expect_goes_on();
  move("-1d");
  restart_behind();
  expect_goes_on();
  restart();
  expect_goes_on();
  finish();
}

}  // namespace
}  // namespace tacit::service
