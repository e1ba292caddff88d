// What happens, told when it happens: an event `release` for everything that is released, and an event `state` when an experiment
// begins, pauses, goes on, stops or gets other arms. No more than the read API tells (views.hpp), and at the ticks of the same
// public clock.
//
//   Stream stream;
//   stream.listen_to(settings);        // before Service is made with them
//   stream_routes(service, stream.channel())    // GET /v1/stream
//
// Thread safety: released() and changed() are called in the service's thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/service/api/routes.hpp"
#include "tacit/service/http/channel.hpp"
#include "tacit/service/service.hpp"

namespace tacit::service::api {

class Stream {
 public:
  /// Adds itself to whoever listens already. Must outlive the service.
  void listen_to(Service::Settings& settings);
  const std::shared_ptr<http::Channel>& channel() const noexcept { return channel_; }

  void released(const Engine& engine, const std::vector<ReleaseRow>& releases);
  void changed(const Directory& directory);

 private:
  std::shared_ptr<http::Channel> channel_ = std::make_shared<http::Channel>();
  std::map<Id, std::string> told_;  // the last state of each
};

/// Of how many streams there may be, and how many of them one key may have. Who listens is not who reports: that may be told.
class StreamSeats {
 public:
  static constexpr int kAll = 256;
  static constexpr int kOfAKey = 64;

  /// Until the last copy goes. Throws Problem (429, or 503 where all are taken).
  static std::shared_ptr<const void> take(const std::shared_ptr<StreamSeats>& seats,
                                          std::string_view key);

 private:
  std::mutex mutex_;
  int all_ = 0;
  std::map<std::string, int, std::less<>> of_keys_;
};

/// Begins with the state of every experiment, so that whoever comes back has missed nothing.
std::vector<RouteRow> stream_routes(Service& service, std::shared_ptr<http::Channel> channel);

}  // namespace tacit::service::api
