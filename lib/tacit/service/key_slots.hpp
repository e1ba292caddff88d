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
#include <optional>

#include "tacit/service/keys.hpp"
#include "tacit/service/wiped_buffer.hpp"

namespace tacit::service {

constexpr std::size_t kKeyPage = 4096;
constexpr std::size_t kKeySlots = 2;

/// The ring as the slot of this number holds it, without its pages.
WipedBuffer slot_of(const KeyRing& ring, std::uint64_t number);

struct FoundSlot {
  bool marked = false;  // it begins as a slot does
  bool newer = false;   // in a form that is not known here
  std::uint64_t number = 0;
  std::optional<KeyRing> ring;  // none: it is not whole
};

/// What the file has in this slot, of which any part may be missing or changed.
FoundSlot read_slot(const WipedBuffer& file, std::size_t which);

}  // namespace tacit::service
