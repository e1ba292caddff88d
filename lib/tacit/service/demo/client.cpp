#include "tacit/service/demo/client.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

namespace tacit::service::demo {
namespace {

int connected_to_path(const std::string& path) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  if (socket >= 0 &&
      ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(socket);
    return -1;
  }
  return socket;
}

int connected_to_host(const std::string& host, const std::string& port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* all = nullptr;
  if (::getaddrinfo(host.c_str(), port.c_str(), &hints, &all) != 0) return -1;
  int socket = -1;
  for (const addrinfo* each = all; each != nullptr && socket < 0; each = each->ai_next) {
    socket = ::socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, each->ai_protocol);
    if (socket >= 0 && ::connect(socket, each->ai_addr, each->ai_addrlen) != 0) {
      ::close(socket);
      socket = -1;
    }
  }
  ::freeaddrinfo(all);
  const int at_once = 1;
  if (socket >= 0) ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
  return socket;
}

/// What a head says under a name; "": nothing.
std::string_view field(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(std::min(head.size(), line.size() + 2));
    const auto same = [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) ==
             std::tolower(static_cast<unsigned char>(b));
    };
    if (line.size() <= name.size() || line[name.size()] != ':' ||
        !std::equal(name.begin(), name.end(), line.begin(), same)) {
      continue;
    }
    const std::size_t value = line.find_first_not_of(' ', name.size() + 1);
    return value == std::string_view::npos ? std::string_view() : line.substr(value);
  }
  return {};
}

template <class Number>
Number number(std::string_view text) {
  Number value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

void Client::connect() {
  socket_ = address_.path.empty()
                ? connected_to_host(address_.host, fmt::format("{}", address_.port))
                : connected_to_path(address_.path);
  if (socket_ < 0) throw std::runtime_error(address_.text() + ": nobody answers there");
  received_.clear();
}

void Client::close() noexcept {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

bool Client::send(const std::string& request) {
  for (std::string_view rest = request; !rest.empty();) {
    const ssize_t sent = ::send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool Client::receive() {
  std::array<char, 16384> some;  // NOLINT: written before it is read
  for (;;) {
    const ssize_t got = ::recv(socket_, some.data(), some.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    received_.append(some.data(), static_cast<std::size_t>(got));
    return true;
  }
}

Reply Client::read_reply() {
  const auto need = [this](bool came) {
    if (!came) throw std::runtime_error(address_.text() + ": hung up in the middle of an answer");
  };
  std::size_t end = 0;
  while ((end = received_.find("\r\n\r\n")) == std::string::npos) need(receive());
  const std::string head = received_.substr(0, end + 2);
  received_.erase(0, end + 4);
  Reply reply;
  const std::size_t space = head.find(' ');
  need(head.starts_with("HTTP/1.") && space != std::string::npos);
  reply.status = number<int>(std::string_view(head).substr(space + 1, 3));
  const auto length = number<std::size_t>(field(head, "Content-Length"));
  while (received_.size() < length) need(receive());
  reply.body = received_.substr(0, length);
  received_.erase(0, length);
  if (field(head, "Connection") == "close") close();
  return reply;
}

Reply Client::ask(std::string_view method, const std::string& path, const std::string& json) {
  const std::string request = fmt::format(
      "{} {} HTTP/1.1\r\nHost: {}\r\nX-API-Key: {}\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\n\r\n{}",
      method, path, address_.path.empty() ? address_.text() : "localhost", key_, json.size(), json);
  const bool kept = socket_ >= 0;
  if (!kept) connect();
  if (!send(request) || !receive()) {
    // Who waits for long is hung up on; whether it was before this request nobody knows but by asking again.
    close();
    if (!kept) throw std::runtime_error(address_.text() + ": hung up");
    connect();
    if (!send(request)) throw std::runtime_error(address_.text() + ": hung up");
  }
  return read_reply();
}

}  // namespace tacit::service::demo
