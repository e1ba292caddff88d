// A client that sends bytes as they are, and reads answers one by one: for tests of what no well-behaved client does.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cctype>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tacit::service::http {

struct Got {
  int status = 0;
  std::string head;
  std::string body;

  bool has(std::string_view line) const { return head.find(line) != std::string::npos; }
};

class RawClient {
 public:
  /// `takes`: so many bytes at once, about; 0: as many as the system likes.
  explicit RawClient(std::uint16_t port, int takes = 0) : takes_(takes) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connect_to(AF_INET, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  explicit RawClient(const std::string& unix_path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    unix_path.copy(address.sun_path, sizeof address.sun_path - 1);
    connect_to(AF_UNIX, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() { leave(); }

  int descriptor() const { return socket_; }
  void leave() {
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
  }
  /// Says whether the other side still takes it.
  bool send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  bool post(std::string_view path, std::string_view body) const {
    std::string text = "POST ";
    text.append(path).append(" HTTP/1.1\r\nHost: here\r\nContent-Length: ");
    text.append(std::to_string(body.size())).append("\r\n\r\n").append(body);
    return send(text);
  }
  bool get(std::string_view path) const {
    return send(std::string("GET ").append(path).append(" HTTP/1.1\r\nHost: here\r\n\r\n"));
  }

  /// The next answer; its body is what Content-Length says. status 0: the other side closed instead.
  Got read() {
    for (;;) {
      const std::size_t end = text_.find("\r\n\r\n");
      if (end != std::string::npos) return cut(end + 4);
      if (!more()) return {};
    }
  }
  /// A head alone, whatever Content-Length says.
  Got read_head() {
    for (;;) {
      const std::size_t end = text_.find("\r\n\r\n");
      if (end != std::string::npos) return head(end + 4);
      if (!more()) return {};
    }
  }
  /// Reads on until what was not read yet contains it. False: closed before.
  bool read_until(std::string_view part) {
    while (text_.find(part) == std::string::npos) {
      if (!more()) return false;
    }
    text_.erase(0, text_.find(part) + part.size());
    return true;
  }
  /// Reads all until the other side closes.
  std::string read_all() {
    while (more()) {
    }
    return std::exchange(text_, {});
  }
  /// Whether the other side has nothing more to say.
  bool is_closed() {
    const std::string rest = read_all();
    return rest.empty();
  }

 private:
  void connect_to(int family, const sockaddr* address, socklen_t size) {
    socket_ = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (takes_ > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &takes_, sizeof takes_);
    if (socket_ < 0 || connect(socket_, address, size) != 0) {
      leave();
      throw std::runtime_error("cannot connect");
    }
    const timeval patience{.tv_sec = 20, .tv_usec = 0};  // then the test fails instead of hanging
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  bool more() {
    char piece[16 * 1024];
    const ssize_t size = recv(socket_, piece, sizeof piece, 0);
    if (size <= 0) return false;
    text_.append(piece, static_cast<std::size_t>(size));
    return true;
  }
  Got head(std::size_t size) {
    Got got;
    got.head = text_.substr(0, size);
    text_.erase(0, size);
    std::from_chars(got.head.data() + 9, got.head.data() + 12, got.status);
    return got;
  }
  Got cut(std::size_t head_size) {
    Got got = head(head_size);
    constexpr std::string_view kLength = "Content-Length: ";
    const std::size_t at = got.head.find(kLength);
    if (at == std::string::npos) return got;
    std::size_t length = 0;
    std::from_chars(got.head.data() + at + kLength.size(), got.head.data() + got.head.size(),
                    length);
    while (text_.size() < length && more()) {
    }
    got.body = text_.substr(0, length);
    text_.erase(0, length);
    return got;
  }

  int takes_ = 0;
  int socket_ = -1;
  std::string text_;
};

}  // namespace tacit::service::http
