#include "tacit/service/log.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::service {
namespace {

/// Standard error is others' too, who may want to wait where it is full: for the log it is opened once more, where that is
/// possible.
int standard_error() {
  struct stat status {};
  if (::fstat(STDERR_FILENO, &status) != 0 || !S_ISFIFO(status.st_mode)) return STDERR_FILENO;
  const int own = ::open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  return own >= 0 ? own : STDERR_FILENO;
}

/// A link that strangers have put there is not followed to a file of ours. Those of /dev are the system's: /dev/stdout.
int opened(const std::string& path) {
  const int follow = std::filesystem::path(path).parent_path() == "/dev" ? 0 : O_NOFOLLOW;
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC | follow,
                0600);
}

std::string why_not_opened() {
  return errno == ELOOP ? "is a symbolic link: give the path of the file itself"
                        : fmt::format("cannot be written: {}", std::strerror(errno));
}

bool is_read_by_others(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 &&
         (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

}  // namespace

std::string text_of_time(Time time) {
  using namespace std::chrono;  // NOLINT: a calendar
  const sys_time<milliseconds> at{milliseconds(time)};
  const auto day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss clock(at - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

Log::Log(const std::string& path, std::function<Time()> now)
    : path_(path),
      now_(std::move(now)),
      descriptor_(path.empty() ? standard_error() : opened(path)) {
  if (descriptor_ < 0) throw InvalidParameter(Option{"log"}, path, why_not_opened());
  has_reader_ = is_read_by_others(descriptor_);
}

void Log::reopen() {
  if (path_.empty()) return;
  const int fresh = opened(path_);
  if (fresh < 0) {
    const std::string why = why_not_opened();
    write({{"event", "note"},
           {"what", fmt::format("the log goes on where it was: {} {}", path_, why)}});
    return;
  }
  const std::lock_guard lock(mutex_);
  ::close(std::exchange(descriptor_, fresh));
  has_reader_ = is_read_by_others(descriptor_);
  cut_ = false;
}

Log::~Log() {
  if (descriptor_ != STDERR_FILENO) ::close(descriptor_);
}

std::string Log::text_of(const Json& line) const {
  Json timed{{"time", text_of_time(now_())}};
  timed.update(line);
  return timed.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

bool Log::has_room() const {
  pollfd asked{.fd = descriptor_, .events = POLLOUT, .revents = 0};
  return ::poll(&asked, 1, 0) == 1 && (asked.revents & POLLOUT) != 0;
}

bool Log::put(std::string_view text) {
  bool begun = false;
  while (!text.empty()) {
    // What has room takes so much, whole and at once.
    const std::size_t size =
        has_reader_ ? std::min(text.size(), std::size_t{PIPE_BUF}) : text.size();
    if (has_reader_ && !has_room()) break;
    const ssize_t wrote = ::write(descriptor_, text.data(), size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) break;
    begun = true;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  const bool whole = text.empty();
  cut_ = !whole && (cut_ || begun);
  return whole;
}

void Log::write(const Json& line) {
  const std::string text = text_of(line);
  const std::lock_guard lock(mutex_);
  if (lost_ > 0) {
    const std::string note = text_of(
        {{"event", "note"},
         {"what", lost_ == 1 ? "1 line was lost" : fmt::format("{} lines were lost", lost_)}});
    if (!put(cut_ ? "\n" + note : note)) {
      ++lost_;
      return;
    }
    lost_ = 0;
  }
  if (!put(text)) ++lost_;
}

void Log::write_some(const Json& line) {
  constexpr int kMost = 20;
  int omitted = 0;
  {
    const std::lock_guard lock(mutex_);
    if (const Time second = now_() / kSecond; second != second_) {
      second_ = second;
      written_ = 0;
      omitted = std::exchange(omitted_, 0);
    }
    if (++written_ > kMost) {
      ++omitted_;
      return;
    }
  }
  if (omitted > 0) write({{"event", "note"}, {"what", fmt::format("{} more like that", omitted)}});
  write(line);
}

}  // namespace tacit::service
