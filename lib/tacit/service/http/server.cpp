#include "tacit/service/http/server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacit/random/sodium.hpp"
#include "tacit/service/http/connection.hpp"
#include "tacit/service/http/tls.hpp"
#include "tacit/service/http/worker.hpp"

namespace tacit::service::http {
namespace {

using Acceptor = asio::basic_socket_acceptor<asio::generic::stream_protocol, Executor>;
using Endpoint = asio::generic::stream_protocol::endpoint;
using Tcp = asio::ip::tcp;

/// Beyond those who are told that there are too many, who are closed without a word.
constexpr std::size_t kTurnedAway = 256;
constexpr auto kBreath = std::chrono::milliseconds(50);
constexpr std::size_t kUsualBudget = std::size_t{64} << 20U;

std::string name_of(const Settings& settings) {
  if (!settings.unix_socket.empty()) return "unix:" + settings.unix_socket.string();
  const bool six = settings.host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", six ? "[" : "", settings.host, six ? "]" : "", settings.port);
}

[[noreturn]] void cannot(const Settings& settings, const std::string& why) {
  throw std::runtime_error(fmt::format("cannot listen on {}: {}", name_of(settings), why));
}

/// What a server left behind that was killed is no reason not to start; a server that lives is.
void clear_way(const Settings& settings, asio::io_context& io) {
  struct stat status {};
  if (lstat(settings.unix_socket.c_str(), &status) != 0) return;
  if (!S_ISSOCK(status.st_mode)) cannot(settings, "there is a file of this name that is no socket");
  asio::local::stream_protocol::socket other(io);
  ErrorCode error;
  other.connect(asio::local::stream_protocol::endpoint(settings.unix_socket.string()), error);
  if (!error) cannot(settings, "another process listens there");
  unlink(settings.unix_socket.c_str());
}

Endpoint endpoint_of(const Settings& settings, asio::io_context& io) {
  if (!settings.unix_socket.empty()) {
    try {
      const asio::local::stream_protocol::endpoint endpoint(settings.unix_socket.string());
      clear_way(settings, io);
      return endpoint;
    } catch (const boost::system::system_error& error) {
      cannot(settings, error.code().message());
    }
  }
  ErrorCode error;
  Tcp::resolver resolver(io);
  const auto found =
      resolver.resolve(settings.host, std::to_string(settings.port), Tcp::resolver::passive, error);
  if (error) cannot(settings, error.message());
  return found.begin()->endpoint();
}

Acceptor acceptor_of(const Settings& settings, asio::io_context& io) {
  const Endpoint endpoint = endpoint_of(settings, io);
  const bool tcp = settings.unix_socket.empty();
  try {
    Acceptor acceptor(io.get_executor());
    acceptor.open(endpoint.protocol());
    if (tcp) acceptor.set_option(Acceptor::reuse_address(true));
    acceptor.bind(endpoint);
    // Before anybody can connect: the owner and his group, like a proxy's.
    if (!tcp) chmod(settings.unix_socket.c_str(), 0660);
    acceptor.listen();
    return acceptor;
  } catch (const boost::system::system_error& error) {
    cannot(settings, error.code().message());
  }
}

std::string peer_of(const Socket& socket) {
  ErrorCode error;
  const Endpoint endpoint = socket.remote_endpoint(error);
  if (error) return "";
  std::array<char, INET6_ADDRSTRLEN> text{};
  const auto* const address = static_cast<const sockaddr*>(endpoint.data());
  if (address->sa_family == AF_INET) {
    const auto* const four = reinterpret_cast<const sockaddr_in*>(endpoint.data());
    inet_ntop(AF_INET, &four->sin_addr, text.data(), text.size());
  } else if (address->sa_family == AF_INET6) {
    const auto* const six = reinterpret_cast<const sockaddr_in6*>(endpoint.data());
    inet_ntop(AF_INET6, &six->sin6_addr, text.data(), text.size());
  }
  const std::string_view found = text.data();
  constexpr std::string_view kFour = "::ffff:";  // that came to a socket of IPv6
  const bool is_four = found.starts_with(kFour) && found.find('.') != std::string_view::npos;
  return std::string(is_four ? found.substr(kFour.size()) : found);
}

std::int64_t milliseconds_of_machine() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

Settings complete(Settings settings) {
  if (!settings.now) settings.now = milliseconds_of_machine;
  return settings;
}

using Tls = std::shared_ptr<asio::ssl::context>;

/// Null: it is spoken in plain.
Tls tls_of(const Settings& settings) {
  if (settings.certificate.empty()) return nullptr;
  return std::make_shared<asio::ssl::context>(
      tls_context(settings.certificate, settings.private_key));
}

/// Which files there are now, by what changes with them.
std::string files_of_tls(const Settings& settings) {
  std::string all;
  for (const auto& file : {settings.certificate, settings.private_key}) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0) continue;
    all += fmt::format("{} {} {} {}.{}\n", status.st_dev, status.st_ino, status.st_size,
                       status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }
  return all;
}

}  // namespace

void check_tls(const Settings& settings) { tls_of(settings); }

class Server::Listening {
 public:
  Listening(Settings settings, Door door)
      : shared_(complete(std::move(settings)), std::move(door)),
        files_of_tls_(files_of_tls(shared_.settings)),
        tls_(tls_of(shared_.settings)),
        workers_(workers()),
        acceptor_(acceptor_of(shared_.settings, workers_.front()->io())) {
    if (shared_.settings.unix_socket.empty()) {
      const Endpoint endpoint = acceptor_->local_endpoint();
      // At the same place in IPv4 and IPv6.
      port_ = ntohs(reinterpret_cast<const sockaddr_in*>(endpoint.data())->sin_port);
    }
    asio::co_spawn(workers_.front()->io().get_executor(), accept(), asio::detached);
    for (const auto& worker : workers_) worker->start();
  }

  ~Listening() { stop(Duration(0)); }

  std::uint16_t port() const { return port_; }
  bool renew_tls() {
    const std::lock_guard lock(tls_mutex_);
    // Before they are read: what comes in between is seen the next time.
    std::string files = files_of_tls(shared_.settings);
    if (!tls_ || files == files_of_tls_) return false;
    files_of_tls_ = std::move(files);  // also of those that cannot be used, which is said once
    tls_ = tls_of(shared_.settings);
    return true;
  }
  std::string url() const {
    if (!shared_.settings.unix_socket.empty()) return name_of(shared_.settings);
    Settings there{};
    there.host = shared_.settings.host;
    there.port = port_;
    return (shared_.settings.certificate.empty() ? "http://" : "https://") + name_of(there);
  }

  void stop(Duration drain) {
    std::call_once(stopped_, [&] {
      std::promise<void> closed;
      asio::post(workers_.front()->io(), [&] {
        ErrorCode ignored;
        acceptor_->close(ignored);
        if (!shared_.settings.unix_socket.empty()) unlink(shared_.settings.unix_socket.c_str());
        for (const auto& worker : workers_) worker->stop_all();
        closed.set_value();
      });
      closed.get_future().wait();  // nobody is added from now on
      std::unique_lock lock(shared_.mutex);
      const auto empty = [this] { return shared_.connections == 0; };
      if (!shared_.all_left.wait_for(lock, drain, empty)) {
        for (const auto& worker : workers_) worker->abandon_all();
        shared_.all_left.wait(lock, empty);
      }
      lock.unlock();
      for (const auto& worker : workers_) worker->finish();
      acceptor_.reset();
      workers_.clear();
    });
  }

 private:
  std::vector<std::unique_ptr<Worker>> workers() {
    std::vector<std::unique_ptr<Worker>> result;
    for (unsigned i = 0; i < std::max(1U, shared_.settings.threads); ++i) {
      result.push_back(std::make_unique<Worker>(shared_));
    }
    return result;
  }

  Awaitable<void> accept() {
    Timer breath(workers_.front()->io().get_executor());
    for (std::size_t next = 0; acceptor_->is_open(); next = (next + 1) % workers_.size()) {
      Worker& worker = *workers_[next];
      ErrorCode error;
      Socket socket(worker.io().get_executor());
      co_await acceptor_->async_accept(socket, into(error));
      if (!acceptor_->is_open()) break;
      if (error) {
        // Most likely there are no descriptors left; some client will go.
        breath.expires_after(kBreath);
        co_await breath.async_wait(into(error));
        continue;
      }
      welcome(worker, std::move(socket));
    }
  }

  void welcome(Worker& worker, Socket&& socket) {
    const std::size_t others = shared_.connections.fetch_add(1);
    if (others >= shared_.settings.connections + kTurnedAway) {
      --shared_.connections;
      return;
    }
    ErrorCode ignored;
    socket.set_option(Tcp::no_delay(true), ignored);
    socket.non_blocking(true, ignored);
    std::string peer = peer_of(socket);
    const Tls tls = this->tls();  // which is not needed any more when the connection is there
    worker.add(make_connection(worker, std::move(socket), std::move(peer), tls.get(),
                               others >= shared_.settings.connections));
  }

  Tls tls() {
    const std::lock_guard lock(tls_mutex_);
    return tls_;
  }

  Shared shared_;
  std::mutex tls_mutex_;
  std::string files_of_tls_;  // guarded by tls_mutex_
  Tls tls_;                   // guarded by tls_mutex_
  std::vector<std::unique_ptr<Worker>> workers_;
  std::optional<Acceptor> acceptor_;
  std::uint16_t port_ = 0;
  std::once_flag stopped_;
};

Server::Server(Settings settings, Door door) {
  random::need_sodium();
  listening_ = std::make_unique<Listening>(std::move(settings), std::move(door));
}

Server::Server(Settings settings, Handler handler)
    : Server(
          std::move(settings),
          Door([handler = std::move(handler), bodies = std::make_shared<BodyBudget>(kUsualBudget)](
                   const Request&) { return Entry{.handler = handler, .bodies = bodies}; })) {}

Server::~Server() = default;

bool Server::renew_tls() { return listening_->renew_tls(); }

std::uint16_t Server::port() const { return listening_->port(); }

std::string Server::url() const { return listening_->url(); }

void Server::stop(Duration drain) { listening_->stop(drain); }

}  // namespace tacit::service::http
