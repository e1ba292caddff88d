// Memory that the kernel empties in a child process: for randomness that waits to be used, which parent and child
// would both use. Asking for the process id instead is not enough, since two processes that are each the first
// of their own namespace have the same one.
#pragma once

#include <cstddef>

namespace tacit::random {

class WipedOnFork {
 public:
  /// All zero, and kept out of core files where that can be had. Throws std::bad_alloc.
  explicit WipedOnFork(std::size_t bytes);
  WipedOnFork(const WipedOnFork&) = delete;
  WipedOnFork& operator=(const WipedOnFork&) = delete;
  /// Erases what is left in it.
  ~WipedOnFork();

  void* memory() const noexcept { return memory_; }
  /// False where the kernel cannot do it (before Linux 4.14): then nothing may be kept from one use to the next.
  bool works() const noexcept { return works_; }

 private:
  std::size_t bytes_;
  void* memory_;
  bool works_;
};

}  // namespace tacit::random
