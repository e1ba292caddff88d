#include "tacit/service/clock.hpp"

#include <sys/timex.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacit/service/log.hpp"

namespace tacit::service {
namespace {

Time milliseconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return now.tv_sec * kSecond + now.tv_nsec / 1000000;
}

/// "2 days and 3 hours", "75 minutes".
std::string in_words(Time span) {
  const Time hours = span / kHour;
  if (hours < 2) return fmt::format("{} minutes", span / kMinute);
  if (hours < 48) return fmt::format("{} hours", hours);
  return fmt::format("{} days and {} hours", span / kDay, hours % 24);
}

}  // namespace

// The monotonic clock goes on while a machine sleeps, so that deadlines are those of the world.
Readings clocks_of_the_machine() {
  return {.monotonic = milliseconds(CLOCK_BOOTTIME), .wall = milliseconds(CLOCK_REALTIME)};
}

Time SteadyClock::Course::at(Time monotonic_now) const {
  const Time gone = monotonic_now - monotonic;
  return std::max(wall + gone, least + gone / 2);
}

SteadyClock::SteadyClock(std::function<Readings()> read) : read_(std::move(read)) { begin_anew(); }

void SteadyClock::begin_anew() {
  const std::lock_guard lock(mutex_);
  seen_ = read_();
  course_ = {.monotonic = seen_.monotonic, .least = seen_.wall, .wall = seen_.wall};
}

void SteadyClock::not_before(Time seen) {
  const std::lock_guard lock(mutex_);
  course_.least = std::max(course_.least, seen);
}

Time SteadyClock::now() {
  const std::lock_guard lock(mutex_);
  return course_.at(read_().monotonic);
}

Time SteadyClock::elapsed() { return read_().monotonic; }

Time SteadyClock::ahead() {
  const std::lock_guard lock(mutex_);
  const Time now = read_().monotonic;
  return course_.at(now) - (course_.wall + now - course_.monotonic);
}

Time SteadyClock::jumped() {
  const std::lock_guard lock(mutex_);
  const Readings present = read_();
  const Time moved = (present.wall - seen_.wall) - (present.monotonic - seen_.monotonic);
  if (moved < kMinute && moved > -kMinute) return 0;
  seen_ = present;
  const Time now = course_.at(present.monotonic);
  course_ = {.monotonic = present.monotonic, .least = now, .wall = std::min(present.wall, now)};
  return moved;
}

std::optional<bool> kernel_trusts_clock() {
  timex state{};
  const int said = ::adjtimex(&state);
  if (said < 0) return std::nullopt;
  return said != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
}

void wait_for_clock(const ClockWait& wait) {
  for (Time waited = 0; waited < kPatienceWithClock; waited += kSecond) {
    if (wait.ahead() <= kAheadAtOnce || wait.trusted().value_or(false)) return;
    wait.rest(kSecond);
  }
}

std::string note_of_clock(Time wall, Time seen, std::optional<bool> trusted) {
  if (seen == 0) return "";
  if (wall > seen + kAheadAtOnce) {
    return fmt::format(
        "the clock says {}, {} after what the store has seen last: it was not served for so long, "
        "or the clock is wrong; the kernel {}",
        text_of_time(wall), in_words(wall - seen),
        !trusted   ? "does not tell whether a time service has set it"
        : *trusted ? "says that a time service has set it"
                   : "does not say that a time service has set it");
  }
  if (wall < seen - kMinute) {
    return fmt::format(
        "the clock says {}, {} before what the store has seen: service time goes on from there at "
        "half speed until the clock has caught up, {} from now",
        text_of_time(wall), in_words(seen - wall), in_words(2 * (seen - wall)));
  }
  return "";
}

}  // namespace tacit::service
