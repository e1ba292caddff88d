#include "tacit/service/http/worker.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <exception>

#include "tacit/service/http/answer_text.hpp"

namespace tacit::service::http {
namespace {

Duration period_of(const Settings& settings) {
  const Duration shortest =
      std::min({settings.request_time, settings.idle_time, settings.write_time,
                settings.farewell_time, settings.heartbeat});
  return std::clamp(shortest / 20, Duration(5), Duration(250));
}

}  // namespace

Worker::Worker(Shared& shared)
    : shared_(shared),
      work_(io_.get_executor()),
      look_(io_.get_executor()),
      period_(period_of(shared.settings)),
      mailbox_(std::make_shared<Mailbox>(io_)) {}

Worker::~Worker() { finish(); }

void Worker::start() {
  thread_ = std::thread([this] { io_.run(); });
}

void Worker::finish() {
  mailbox_->close();
  work_.reset();
  if (thread_.joinable()) thread_.join();
}

void Worker::add(std::shared_ptr<Connection> connection) {
  asio::post(io_, [this, connection = std::move(connection)]() mutable {
    connection->place = connections_.size();
    connections_.push_back(connection);
    if (!looks_) look_later();
    asio::co_spawn(io_.get_executor(), connection->run(),
                   [this, connection](const std::exception_ptr&) { remove(*connection); });
    if (stopping_) connection->stop();
  });
}

void Worker::remove(Connection& connection) {
  connections_.back()->place = connection.place;
  std::swap(connections_[connection.place], connections_.back());
  connections_.pop_back();
  if (stopping_ && connections_.empty()) look_.cancel();
  if (shared_.connections.fetch_sub(1) > 1) return;
  const std::lock_guard lock(shared_.mutex);
  shared_.all_left.notify_all();
}

void Worker::look_later() {
  looks_ = !connections_.empty();
  if (!looks_) return;
  look_.expires_after(period_);
  look_.async_wait([this](const ErrorCode& error) {
    if (error) return;
    const Moment now = SteadyTime::now();
    each([now](Connection& connection) { connection.look(now); });
    look_later();
  });
}

const std::string& Worker::date() {
  constexpr std::int64_t kSecond = 1000;
  const std::int64_t second = shared_.settings.now() / kSecond;
  if (second != second_of_date_) {
    second_of_date_ = second;
    date_ = text_of_date(second);
  }
  return date_;
}

void Worker::stop_all() {
  asio::post(io_, [this] {
    stopping_ = true;
    if (connections_.empty()) look_.cancel();
    each([](Connection& connection) { connection.stop(); });
  });
}

void Worker::abandon_all() {
  asio::post(io_, [this] { each([](Connection& connection) { connection.abandon(); }); });
}

void Worker::each(const std::function<void(Connection&)>& act) {
  const std::vector<std::shared_ptr<Connection>> all = connections_;
  for (const std::shared_ptr<Connection>& connection : all) act(*connection);
}

}  // namespace tacit::service::http
