// What takes long and needs no engine is done here, one thing after the other, while the engine goes on: answers to who reads much.
//
// Thread safety: all of it, but for its end.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tacit::service {

class Aside {
 public:
  /// `own_thread` false: in the caller's, at once.
  explicit Aside(bool own_thread);
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  /// When everything is done.
  ~Aside();

  /// Must not throw.
  void run(std::function<void()> what);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::function<void()>> queue_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace tacit::service
