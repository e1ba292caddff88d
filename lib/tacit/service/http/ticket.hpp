// What a handler answers with: it may be called in the handler or later, in any thread. If all copies are gone and none was
// called, the client is told 503 - a service that stops forgets what it did not get to.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "tacit/service/http/connection.hpp"
#include "tacit/service/http/exchange.hpp"
#include "tacit/service/http/mailbox.hpp"

namespace tacit::service::http {

class Ticket {
 public:
  /// While it lives, `connection` is in its handler in this thread: it is answered at once, past the mailbox.
  class Asking {
   public:
    explicit Asking(const Connection& connection) { asking_ = &connection; }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    ~Asking() { asking_ = nullptr; }
  };

  Ticket(std::shared_ptr<Mailbox> mailbox, Connection& connection, std::uint64_t turn);
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;
  ~Ticket();

  void answer(Answer&& answer);

 private:
  inline static thread_local const Connection* asking_ = nullptr;

  std::shared_ptr<Mailbox> mailbox_;
  std::weak_ptr<Connection> to_;
  Connection* connection_;  // only to be compared, unless it is the one that is asking
  std::uint64_t turn_;
  std::atomic<bool> answered_{false};
};

}  // namespace tacit::service::http
