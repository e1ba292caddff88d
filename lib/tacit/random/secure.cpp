#include "tacit/random/secure.hpp"

#include <stdexcept>

#include <sodium.h>

namespace tacit::random {

SecureSource::SecureSource() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium could not be initialised");
}

std::uint64_t SecureSource::below(std::uint64_t bound) {
  // Reject the 2^64 mod bound lowest words, so that every residue has equally many.
  const std::uint64_t rejected = (0 - bound) % bound;
  std::uint64_t word = 0;
  do {
    randombytes_buf(&word, sizeof word);
  } while (word < rejected);
  const std::uint64_t result = word % bound;
  sodium_memzero(&word, sizeof word);
  return result;
}

}  // namespace tacit::random
