#include "tacit/service/key_slots.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include <sodium.h>

namespace tacit::service {
namespace {

constexpr std::size_t kSum = 32;
constexpr std::size_t kUnsummed = 32;
constexpr std::size_t kHead = kUnsummed + kSum;
constexpr std::string_view kMark = "tacitkey";
constexpr std::uint64_t kFormat = 1;

class Writer {
 public:
  void number(std::uint64_t value) {
    std::array<unsigned char, 8> digits{};
    for (std::size_t i = 0; i < digits.size(); ++i) {
      digits[i] = static_cast<unsigned char>(value >> (8 * i));
    }
    raw(digits.data(), digits.size());
  }
  void number(std::int64_t value) { number(static_cast<std::uint64_t>(value)); }
  void raw(const void* from, std::size_t size) { bytes.append(from, size); }

  WipedBuffer bytes;
};

/// Reads what Writer wrote. What is too short reads as not ok.
class Reader {
 public:
  Reader(const char* from, std::size_t size) : from_(from), left_(size) {}

  std::uint64_t number() {
    std::array<unsigned char, 8> bytes{};
    raw(bytes.data(), bytes.size());
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
    return value;
  }
  std::int64_t signed_number() { return static_cast<std::int64_t>(number()); }
  void raw(unsigned char* to, std::size_t size) {
    if (size > left_) {
      ok_ = false;
      left_ = 0;
      return;
    }
    std::memcpy(to, from_, size);
    from_ += size;
    left_ -= size;
  }
  KeyBytes key() {
    KeyBytes bytes;
    raw(bytes.data(), bytes.size());
    return bytes;
  }
  /// How many things follow, each of so many bytes.
  std::uint64_t count(std::size_t each) {
    const std::uint64_t n = number();
    if (n > left_ / each) ok_ = false;
    return ok_ ? n : 0;
  }
  bool ended_well() const { return ok_ && left_ == 0; }

 private:
  const char* from_;
  std::size_t left_;
  bool ok_ = true;
};

privacy::SealingKey sealing_key(const KeyBytes& bytes) {
  std::array<char, 2 * privacy::SealingKey::kBytes + 1>
      digits;  // NOLINT: written before it is read
  sodium_bin2hex(digits.data(), digits.size(), bytes.data(), bytes.size());
  privacy::SealingKey key = privacy::SealingKey::from_text({digits.data(), digits.size() - 1});
  sodium_memzero(digits.data(), digits.size());
  return key;
}

void write(Writer& out, const KeyRing& ring) {
  out.raw(ring.store.data(), ring.store.size());
  out.raw(ring.ingress.data(), ring.ingress.size());
  out.number(ring.releases);
  out.number(ring.debits);
  out.number(std::uint64_t{ring.incarnation});
  out.number(ring.rotated);
  out.number(std::uint64_t{ring.state.size()});
  for (const auto& [number, key] : ring.state) {
    out.number(number);
    out.raw(key.data(), privacy::SealingKey::kBytes);
  }
  out.number(std::uint64_t{ring.tokens.size()});
  for (const auto& [number, key] : ring.tokens) {
    out.number(std::uint64_t{number});
    out.raw(key.data(), key.size());
  }
  out.number(std::uint64_t{ring.units.size()});
  for (const auto& [of, key] : ring.units) {
    out.number(of.first);
    out.number(of.second);
    out.raw(key.data(), key.size());
  }
  out.number(std::uint64_t{ring.spent.size()});
  for (const auto& [population, epsilon] : ring.spent) {
    out.number(population);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &epsilon, sizeof bits);
    out.number(bits);
  }
}

std::optional<KeyRing> ring_of(Reader in) {
  KeyRing ring;
  in.raw(ring.store.data(), ring.store.size());
  ring.ingress = in.key();
  ring.releases = in.number();
  ring.debits = in.number();
  ring.incarnation = static_cast<std::uint32_t>(in.number());
  ring.rotated = in.signed_number();
  constexpr std::size_t kKey = TokenKeys::kBytes;
  for (std::uint64_t n = in.count(8 + kKey); n > 0; --n) {
    const std::int64_t number = in.signed_number();
    ring.state.emplace(number, sealing_key(in.key()));
  }
  for (std::uint64_t n = in.count(8 + kKey); n > 0; --n) {
    const auto number = static_cast<std::uint8_t>(in.number());
    ring.tokens.emplace(number, in.key());
  }
  for (std::uint64_t n = in.count(16 + kKey); n > 0; --n) {
    const Id experiment = in.signed_number();
    const std::int64_t period = in.signed_number();
    ring.units.emplace(std::pair(experiment, period), in.key());
  }
  for (std::uint64_t n = in.count(16); n > 0; --n) {
    const Id population = in.signed_number();
    const std::uint64_t bits = in.number();
    std::memcpy(&ring.spent[population], &bits, sizeof bits);
  }
  if (!in.ended_well() || ring.state.empty() || ring.tokens.empty()) return std::nullopt;
  return ring;
}

using Checksum = std::array<unsigned char, kSum>;

/// Of what stands before the sum and of what stands behind it.
Checksum checksum(const char* unsummed, const char* body, std::size_t size) {
  crypto_generichash_state state;
  const auto update = [&](const char* bytes, std::size_t n) {
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(bytes), n);  // NOLINT
  };
  crypto_generichash_init(&state, nullptr, 0, kSum);
  update(unsummed, kUnsummed);
  update(body, size);
  Checksum sum;  // NOLINT: written before it is read
  crypto_generichash_final(&state, sum.data(), sum.size());
  sodium_memzero(&state, sizeof state);
  return sum;
}

}  // namespace

WipedBuffer slot_of(const KeyRing& ring, std::uint64_t number) {
  Writer body;
  write(body, ring);
  const std::size_t size = body.bytes.size();
  Writer slot;
  slot.raw(kMark.data(), kMark.size());
  slot.number(kFormat);
  slot.number(number);
  slot.number(std::uint64_t{size});
  const Checksum sum = checksum(slot.bytes.data(), body.bytes.data(), size);
  slot.raw(sum.data(), sum.size());
  slot.raw(body.bytes.data(), size);
  return std::move(slot.bytes);
}

FoundSlot read_slot(const WipedBuffer& file, std::size_t which) {
  WipedBuffer slot;
  for (std::size_t at = which * kKeyPage; at < file.size(); at += kKeySlots * kKeyPage) {
    slot.append(file.data() + at, std::min(kKeyPage, file.size() - at));
  }
  FoundSlot found;
  if (slot.size() < kHead) return found;
  found.marked = std::memcmp(slot.data(), kMark.data(), kMark.size()) == 0;
  if (!found.marked) return found;
  Reader head(slot.data() + kMark.size(), kUnsummed - kMark.size());
  found.newer = head.number() > kFormat;
  found.number = head.number();
  const std::uint64_t length = head.number();
  if (found.newer || length > slot.size() - kHead) return found;
  const char* body = slot.data() + kHead;
  const auto size = static_cast<std::size_t>(length);
  const Checksum sum = checksum(slot.data(), body, size);
  if (sodium_memcmp(sum.data(), slot.data() + kUnsummed, kSum) != 0) return found;
  found.ring = ring_of(Reader(body, size));
  return found;
}

}  // namespace tacit::service
