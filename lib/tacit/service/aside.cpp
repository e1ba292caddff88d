#include "tacit/service/aside.hpp"

#include <utility>

namespace tacit::service {

Aside::Aside(bool own_thread) {
  if (own_thread) thread_ = std::thread([this] { work(); });
}

Aside::~Aside() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Aside::run(std::function<void()> what) {
  if (!thread_.joinable()) return what();
  const std::lock_guard lock(mutex_);
  queue_.push_back(std::move(what));
  wake_.notify_one();
}

void Aside::work() {
  for (;;) {
    std::vector<std::function<void()>> all;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return ending_ || !queue_.empty(); });
      all = std::exchange(queue_, {});
      if (all.empty()) return;
    }
    for (const auto& each : all) each();
  }
}

}  // namespace tacit::service
