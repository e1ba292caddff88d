#include "tacit/service/log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::service {

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
    : now_(std::move(now)),
      descriptor_(path.empty()
                      ? STDERR_FILENO
                      : ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
  if (descriptor_ < 0) {
    throw InvalidParameter(Option{"log"}, path,
                           fmt::format("cannot be written: {}", std::strerror(errno)));
  }
}

Log::~Log() {
  if (descriptor_ != STDERR_FILENO) ::close(descriptor_);
}

void Log::write(const Json& line) {
  Json timed{{"time", text_of_time(now_())}};
  timed.update(line);
  const std::string text = timed.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
  const std::lock_guard lock(mutex_);
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t wrote = ::write(descriptor_, rest.data(), rest.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return;
    rest.remove_prefix(static_cast<std::size_t>(wrote));
  }
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
