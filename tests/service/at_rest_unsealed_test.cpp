// The control of at_rest_test.cpp: the same service and the same visitors, but what seals lets everything through. Then the store has
// outcomes that can be read, and the search finds them.
#include <sodium.h>

#include <cstring>
#include <set>
#include <string>

#include "service/at_rest_visitors.hpp"

// In the place of libsodium's: this program's own come first.
extern "C" {

int crypto_aead_xchacha20poly1305_ietf_encrypt(  // NOLINT: not ours to name
    unsigned char* c, unsigned long long* clen_p, const unsigned char* m, unsigned long long mlen,
    const unsigned char* /*ad*/, unsigned long long /*adlen*/, const unsigned char* /*nsec*/,
    const unsigned char* /*npub*/, const unsigned char* /*k*/) {
  constexpr std::size_t kTag = crypto_aead_xchacha20poly1305_ietf_ABYTES;
  std::memcpy(c, m, mlen);
  std::memset(c + mlen, 0, kTag);
  *clen_p = mlen + kTag;
  return 0;
}

int crypto_aead_xchacha20poly1305_ietf_decrypt(  // NOLINT: not ours to name
    unsigned char* m, unsigned long long* mlen_p, unsigned char* /*nsec*/, const unsigned char* c,
    unsigned long long clen, const unsigned char* /*ad*/, unsigned long long /*adlen*/,
    const unsigned char* /*npub*/, const unsigned char* /*k*/) {
  *mlen_p = clen - crypto_aead_xchacha20poly1305_ietf_ABYTES;
  std::memcpy(m, c, *mlen_p);
  return 0;
}
}

namespace tacit::service {
namespace {

using AtRestUnsealed = AtRest;

TEST_P(AtRestUnsealed, TheOutcomeOfOneIsInTheStore) {
  send_marked();
  std::set<std::string> in_store;
  for (const std::string& each : found_in_files(lonely_)) {
    if (each.find("shop.db") != std::string::npos) in_store.insert(each);
  }
  EXPECT_FALSE(in_store.empty());
}

INSTANTIATE_TEST_SUITE_P(InTheClear, AtRestUnsealed, testing::Values(false));

}  // namespace
}  // namespace tacit::service
