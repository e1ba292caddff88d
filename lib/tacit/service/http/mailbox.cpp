#include "tacit/service/http/mailbox.hpp"

#include <boost/asio/post.hpp>
#include <utility>

#include "tacit/service/http/connection.hpp"

namespace tacit::service::http {

void Mailbox::post(std::weak_ptr<Connection> to, std::uint64_t turn, Answer&& answer) {
  post({.to = std::move(to), .turn = turn, .answer = std::move(answer), .event = nullptr});
}

void Mailbox::post(std::weak_ptr<Connection> to, Channel::Event event) {
  post({.to = std::move(to), .turn = 0, .answer = {}, .event = std::move(event)});
}

void Mailbox::post(Letter&& letter) {
  const std::lock_guard lock(mutex_);
  if (io_ == nullptr) return;
  letters_.push_back(std::move(letter));
  if (letters_.size() == 1) {
    asio::post(*io_, [self = shared_from_this()] { self->deliver(); });
  }
}

void Mailbox::close() {
  const std::lock_guard lock(mutex_);
  io_ = nullptr;
  letters_.clear();
}

void Mailbox::deliver() {
  {
    const std::lock_guard lock(mutex_);
    std::swap(letters_, fetched_);
  }
  for (Letter& letter : fetched_) {
    const std::shared_ptr<Connection> connection = letter.to.lock();
    if (!connection) continue;
    if (letter.event) {
      connection->hear(*letter.event);
    } else {
      connection->take(letter.turn, std::move(letter.answer));
    }
  }
  fetched_.clear();
}

}  // namespace tacit::service::http
