#include "tacit/random/wiped_on_fork.hpp"

#include <new>

#include <sodium.h>
#include <sys/mman.h>

namespace tacit::random {

WipedOnFork::WipedOnFork(std::size_t bytes)
    : bytes_(bytes),
      memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
  if (memory_ == MAP_FAILED) throw std::bad_alloc();
  works_ = madvise(memory_, bytes, MADV_WIPEONFORK) == 0;
  madvise(memory_, bytes, MADV_DONTDUMP);
}

WipedOnFork::~WipedOnFork() {
  sodium_memzero(memory_, bytes_);
  munmap(memory_, bytes_);
}

}  // namespace tacit::random
