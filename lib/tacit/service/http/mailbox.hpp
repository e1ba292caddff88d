// The way from any thread to the connections of one: what is posted while the thread is busy is fetched in one go, so that a
// committer that answers hundreds of requests at once wakes it once. Connections are held weakly: an answer to who has left, or
// that comes after the server is gone, is dropped.
//
// Thread safety: post and close, from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "tacit/service/answer.hpp"
#include "tacit/service/http/asio.hpp"
#include "tacit/service/http/channel.hpp"

namespace tacit::service::http {

class Connection;

class Mailbox : public std::enable_shared_from_this<Mailbox> {
 public:
  explicit Mailbox(asio::io_context& io) : io_(&io) {}

  /// To the request that the connection counts as its `turn`-th.
  void post(std::weak_ptr<Connection> to, std::uint64_t turn, Answer&& answer);
  void post(std::weak_ptr<Connection> to, Channel::Event event);
  /// Nothing is delivered from now on.
  void close();

 private:
  struct Letter {
    std::weak_ptr<Connection> to;
    std::uint64_t turn = 0;
    Answer answer;
    Channel::Event event;  // null: it is an answer
  };

  void post(Letter&& letter);
  void deliver();

  std::mutex mutex_;
  asio::io_context* io_;         // guarded by mutex_; null when it is closed
  std::vector<Letter> letters_;  // guarded by mutex_
  std::vector<Letter> fetched_;  // the io_context's thread alone
};

}  // namespace tacit::service::http
