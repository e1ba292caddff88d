// The bytes of a key file: two slots, each of which holds the whole ring.
//
// A slot, without its pages: head | what it holds. The head is
//
//   mark, 8 bytes | format, 8 | number, 8 | length of what follows, 8 | checksum of everything else, 32
//
// The two slots take turns page by page, so that each may grow without moving the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "tacit/service/keys.hpp"

namespace tacit::service {

/// Memory that is wiped before it is given back: what grows leaves nothing behind.
class WipedBytes {
 public:
  WipedBytes() = default;
  explicit WipedBytes(std::size_t size) { resize(size); }
  WipedBytes(const WipedBytes&) = delete;
  WipedBytes& operator=(const WipedBytes&) = delete;
  WipedBytes(WipedBytes&& other) noexcept;
  WipedBytes& operator=(WipedBytes&&) = delete;
  ~WipedBytes();

  unsigned char* data() { return memory_.get(); }
  const unsigned char* data() const { return memory_.get(); }
  std::size_t size() const { return size_; }
  /// What is new is zero.
  void resize(std::size_t size);
  void append(const unsigned char* from, std::size_t size);

 private:
  void move_to(std::size_t capacity);

  // Zero from size_ on.
  std::unique_ptr<unsigned char[]> memory_;  // NOLINT: bytes
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

constexpr std::size_t kKeyPage = 4096;
constexpr std::size_t kKeySlots = 2;

/// The ring as the slot of this number holds it, without its pages.
WipedBytes slot_of(const KeyRing& ring, std::uint64_t number);

struct FoundSlot {
  bool marked = false;  // it begins as a slot does
  bool newer = false;   // in a form that is not known here
  std::uint64_t number = 0;
  std::optional<KeyRing> ring;  // none: it is not whole
};

/// What the file has in this slot, of which any part may be missing or changed.
FoundSlot read_slot(const WipedBytes& file, std::size_t which);

}  // namespace tacit::service
