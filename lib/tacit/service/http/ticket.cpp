#include "tacit/service/http/ticket.hpp"

#include <utility>

#include "tacit/service/problem.hpp"

namespace tacit::service::http {

Ticket::Ticket(std::shared_ptr<Mailbox> mailbox, Connection& connection, std::uint64_t turn)
    : mailbox_(std::move(mailbox)),
      to_(connection.weak_from_this()),
      connection_(&connection),
      turn_(turn) {}

Ticket::~Ticket() {
  if (!answered_) answer(answer_of(Problem(503, "", "the service is stopping", 1)));
}

void Ticket::answer(Answer&& answer) {
  if (answered_.exchange(true)) return;
  if (asking_ == connection_) {
    connection_->take(turn_, std::move(answer));
  } else {
    mailbox_->post(std::move(to_), turn_, std::move(answer));
  }
}

}  // namespace tacit::service::http
