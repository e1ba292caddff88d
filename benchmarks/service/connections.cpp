#include "connections.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tacit::benchmarks {
namespace {

constexpr std::uint64_t kTimer = std::numeric_limits<std::uint64_t>::max();
constexpr int kSilence = 10000;  // milliseconds

Descriptor checked(int descriptor, const char* what) {
  if (descriptor < 0) throw_system_error(what);
  return Descriptor(descriptor);
}

Descriptor connected(std::uint16_t port) {
  Descriptor result = checked(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(result.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw_system_error(fmt::format("connect to 127.0.0.1:{}", port));
  }
  const int on = 1;
  setsockopt(result.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return result;
}

struct Answer {
  std::string_view body;
  std::size_t size;  // with its head
};

[[noreturn]] void refuse(const char* why, std::string_view text) {
  throw std::runtime_error(fmt::format("{}: {}", why, text.substr(0, 500)));
}

/// None as long as some of it is missing.
std::optional<Answer> answer_in(std::string_view text) {
  const std::size_t head = text.find("\r\n\r\n");
  if (head == std::string_view::npos) return {};
  constexpr std::string_view kLength = "content-length:";
  std::optional<std::size_t> length;
  for (std::size_t at = text.find("\r\n"); at < head; at = text.find("\r\n", at + 2)) {
    const std::string_view line = text.substr(at + 2, head - at - 2);
    if (line.size() <= kLength.size() ||
        strncasecmp(line.data(), kLength.data(), kLength.size()) != 0) {
      continue;
    }
    std::size_t digits = kLength.size();
    while (digits < line.size() && line[digits] == ' ') ++digits;
    std::size_t value = 0;
    const char* const end = line.data() + line.size();
    if (std::from_chars(line.data() + digits, end, value).ec == std::errc{}) length = value;
  }
  if (!length) refuse("an answer without Content-Length", text);
  const std::size_t size = head + 4 + *length;
  if (text.size() < size) return {};
  const std::string_view status = text.substr(0, 12);
  if (status != "HTTP/1.1 200" && status != "HTTP/1.1 202") refuse("not answered", text);
  return Answer{text.substr(head + 4, *length), size};
}

}  // namespace

void throw_system_error(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

Descriptor::Descriptor(Descriptor&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}
Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}
Descriptor::~Descriptor() {
  if (descriptor_ >= 0) close(descriptor_);
}

Connections::Connections(std::uint16_t port, std::size_t count)
    : port_(port),
      epoll_(checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      timer_(checked(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), "timerfd")),
      arrived_(256 * 1024) {
  prctl(PR_SET_TIMERSLACK, 1);  // else the kernel may wake us 50 us late
  epoll_event event{.events = EPOLLIN, .data = {.u64 = kTimer}};
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, timer_.get(), &event) != 0) {
    throw_system_error("epoll_ctl");
  }
  for (std::size_t number = 0; number < count; ++number) {
    connections_.push_back({.socket = connected(port), .unsent = {}, .read = {}});
    event = {.events = EPOLLIN, .data = {.u64 = number}};
    if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, connections_.back().socket.get(), &event) != 0) {
      throw_system_error("epoll_ctl");
    }
  }
}

void Connections::watch(std::size_t number, bool for_writing) {
  epoll_event event{.events = EPOLLIN, .data = {.u64 = number}};
  if (for_writing) event.events |= EPOLLOUT;
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, connections_[number].socket.get(), &event) != 0) {
    throw_system_error("epoll_ctl");
  }
}

void Connections::send(std::size_t number, std::string_view request) {
  Connection& connection = connections_[number];
  if (connection.waits) throw std::logic_error("a connection is asked twice at once");
  connection.waits = true;
  ++under_way_;
  const ssize_t sent =
      ::send(connection.socket.get(), request.data(), request.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0 && errno != EAGAIN) throw_system_error("send");
  request.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(0, sent)));
  if (request.empty()) return;
  connection.unsent = request;
  watch(number, true);
}

void Connections::send_rest(std::size_t number) {
  Connection& connection = connections_[number];
  if (connection.unsent.empty()) return;
  const ssize_t sent = ::send(connection.socket.get(), connection.unsent.data(),
                              connection.unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0 && errno != EAGAIN) throw_system_error("send");
  connection.unsent.erase(0, static_cast<std::size_t>(std::max<ssize_t>(0, sent)));
  if (connection.unsent.empty()) watch(number, false);
}

void Connections::receive(std::size_t number, const OnAnswer& on_answer) {
  Connection& connection = connections_[number];
  const ssize_t size =
      recv(connection.socket.get(), arrived_.data(), arrived_.size(), MSG_DONTWAIT);
  if (size < 0 && errno == EAGAIN) return;
  if (size < 0) throw_system_error("recv");
  if (size == 0) throw std::runtime_error(fmt::format("127.0.0.1:{} closed a connection", port_));
  std::string_view text(arrived_.data(), static_cast<std::size_t>(size));
  if (!connection.waits) refuse("an answer that nobody asked for", text);
  // Nearly always all of it has come at once, and is not copied.
  if (!connection.read.empty()) text = connection.read.append(text);
  const std::optional<Answer> answer = answer_in(text);
  if (!answer) {
    if (connection.read.empty()) connection.read = text;
    return;
  }
  if (answer->size != text.size()) refuse("more than one answer", text);
  const std::string whole = std::exchange(connection.read, {});  // the body may lie in there
  connection.waits = false;
  --under_way_;
  on_answer(number, answer->body);
}

void Connections::set_timer(Moment until) {
  const auto left = std::max<std::int64_t>(
      1, std::chrono::duration_cast<std::chrono::nanoseconds>(until - Clock::now()).count());
  itimerspec when{};
  when.it_value.tv_sec = left / 1000000000;
  when.it_value.tv_nsec = left % 1000000000;
  if (timerfd_settime(timer_.get(), 0, &when, nullptr) != 0) throw_system_error("timerfd_settime");
}

void Connections::wait(const OnAnswer& on_answer, std::optional<Moment> until) {
  if (until) set_timer(*until);
  std::array<epoll_event, 512> events{};
  const int count =
      epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), kSilence);
  if (count < 0 && errno != EINTR) throw_system_error("epoll_wait");
  if (count == 0) {
    throw std::runtime_error(
        fmt::format("{} requests without an answer for {} s", under_way_, kSilence / 1000));
  }
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    if (event.data.u64 == kTimer) {
      std::uint64_t expired = 0;
      if (read(timer_.get(), &expired, sizeof expired) < 0 && errno != EAGAIN) {
        throw_system_error("timerfd");
      }
      continue;
    }
    const auto number = static_cast<std::size_t>(event.data.u64);
    if ((event.events & EPOLLOUT) != 0) send_rest(number);
    if ((event.events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) receive(number, on_answer);
  }
}

}  // namespace tacit::benchmarks
