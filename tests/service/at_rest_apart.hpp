// `tacit serve` in a process of its own, as the program puts it together, but for the clock: what is searched for in its memory was
// never in ours when it was made.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tacit/service/configuration.hpp"
#include "tacit/service/store.hpp"

namespace tacit::service {

class ServedApart {
 public:
  /// These keys may come in. `keeps`: beside the door there is another one, which keeps what is sent to it in a text of its own,
  /// in the store and in the log.
  ServedApart(const Configuration& configuration, const std::vector<ApiKeyRow>& keys, bool keeps);
  ServedApart(const ServedApart&) = delete;
  ServedApart& operator=(const ServedApart&) = delete;
  ~ServedApart();

  std::uint16_t port() const noexcept { return ports_[0]; }
  std::uint16_t port_that_keeps() const noexcept { return ports_[1]; }
  pid_t process() const noexcept { return process_; }

  /// Returns after the tick of that time.
  void advance(Time by) { ask('a', by); }
  void rotate() { ask('r', 0); }
  /// As by SIGTERM. It has gone when this returns.
  void stop();

 private:
  void ask(char what, Time by);
  void serve(const Configuration& configuration, const std::vector<ApiKeyRow>& keys, bool keeps);

  pid_t process_ = -1;
  int to_it_[2] = {-1, -1};
  int from_it_[2] = {-1, -1};
  std::uint16_t ports_[2] = {0, 0};
};

}  // namespace tacit::service
