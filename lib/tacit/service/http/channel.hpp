// What is told to all who listen at the time: the source of a stream of Server-Sent Events. Nothing is kept for those who come
// later.
//
// Thread safety: all of it, from any thread. An ear is called under the channel's lock, so that none is called after its
// Subscription is gone; it must be quick and must not come back to the channel.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace tacit::service::http {

class Channel {
 public:
  /// An event as it is sent, which all listeners share.
  using Event = std::shared_ptr<const std::string>;
  using Ear = std::function<void(const Event&)>;

  class Subscription {
   public:
    Subscription(std::shared_ptr<Channel> channel, Ear ear);
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;
    ~Subscription();

   private:
    std::shared_ptr<Channel> channel_;
    std::uint64_t number_;
  };

  /// `name`: of the event, one word. `data`: may have several lines.
  void publish(std::string_view name, std::string_view data);
  std::size_t listeners() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Ear> ears_;
  std::uint64_t next_ = 0;
};

/// As `name` and `data` are written into a stream.
std::string event_text(std::string_view name, std::string_view data);

}  // namespace tacit::service::http
