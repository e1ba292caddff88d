// The log of the service: a line of JSON for everything that happens, with the service's time in front. What may stand in it is
// what anybody may see; whoever writes a line sees to that.
//
// Thread safety: lines may be written from any thread, and each is written whole.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "tacit/service/time.hpp"

namespace tacit::service {

using Json = nlohmann::ordered_json;

/// RFC 3339, in UTC: "2026-03-01T12:34:56.789Z".
std::string text_of_time(Time time);

class Log {
 public:
  /// To standard error where the path is empty; else after what the file has already. `now` may be called from any thread.
  /// Throws InvalidParameter for a file that cannot be written.
  Log(const std::string& path, std::function<Time()> now);
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log();

  /// After the file was moved away: goes on in a new one of its name. Where there can be none, in the one that it has, and says so.
  void reopen();
  /// An object; its own keys follow the time. A line that the disk does not take, or for which a pipe has no room now, is lost
  /// and counted, and the count said once there is room: the service goes on, and waits for nobody who reads.
  void write(const Json& line);
  /// Of what strangers can bring about: after 20 lines in a second, the others of it are only counted.
  void write_some(const Json& line);

 private:
  std::string text_of(const Json& line) const;
  /// False: it is not there, or not whole.
  bool put(std::string_view text);
  bool has_room() const;

  std::string path_;
  std::function<Time()> now_;
  std::mutex mutex_;
  Time second_ = 0;
  int written_ = 0;  // of some, in that second
  int omitted_ = 0;
  int descriptor_;
  bool has_reader_ = false;  // a pipe or a socket, which may be full
  bool cut_ = false;         // half a line stands at the end
  std::size_t lost_ = 0;
};

}  // namespace tacit::service
