#include "tacit/random/secure.hpp"

#include <cstring>
#include <new>

#include <sodium.h>

#include "tacit/random/sodium.hpp"

namespace tacit::random {

SecureSource::SecureSource() : memory_(sizeof(Page)), page_(new (memory_.memory()) Page{}) {
  need_sodium();
}

void SecureSource::refill() {
  constexpr std::size_t kKeyBytes = kKeyWords * sizeof(std::uint64_t);
  static_assert(kKeyBytes == crypto_stream_chacha20_KEYBYTES);
  // Where the kernel cannot empty the page on a fork, nothing is kept from one word to the next.
  if (!memory_.works()) {
    randombytes_buf(page_->words, sizeof page_->words[0]);
    page_->left = 1;
    return;
  }
  constexpr std::uint64_t kRefillsWithAKey = 1000;  // then the operating system is asked again
  std::uint64_t* const kept_key = page_->words + kWords;
  if (page_->refills_with_this_key == 0) {
    randombytes_buf(kept_key, kKeyBytes);
    page_->refills_with_this_key = kRefillsWithAKey;
  }
  --page_->refills_with_this_key;
  // One stream fills the words and the key behind them, which replaces the key that made it.
  constexpr unsigned char kNonce[crypto_stream_chacha20_NONCEBYTES] = {};
  unsigned char key[kKeyBytes];
  std::memcpy(key, kept_key, kKeyBytes);
  crypto_stream_chacha20(reinterpret_cast<unsigned char*>(page_->words), sizeof page_->words,
                         kNonce, key);
  sodium_memzero(key, sizeof key);
  page_->left = kWords;
}

}  // namespace tacit::random
