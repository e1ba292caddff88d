#include "tacit/privacy/sealing.hpp"

#include <sodium.h>

#include "tacit/random/base64.hpp"
#include "tacit/random/sodium.hpp"

namespace tacit::privacy {
namespace {

constexpr std::size_t kNonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t kTag = crypto_aead_xchacha20poly1305_ietf_ABYTES;
static_assert(SealingKey::kBytes == crypto_aead_xchacha20poly1305_ietf_KEYBYTES);

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());  // NOLINT: what libsodium reads
}

}  // namespace

SealingKey SealingKey::fresh() {
  random::need_sodium();
  SealingKey key;
  randombytes_buf(key.bytes_.data(), kBytes);
  return key;
}

SealingKey SealingKey::from_text(std::string_view digits) {
  SealingKey key;
  std::size_t read = 0;
  const char* end = nullptr;
  const bool ok = sodium_hex2bin(key.bytes_.data(), kBytes, digits.data(), digits.size(), nullptr,
                                 &read, &end) == 0 &&
                  read == kBytes && end == digits.data() + digits.size();
  // What was given is not shown: it may be most of a key.
  if (!ok) throw InvalidParameter("SealingKey", "key", Withheld{}, "must be 64 hexadecimal digits");
  return key;
}

std::string SealingKey::text() const {
  std::string digits(2 * kBytes + 1, '\0');
  sodium_bin2hex(digits.data(), digits.size(), bytes_.data(), kBytes);
  digits.pop_back();
  return digits;
}

SealingKey::~SealingKey() { sodium_memzero(bytes_.data(), kBytes); }

SealingWriter::~SealingWriter() { sodium_memzero(bytes_.data(), bytes_.size()); }

void SealingWriter::raw(const void* from, std::size_t size) {
  if (bytes_.capacity() < bytes_.size() + size) {
    // By hand: a vector that grows leaves a copy of what it held behind.
    std::vector<unsigned char> larger;
    larger.reserve(2 * (bytes_.size() + size) + 1024);
    larger.assign(bytes_.begin(), bytes_.end());
    sodium_memzero(bytes_.data(), bytes_.size());
    bytes_.swap(larger);
  }
  const auto* first = static_cast<const unsigned char*>(from);
  bytes_.insert(bytes_.end(), first, first + size);
}

std::string SealingWriter::seal(const SealingKey& key, std::string_view belongs_to) const {
  random::need_sodium();
  std::vector<unsigned char> sealed(kNonce + bytes_.size() + kTag);
  randombytes_buf(sealed.data(), kNonce);
  unsigned long long written = 0;
  crypto_aead_xchacha20poly1305_ietf_encrypt(sealed.data() + kNonce, &written, bytes_.data(),
                                             bytes_.size(), bytes_of(belongs_to), belongs_to.size(),
                                             nullptr, sealed.data(), key.data());
  return random::to_base64(sealed);
}

SealingReader::SealingReader(std::string_view sealed, const SealingKey& key,
                             std::string_view belongs_to) {
  random::need_sodium();
  const auto ciphertext = random::from_base64(sealed);
  if (!ciphertext || ciphertext->size() < kNonce + kTag) refuse();
  const std::size_t size = ciphertext->size();
  bytes_.resize(size - kNonce - kTag);
  unsigned long long written = 0;
  if (crypto_aead_xchacha20poly1305_ietf_decrypt(
          bytes_.data(), &written, nullptr, ciphertext->data() + kNonce, size - kNonce,
          bytes_of(belongs_to), belongs_to.size(), ciphertext->data(), key.data()) != 0) {
    refuse();
  }
}

SealingReader::~SealingReader() { sodium_memzero(bytes_.data(), bytes_.size()); }

void SealingReader::raw(void* to, std::size_t size) {
  if (size > bytes_.size() - at_) refuse();
  std::memcpy(to, bytes_.data() + at_, size);
  at_ += size;
}

void SealingReader::refuse() {
  throw InvalidParameter(
      Option{"sealed state"}, Withheld{},
      "does not open: another key, another policy's, or changed since it was saved");
}

}  // namespace tacit::privacy
