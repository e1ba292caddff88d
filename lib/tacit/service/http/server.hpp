// An HTTP/1.1 server that knows nothing of what it serves: it reads requests, gives them to a handler, and sends the answers.
//
// What comes from a client is secret - outcomes, users' names. It is read straight into one buffer of its connection (out of
// OpenSSL's, under TLS, which overwrites its own), stays there while it is parsed and handled, and is overwritten as soon as the
// handler returns, the request is refused, or the connection ends; what was read ahead, when its turn is over. Nothing else
// holds it: no string, no copy of the header either, and no register. The system's socket buffers are not ours.
//
// Who may ask is decided when a header is there: of others' bodies nothing is read, and all bodies together have a budget.
//
// A request takes three small allocations, for its entry and the way back of its answer, and one look at the clock for each of its
// ends; one timer looks after the times of all connections.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tacit/service/http/exchange.hpp"
#include "tacit/service/http/settings.hpp"

namespace tacit::service::http {

/// As a server would do before it listens: throws std::runtime_error naming the file of TLS that it cannot use.
void check_tls(const Settings& settings);

class Server {
 public:
  /// Listens and serves from now on, in threads of its own. Throws std::runtime_error naming where it cannot listen and why, or
  /// the certificate that it cannot use.
  Server(Settings settings, Door door);
  /// With a door that lets everybody in.
  Server(Settings settings, Handler handler);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  /// stop(0).
  ~Server();

  /// 0 for a Unix socket.
  std::uint16_t port() const;
  /// "http://127.0.0.1:8080", or "unix:/run/tacit.socket".
  std::string url() const;
  /// New connections are spoken to with what the files of TLS have now. Whether that is something else. Throws std::runtime_error
  /// naming the file that cannot be used; then it goes on as it was. From any thread.
  bool renew_tls();
  /// Takes nobody new, answers what is under way with `Connection: close`, ends streams; after `drain` cuts off who is left.
  /// Returns when all is over. From any thread but the handler's.
  void stop(Duration drain);

 private:
  class Listening;
  std::unique_ptr<Listening> listening_;
};

}  // namespace tacit::service::http
