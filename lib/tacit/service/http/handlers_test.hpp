// What the tests of a server have it serve.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "tacit/service/http/exchange.hpp"
#include "tacit/service/http/settings.hpp"

namespace tacit::service::http {

inline Answer text(std::string body) {
  Answer answer;
  answer.body = std::move(body);
  answer.type = "text/plain";
  return answer;
}

inline void echo(const Request& request, const Respond& respond) {
  const std::span<char> body = request.body();
  respond(text(std::string(request.method()) + " " + std::string(request.path()) + " " +
               std::string(body.data(), body.size())));
}

/// So short that a test waits for them, and so long that a busy machine keeps them.
inline Settings quick() {
  Settings settings;
  settings.request_time = std::chrono::milliseconds(300);
  settings.idle_time = std::chrono::milliseconds(300);
  settings.write_time = std::chrono::milliseconds(300);
  settings.farewell_time = std::chrono::milliseconds(300);
  return settings;
}

/// Answers when it is told to, in another thread.
class Later {
 public:
  Handler handler() {
    return [this](const Request& request, Respond respond) {
      const std::lock_guard lock(mutex_);
      waiting_.emplace_back(std::string(request.path()), std::move(respond));
      came_.notify_all();
    };
  }
  void wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return waiting_.size() >= count; });
  }
  void answer_all() {
    std::deque<std::pair<std::string, Respond>> all;
    {
      const std::lock_guard lock(mutex_);
      all.swap(waiting_);
    }
    std::thread([&] {
      for (auto& [path, respond] : all) respond(text(path));
    }).join();
  }
  void forget_all() {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<std::pair<std::string, Respond>> waiting_;
};

}  // namespace tacit::service::http
