#include "tacit/service/token.hpp"

#include <array>
#include <cstring>

#include <sodium.h>

#include "tacit/random/base64.hpp"
#include "tacit/random/sodium.hpp"

namespace tacit::service {
namespace {

constexpr std::size_t kNonceBytes = crypto_aead_chacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t kTagBytes = crypto_aead_chacha20poly1305_ietf_ABYTES;
constexpr std::size_t kHeadBytes = 1 + kNonceBytes;
constexpr std::size_t kLongest = 64 * 1024;
constexpr unsigned char kMasked = 128;
static_assert(kNonceBytes == 12);

using Bytes = std::vector<unsigned char>;

/// Seven bits a byte, low ones first; the sign in the lowest bit.
void put(Bytes& out, std::int64_t number) {
  auto left = (static_cast<std::uint64_t>(number) << 1U) ^ static_cast<std::uint64_t>(number >> 63);
  for (; left >= 0x80; left >>= 7U) out.push_back(static_cast<unsigned char>(left | 0x80U));
  out.push_back(static_cast<unsigned char>(left));
}

void put(Bytes& out, const Place& place) {
  put(out, place.slot.arm);
  put(out, place.slot.phase);
  put(out, place.place);
}

/// Reads what put() wrote. What is too short reads as not ok.
class Reader {
 public:
  explicit Reader(const Bytes& bytes) : bytes_(bytes) {}

  std::int64_t number() {
    std::uint64_t all = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == bytes_.size()) break;
      const unsigned char byte = bytes_[at_++];
      all |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if ((byte & 0x80U) == 0) return static_cast<std::int64_t>((all >> 1U) ^ (~(all & 1U) + 1));
    }
    ok_ = false;
    return 0;
  }
  Place place() {
    Place place;
    place.slot.arm = static_cast<Arm>(number());
    place.slot.phase = number();
    place.place = number();
    return place;
  }
  /// How many things follow, each at least a byte.
  std::size_t count() {
    const std::int64_t n = number();
    if (n < 0 || static_cast<std::size_t>(n) > bytes_.size()) ok_ = false;
    return ok_ ? static_cast<std::size_t>(n) : 0;
  }
  bool ended_well() const { return ok_ && at_ == bytes_.size(); }

 private:
  const Bytes& bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

Bytes plain_of(const Event& event) {
  Bytes plain;
  put(plain, event.experiment);
  put(plain, event.generation);
  put(plain, event.deadline);
  put(plain, (event.recorded ? 1 : 0) | (event.deferred ? 2 : 0) | (event.fallback ? 4 : 0));
  put(plain, static_cast<std::int64_t>(event.places.size()));
  for (const Place& place : event.places) put(plain, place);
  put(plain, event.page);
  put(plain, static_cast<std::int64_t>(event.arms.size()));
  for (const Arm arm : event.arms) put(plain, arm);
  return plain;
}

std::optional<Event> event_of(const Bytes& plain) {
  Reader reader(plain);
  Event event;
  event.experiment = reader.number();
  event.generation = reader.number();
  event.deadline = reader.number();
  const std::int64_t flags = reader.number();
  event.recorded = (flags & 1) != 0;
  event.deferred = (flags & 2) != 0;
  event.fallback = (flags & 4) != 0;
  for (std::size_t n = reader.count(); n > 0; --n) event.places.push_back(reader.place());
  event.page = reader.place();
  for (std::size_t n = reader.count(); n > 0; --n) {
    event.arms.push_back(static_cast<Arm>(reader.number()));
  }
  if (!reader.ended_well()) return std::nullopt;
  return event;
}

/// Over the nonce of a token, by its tag; and once more, to have it back.
void mask(unsigned char* nonce, const unsigned char* tag, const TokenKeys::Key& key) {
  std::array<unsigned char, crypto_generichash_BYTES_MIN> hash{};
  crypto_generichash(hash.data(), hash.size(), tag, kTagBytes, key.data(), key.size());
  for (std::size_t i = 0; i < kNonceBytes; ++i) nonce[i] ^= hash[i];
}

}  // namespace

TokenKeys::Key TokenKeys::fresh_key() {
  random::need_sodium();
  Key key;  // NOLINT: written before it is read
  randombytes_buf(key.data(), key.size());
  return key;
}

TokenKeys::~TokenKeys() {
  for (auto& [id, pair] : keys_) sodium_memzero(&pair, sizeof pair);
}

void TokenKeys::add(std::uint8_t id, const Key& key) {
  random::need_sodium();
  constexpr std::string_view kFor = "tacit: nonces of events";
  Pair& pair = keys_[id];
  pair.key = key;
  crypto_generichash(pair.mask.data(), pair.mask.size(),
                     reinterpret_cast<const unsigned char*>(kFor.data()),  // NOLINT: its bytes
                     kFor.size(), key.data(), key.size());
  current_ = id;
}

std::string TokenKeys::token(const Event& event) const {
  const Bytes plain = plain_of(event);
  Bytes bytes(kHeadBytes + plain.size() + kTagBytes);
  const Pair& pair = keys_.at(current_);
  bytes[0] = current_ | kMasked;
  std::memcpy(bytes.data() + 1, &event.incarnation, sizeof event.incarnation);
  std::memcpy(bytes.data() + 5, &event.number, sizeof event.number);
  crypto_aead_chacha20poly1305_ietf_encrypt(bytes.data() + kHeadBytes, nullptr, plain.data(),
                                            plain.size(), bytes.data(), 1, nullptr,
                                            bytes.data() + 1, pair.key.data());
  mask(bytes.data() + 1, bytes.data() + bytes.size() - kTagBytes, pair.mask);
  return random::to_base64(bytes);
}

std::optional<Event> TokenKeys::read(std::string_view token) const {
  if (token.size() > kLongest) return std::nullopt;
  std::optional<Bytes> decoded = random::from_base64(token);
  if (!decoded || decoded->size() < kHeadBytes + kTagBytes) return std::nullopt;
  Bytes& bytes = *decoded;
  const std::size_t size = bytes.size();
  const bool is_masked = (bytes[0] & kMasked) != 0;
  const auto found = keys_.find(bytes[0] % kMasked);
  if (found == keys_.end()) return std::nullopt;
  if (is_masked) mask(bytes.data() + 1, bytes.data() + size - kTagBytes, found->second.mask);
  Bytes plain(size - kHeadBytes - kTagBytes);
  if (crypto_aead_chacha20poly1305_ietf_decrypt(
          plain.data(), nullptr, nullptr, bytes.data() + kHeadBytes, size - kHeadBytes,
          bytes.data(), 1, bytes.data() + 1, found->second.key.data()) != 0) {
    return std::nullopt;
  }
  std::optional<Event> event = event_of(plain);
  if (!event) return std::nullopt;
  std::memcpy(&event->incarnation, bytes.data() + 1, sizeof event->incarnation);
  std::memcpy(&event->number, bytes.data() + 5, sizeof event->number);
  return event;
}

}  // namespace tacit::service
