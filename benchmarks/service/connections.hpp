// Many keep-alive connections to one HTTP/1.1 server on this machine, on epoll in one thread. What it reads of an answer is
// the status and the length: a client that parses more would take the cores from the server that is measured.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tacit::benchmarks {

using Clock = std::chrono::steady_clock;
using Moment = Clock::time_point;

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int descriptor = -1) noexcept : descriptor_(descriptor) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int get() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

/// Throws what the system said of its last call.
[[noreturn]] void throw_system_error(const std::string& what);

class Connections {
 public:
  /// Called with the connection's number and the body of its answer, which is gone when the call returns. The connection is
  /// free then: the call may send on it again.
  using OnAnswer = std::function<void(std::size_t connection, std::string_view body)>;

  Connections(std::uint16_t port, std::size_t count);

  std::size_t count() const noexcept { return connections_.size(); }
  /// Of connections whose answer is still to come.
  std::size_t under_way() const noexcept { return under_way_; }

  /// A whole request, on a connection that waits for nothing.
  void send(std::size_t connection, std::string_view request);
  /// Takes what has come; waits until something has, or until the moment. Throws on any status but 200 and 202, when the
  /// server closes, and when it owes answers and is silent for ten seconds.
  void wait(const OnAnswer& on_answer, std::optional<Moment> until = {});

 private:
  struct Connection {
    Descriptor socket;
    std::string unsent;  // of a request that did not fit into the socket
    std::string read;    // of an answer that has not all come
    bool waits = false;
  };

  void send_rest(std::size_t number);
  void receive(std::size_t number, const OnAnswer& on_answer);
  void watch(std::size_t number, bool for_writing);
  void set_timer(Moment until);

  std::uint16_t port_;
  Descriptor epoll_;
  Descriptor timer_;  // epoll_wait counts milliseconds, which is too coarse for a rate
  std::vector<Connection> connections_;
  std::vector<char> arrived_;
  std::size_t under_way_ = 0;
};

}  // namespace tacit::benchmarks
