#include "tacit/service/log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::service {

std::string text_of_time(Time time) {
  const Time milliseconds = (time % kSecond + kSecond) % kSecond;
  const auto seconds = static_cast<std::time_t>((time - milliseconds) / kSecond);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     milliseconds);
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
