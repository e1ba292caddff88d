// One thread of a server, with the connections that it serves.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tacit/service/http/asio.hpp"
#include "tacit/service/http/connection.hpp"
#include "tacit/service/http/exchange.hpp"
#include "tacit/service/http/mailbox.hpp"
#include "tacit/service/http/settings.hpp"

#include <boost/asio/executor_work_guard.hpp>

namespace tacit::service::http {

/// What the threads of a server share.
struct Shared {
  Shared(Settings settings_, Door door_) : settings(std::move(settings_)), door(std::move(door_)) {}

  Settings settings;
  Door door;
  std::atomic<std::size_t> connections{0};
  std::mutex mutex;
  std::condition_variable all_left;  // connections == 0
};

class Worker {
 public:
  explicit Worker(Shared& shared);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  // From any thread.
  asio::io_context& io() noexcept { return io_; }
  void start();
  /// Serves it from now on; it counts among Shared::connections already.
  void add(std::shared_ptr<Connection> connection);
  void stop_all();
  void abandon_all();
  /// Returns when its thread has nothing to do any more: nobody is added then, and all have left.
  void finish();

  // In its own thread.
  const Settings& settings() const noexcept { return shared_.settings; }
  const Door& door() const noexcept { return shared_.door; }
  Shared& shared() noexcept { return shared_; }
  const std::shared_ptr<Mailbox>& mailbox() const noexcept { return mailbox_; }
  /// Of an answer that is written now.
  const std::string& date();

 private:
  void remove(Connection& connection);
  void look_later();
  /// Of all connections, which may leave meanwhile.
  void each(const std::function<void(Connection&)>& act);

  Shared& shared_;
  asio::io_context io_{1};
  asio::executor_work_guard<Executor> work_;
  Timer look_;
  Duration period_;
  bool looks_ = false;
  std::shared_ptr<Mailbox> mailbox_;
  std::vector<std::shared_ptr<Connection>> connections_;
  std::string date_;
  std::int64_t second_of_date_ = -1;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace tacit::service::http
