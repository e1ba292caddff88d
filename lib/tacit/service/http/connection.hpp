// One client: reads a request, hands it to the handler, waits for the answer, writes it, and reads the next. What a client sends
// ahead waits in its buffer; so answers come in order.
//
// All of it happens in its worker's thread, but for the answer, which comes through the worker's mailbox.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "tacit/service/answer.hpp"
#include "tacit/service/http/asio.hpp"

namespace boost::asio::ssl {
class context;
}

namespace tacit::service::http {

class Worker;

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  virtual ~Connection() = default;
  virtual Awaitable<void> run() = 0;

  /// The answer to its `turn`-th request, if it is still being waited for.
  virtual void take(std::uint64_t turn, Answer&& answer) = 0;
  /// An event of the channel that it listens to.
  virtual void hear(const std::string& event) = 0;
  /// Looks whether the client has taken too long.
  virtual void look(Moment now) = 0;
  /// Ends as soon as what is under way is answered.
  virtual void stop() = 0;
  /// Ends now.
  virtual void abandon() = 0;

  std::size_t place = 0;  // among its worker's
};

/// `peer`: its address. `tls`: null if it is spoken in plain. `turned_away`: there are too many, and this one is told so.
std::shared_ptr<Connection> make_connection(Worker& worker, Socket&& socket, std::string peer,
                                            asio::ssl::context* tls, bool turned_away);

}  // namespace tacit::service::http
