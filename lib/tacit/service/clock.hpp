// Service time: where it comes from, and what is done when the clock on the wall and what the store has seen do not agree.
//
//   not_before(seen)    what has been told is over: service time begins there, also where the wall's clock is behind
//   half speed          as long as service time is ahead of the wall, until the wall has caught up
//   wait_for_clock()    a clock that is far ahead of the store is given a minute to be set right, before it is believed
//
// All of it is computed from clocks and from the time that the store kept, which no report moves.
#pragma once

#include <ctime>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "tacit/service/time.hpp"

namespace tacit::service {

class Clock {
 public:
  virtual ~Clock() = default;
  /// Service time. Never falls.
  virtual Time now() = 0;
  /// Milliseconds that have gone by, whatever service time makes of them: for what must not come late.
  virtual Time elapsed() { return now(); }
  /// Of the wall's clock. Then nothing tells how long nothing was served.
  virtual bool is_ahead() { return false; }
};

/// What the machine's clocks say.
struct Readings {
  Time monotonic = 0;
  Time wall = 0;
};
Readings clocks_of_the_machine();

/// Goes on by the monotonic clock, from what the wall's clock said at the start.
///
/// Thread safety: all of it, but for not_before() and begin_anew(), which are for the start.
class SteadyClock final : public Clock {
 public:
  explicit SteadyClock(std::function<Readings()> read = clocks_of_the_machine);
  /// What has been seen is over.
  void not_before(Time seen);
  /// From what the wall's clock says now: before anything was told by this one.
  void begin_anew();
  Time now() override;
  Time elapsed() override;
  bool is_ahead() override { return ahead() > 0; }
  /// How far service time is ahead of the wall's clock, by its course so far.
  Time ahead();
  /// By how much the wall's clock has been moved since it was asked last, when that is more than a minute; else 0. One that was set
  /// back is waited for from then on; one that was set ahead moves nothing.
  Time jumped();

 private:
  /// From `monotonic` on: what the wall's clock says, or half as fast as it from `least`, whichever is more.
  struct Course {
    Time monotonic = 0;
    Time least = 0;
    Time wall = 0;

    Time at(Time monotonic_now) const;
  };

  std::function<Readings()> read_;
  std::mutex mutex_;
  Course course_;
  Readings seen_;  // when the wall's clock was looked at
};

/// A clock that is further ahead of what the store has seen is not believed at once: the service was down for so long, or the clock
/// is wrong, and a wrong one makes everything that is under way ripe.
inline constexpr Time kAheadAtOnce = kHour;
/// How long it is waited for.
inline constexpr Time kPatienceWithClock = kMinute;

/// Whether the kernel says that a time service has set the wall's clock; none: it does not say.
std::optional<bool> kernel_trusts_clock();

/// What a clock is waited for with.
struct ClockWait {
  std::function<Time()> ahead;  // of what the store has seen
  std::function<std::optional<bool>()> trusted;
  std::function<void(Time)> rest;  // may throw
};
/// Until it is trusted, or no longer far ahead, or patience is over.
void wait_for_clock(const ClockWait& wait);

/// For the log, of a start that is far ahead, or behind; "": neither.
std::string note_of_clock(Time wall, Time seen, std::optional<bool> trusted);

}  // namespace tacit::service
