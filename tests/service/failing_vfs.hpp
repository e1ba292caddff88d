// A disk that fails when it is told to: SQLite's own way to files, with every write, sync and truncation counted, and some of them
// refused. The default one of this process while it lives, so that the program under test is what it always is.
//
// Nothing is synced: it stands for what happens to a program, whose writes the system has.
#pragma once

#include <cstdint>
#include <functional>

namespace tacit::tests {

class FailingVfs {
 public:
  enum class Failure {
    kNone,
    kIoError,
    kFull,
    kShortWrite,  // half of it is written, and then the disk is full
    kKill,        // the process is killed instead
  };

  FailingVfs();
  FailingVfs(const FailingVfs&) = delete;
  FailingVfs& operator=(const FailingVfs&) = delete;
  ~FailingVfs();

  /// The operation that is the `first` from now on fails, and those after it, `times` in all. `then` is called as the first of them
  /// has failed, and nobody knows yet: it may look at files, and not through SQLite.
  void fail(Failure failure, std::int64_t first, std::int64_t times = 1,
            std::function<void()> then = {});
  void work() { fail(Failure::kNone, 0); }
  /// Since the last fail() or work().
  std::int64_t operations() const;
  bool has_failed() const;
};

}  // namespace tacit::tests
