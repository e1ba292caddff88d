// An application as the service sees it: one connection, one request at a time, over HTTP/1.1. As much of it as a demonstration
// on one machine needs.
//
// Thread safety: none.
#pragma once

#include <string>
#include <string_view>

#include "tacit/service/configuration.hpp"

namespace tacit::service::demo {

struct Reply {
  int status = 0;
  std::string body;
};

class Client {
 public:
  /// Shows this key. Connects when it is first needed.
  Client(Address address, std::string key) : address_(std::move(address)), key_(std::move(key)) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { close(); }

  /// Throws std::runtime_error when there is no service, or it does not speak HTTP. After a pause that closed the connection it
  /// is made anew.
  Reply get(const std::string& path) { return ask("GET", path, ""); }
  Reply post(const std::string& path, const std::string& json) { return ask("POST", path, json); }

 private:
  Reply ask(std::string_view method, const std::string& path, const std::string& json);
  void connect();
  void close() noexcept;
  bool send(const std::string& request);
  /// False: the other side has closed.
  bool receive();
  Reply read_reply();

  Address address_;
  std::string key_;
  std::string received_;
  int socket_ = -1;
};

}  // namespace tacit::service::demo
