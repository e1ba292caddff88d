// A coroutine that waits for another of its thread to wake it. It looks again whether what it waits for is so: a call that nobody
// waits for is lost.
#pragma once

#include <optional>
#include <utility>

#include "tacit/service/http/asio.hpp"

namespace tacit::service::http {

class WakeUp {
 public:
  Awaitable<void> wait() {
    return asio::async_initiate<const Await, void()>(
        [this](Handler handler) { sleeper_.emplace(std::move(handler)); }, Await{});
  }

  /// Runs the coroutine until it waits again.
  void call() {
    if (!sleeper_) return;
    Handler handler = std::move(*sleeper_);
    sleeper_.reset();
    handler();
  }

 private:
  using Handler = asio::async_result<Await, void()>::handler_type;
  std::optional<Handler> sleeper_;
};

}  // namespace tacit::service::http
