// Randomness for production: never seeded by anyone, never restored, not copyable.
//
// Words come from a ChaCha20 stream whose key libsodium takes from the operating system, in pages of
// 4 KiB. Every page's last 32 bytes are the next page's key and every word is erased as it is handed
// out, so that whoever reads the memory later learns nothing of earlier noise ("fast key erasure",
// Bernstein 2017). The page is one that Linux empties in a child process: after a fork the child draws a key
// of its own, and parent and child never add the same noise.
//
// It shares no base, no concept and no conversion with the simulation's generators: what asks for a
// SecureSource cannot be given a SimulationStream, and the idealised distributions cannot be given a
// SecureSource (tests/compile_fail).
//
// Thread safety: none; one source a thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tacit/random/wiped_on_fork.hpp"

namespace tacit::random {

class SecureSource {
 public:
  /// Throws std::runtime_error when the operating system gives no randomness.
  SecureSource();
  SecureSource(const SecureSource&) = delete;
  SecureSource& operator=(const SecureSource&) = delete;

  /// 64 uniform bits.
  std::uint64_t word() {
    if (page_->left == 0) refill();
    std::uint64_t& next = page_->words[--page_->left];
    const std::uint64_t result = next;
    next = 0;
    asm volatile("" : "+m"(next));
    return result;
  }

  /// How many words wait to be handed out; for tests.
  std::size_t waiting() const noexcept { return page_->left; }

 private:
  static constexpr std::size_t kWords = 500;
  static constexpr std::size_t kKeyWords = 4;
  /// All zero after a fork: no key, nothing left.
  struct Page {
    std::uint64_t left;
    std::uint64_t refills_with_this_key;
    std::uint64_t words[kWords + kKeyWords];  // the last ones are the key
  };
  void refill();

  WipedOnFork memory_;
  Page* page_;  // in it
};

}  // namespace tacit::random
