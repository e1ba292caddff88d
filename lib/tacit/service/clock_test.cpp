#include "tacit/service/clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacit::service {
namespace {

using testing::HasSubstr;

constexpr Time kNoon = 1'800'000'000'000;

/// A machine whose clocks a test sets.
struct Machine {
  Readings says{.monotonic = 1000, .wall = kNoon};

  std::function<Readings()> clocks() {
    return [this] { return says; };
  }
  void go(Time by) {
    says.monotonic += by;
    says.wall += by;
  }
};

TEST(SteadyClock, GoesByTheWallWhereTheWallIsNotBehind) {
  Machine machine;
  SteadyClock clock(machine.clocks());
  clock.not_before(kNoon - kDay);
  EXPECT_EQ(clock.now(), kNoon);
  EXPECT_FALSE(clock.is_ahead());
  machine.go(3 * kHour);
  EXPECT_EQ(clock.now(), kNoon + 3 * kHour);
  EXPECT_EQ(clock.elapsed(), 1000 + 3 * kHour);
}

TEST(SteadyClock, GoesAtHalfSpeedFromWhatWasSeenUntilTheWallHasCaughtUp) {
  Machine machine;
  SteadyClock clock(machine.clocks());
  clock.not_before(kNoon + 6 * kDay);
  EXPECT_EQ(clock.now(), kNoon + 6 * kDay);
  EXPECT_TRUE(clock.is_ahead());
  machine.go(2 * kDay);
  EXPECT_EQ(clock.now(), kNoon + 7 * kDay);
  EXPECT_EQ(clock.ahead(), 5 * kDay);
  machine.go(10 * kDay);
  EXPECT_EQ(clock.now(), kNoon + 12 * kDay);
  EXPECT_EQ(clock.ahead(), 0);
  machine.go(kHour);
  EXPECT_EQ(clock.now(), kNoon + 12 * kDay + kHour) << "and then as fast as the wall";
}

TEST(SteadyClock, WaitsForAWallThatIsSetBackWhileItRuns) {
  Machine machine;
  SteadyClock clock(machine.clocks());
  machine.go(kMinute);
  machine.says.wall -= kDay;
  EXPECT_EQ(clock.now(), kNoon + kMinute);
  EXPECT_EQ(clock.jumped(), -kDay);
  EXPECT_EQ(clock.jumped(), 0) << "which is told once";
  EXPECT_EQ(clock.now(), kNoon + kMinute) << "it never falls";
  machine.go(2 * kHour);
  EXPECT_EQ(clock.now(), kNoon + kMinute + kHour);
  EXPECT_EQ(clock.ahead(), kDay - kHour);
  machine.says.wall += kDay;  // it was right before
  EXPECT_EQ(clock.jumped(), kDay);
  machine.go(kHour);
  EXPECT_EQ(clock.now(), kNoon + kMinute + 2 * kHour) << "no slower, and no faster";
}

TEST(SteadyClock, IsNotMovedByAWallThatIsSetAhead) {
  Machine machine;
  SteadyClock clock(machine.clocks());
  machine.says.wall += kDay;
  EXPECT_EQ(clock.jumped(), kDay);
  machine.go(kHour);
  EXPECT_EQ(clock.now(), kNoon + kHour);
}

TEST(SteadyClock, NeverFallsWhateverTheWallDoes) {
  Machine machine;
  SteadyClock clock(machine.clocks());
  Time last = clock.now();
  for (const Time moved : {-kDay, kHour, 2 * kDay, -kMinute, -3 * kDay, kDay, 5 * kDay}) {
    machine.says.wall += moved;
    for (int i = 0; i < 100; ++i) {
      machine.go(7 * kMinute + 1);
      if (i % 3 == 0) clock.jumped();
      EXPECT_GE(clock.now(), last);
      EXPECT_LE(clock.now(), last + 7 * kMinute + 1);
      last = clock.now();
    }
  }
}

TEST(SteadyClock, IsThatOfThisMachine) {
  const Readings machine = clocks_of_the_machine();
  SteadyClock clock;
  EXPECT_GE(clock.now(), machine.wall);
  EXPECT_GE(clock.elapsed(), machine.monotonic);
}

/// How many seconds a start waits.
Time waited(Time ahead, std::optional<bool> at_first, Time until_trusted, Time until_set_right) {
  Time gone = 0;
  wait_for_clock({.ahead = [&] { return gone >= until_set_right ? 0 : ahead; },
                  .trusted = [&] { return gone >= until_trusted ? std::optional(true) : at_first; },
                  .rest = [&](Time span) { gone += span; }});
  return gone / kSecond;
}

TEST(WaitForClock, BelievesWhatIsNotFarAheadAndWhatTheKernelTrusts) {
  constexpr Time kNever = 9 * kHour;
  EXPECT_EQ(waited(-kDay, false, kNever, kNever), 0);
  EXPECT_EQ(waited(kHour, false, kNever, kNever), 0);
  EXPECT_EQ(waited(2 * kDay, true, kNever, kNever), 0)
      << "down for two days, and the clock is right";
  EXPECT_EQ(waited(2 * kDay, false, 5 * kSecond, kNever), 5);
  EXPECT_EQ(waited(6 * kDay, false, kNever, 7 * kSecond), 7) << "it was set right meanwhile";
}

TEST(WaitForClock, StartsAllTheSameWhenPatienceIsOver) {
  constexpr Time kNever = 9 * kHour;
  EXPECT_EQ(waited(2 * kDay, false, kNever, kNever), 60);
  EXPECT_EQ(waited(2 * kDay, std::nullopt, kNever, kNever), 60);
}

TEST(NoteOfClock, SaysHowFar) {
  EXPECT_EQ(note_of_clock(kNoon, 0, false), "") << "a new store";
  EXPECT_EQ(note_of_clock(kNoon, kNoon - kHour, false), "");
  EXPECT_EQ(note_of_clock(kNoon, kNoon + kSecond, true), "");
  EXPECT_THAT(note_of_clock(kNoon, kNoon - 2 * kDay - 3 * kHour, false),
              HasSubstr("2 days and 3 hours after what the store has seen last"));
  EXPECT_THAT(note_of_clock(kNoon, kNoon - 2 * kHour, true), HasSubstr("says that a time service"));
  EXPECT_THAT(note_of_clock(kNoon, kNoon - 2 * kHour, {}), HasSubstr("does not tell whether"));
  EXPECT_THAT(note_of_clock(kNoon, kNoon + 6 * kDay, true),
              HasSubstr("6 days and 0 hours before what the store has seen"));
  EXPECT_THAT(note_of_clock(kNoon, kNoon + 6 * kDay, true), HasSubstr("12 days and 0 hours"));
}

}  // namespace
}  // namespace tacit::service
