// The key file, as a disk may give it back, and rows that were sealed: what is no key file is refused in one line, a write that was
// cut short leaves the ring from before or after it, and what was changed of a row does not open.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <sodium.h>

#include "fuzz/property.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/privacy/sealing.hpp"
#include "tacit/service/account.hpp"
#include "tacit/service/keys.hpp"

namespace {

using namespace tacit;           // NOLINT: a program of its own
using namespace tacit::service;  // NOLINT
using fuzz::require;

/// A file in memory, which has a path of its own: the one of a descriptor would be a link.
class MemoryFile {
 public:
  MemoryFile()
      : path_("/dev/shm/tacit_keys_XXXXXX"), descriptor_(mkostemp(path_.data(), O_CLOEXEC)) {
    require(descriptor_ >= 0 && fchmod(descriptor_, 0600) == 0, "there is memory for a file");
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    unlink(path_.c_str());
    close(descriptor_);
  }

  const std::string& path() const { return path_; }
  void put(std::string_view bytes) const {
    require(ftruncate(descriptor_, 0) == 0, "it can be emptied");
    require(
        pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
        "it can be written");
  }
  std::string bytes() const {
    std::string all(static_cast<std::size_t>(lseek(descriptor_, 0, SEEK_END)), '\0');
    require(pread(descriptor_, all.data(), all.size(), 0) == static_cast<ssize_t>(all.size()),
            "it can be read");
    return all;
  }

 private:
  std::string path_;
  int descriptor_;
};

MemoryFile& file() {
  static MemoryFile only;
  return only;
}

// As key_slots.cpp writes it.
constexpr std::size_t kPage = 4096;
constexpr std::size_t kUnsummed = 32;
constexpr std::size_t kSum = 32;

void put_number(std::string& out, std::uint64_t number) {
  static_assert(std::endian::native == std::endian::little);
  std::array<char, sizeof number> bytes;  // NOLINT: written before it is read
  std::memcpy(bytes.data(), &number, sizeof number);
  out.append(bytes.data(), bytes.size());
}

/// A slot with a checksum that is right, of whatever it holds.
std::string slot_of(std::string_view body, std::uint64_t number) {
  std::string slot = "tacitkey";
  put_number(slot, 1);
  put_number(slot, number);
  put_number(slot, body.size());
  std::string summed = slot;
  summed += body;
  std::string sum(kSum, '\0');
  crypto_generichash(reinterpret_cast<unsigned char*>(sum.data()), sum.size(),  // NOLINT: bytes
                     reinterpret_cast<const unsigned char*>(summed.data()),     // NOLINT
                     summed.size(), nullptr, 0);
  slot += sum;
  slot += body;
  return slot;
}

/// Pages of two slots that take turns.
std::string interleaved(std::string first, std::string second) {
  const std::size_t pages = (std::max(first.size(), second.size()) + kPage - 1) / kPage;
  first.resize(pages * kPage);
  second.resize(pages * kPage);
  std::string all;
  for (std::size_t page = 0; page < pages; ++page) {
    all += first.substr(page * kPage, kPage);
    all += second.substr(page * kPage, kPage);
  }
  return all;
}

/// What a slot holds.
std::string body_of(const KeyRing& ring) {
  std::string all;
  const auto add = [&](const void* bytes, std::size_t size) {
    all.append(static_cast<const char*>(bytes), size);
  };
  const auto put = [&](auto number) { put_number(all, static_cast<std::uint64_t>(number)); };
  add(ring.store.data(), ring.store.size());
  add(ring.ingress.data(), ring.ingress.size());
  put(ring.releases);
  put(ring.debits);
  put(ring.incarnation);
  put(ring.rotated);
  put(ring.state.size());
  for (const auto& [number, key] : ring.state) {
    put(number);
    add(key.data(), privacy::SealingKey::kBytes);
  }
  put(ring.tokens.size());
  for (const auto& [number, key] : ring.tokens) {
    put(number);
    add(key.data(), key.size());
  }
  put(ring.units.size());
  for (const auto& [of, key] : ring.units) {
    put(of.first);
    put(of.second);
    add(key.data(), key.size());
  }
  put(ring.spent.size());
  for (const auto& [population, epsilon] : ring.spent) {
    put(population);
    add(&epsilon, sizeof epsilon);
  }
  return all;
}

/// Whatever stands in the file: refused, or a ring that can be kept.
void check_file(const std::string& bytes) {
  file().put(bytes);
  try {
    KeyFile keys(file().path(), false);
    const KeyRing ring = keys.read();
    require(!ring.state.empty() && !ring.tokens.empty(), "a ring has keys to seal and to make");
    keys.write(ring);
    require(body_of(keys.read()) == body_of(ring), "it is written and read as the same");
  } catch (const std::runtime_error& refused) {
    fuzz::require_one_line(refused.what());
    require(std::string_view(refused.what()).starts_with(file().path()), "the file is named");
  }
}

KeyRing ring_of(fuzz::Choices& choices) {
  KeyRing ring;
  ring.state.emplace(1 + choices.byte(), privacy::SealingKey::from_text(std::string(64, 'a')));
  ring.tokens[choices.byte()].fill(choices.byte());
  ring.releases = choices.number();
  ring.rotated = static_cast<Time>(choices.number());
  // A few are longer than a page, or than two.
  constexpr int kUsual = 250;
  constexpr int kAPage = kPage / 64 + 1;
  const int some = choices.byte();
  for (int n = some < kUsual ? some % 4 : (some % 2 + 1) * kAPage; n > 0; --n) {
    ring.units[{n, choices.byte()}].fill(choices.byte());
    ring.spent[n] = n;
  }
  return ring;
}

/// Of what was to be written to one slot, these sectors are on the disk and the others as they were.
std::string torn(const std::string& before, const std::string& after, std::size_t slot,
                 fuzz::Choices choices) {
  constexpr std::size_t kSector = 512;
  std::string all = before;
  unsigned bits = 0;
  for (std::size_t at = 0; at < after.size(); at += kSector) {
    if (at / kPage % 2 != slot) continue;
    if (bits <= 1) bits = 0x100U | choices.byte();
    if ((bits & 1U) != 0) {
      all.resize(std::max(all.size(), at + kSector));
      all.replace(at, kSector, after, at, kSector);
    }
    bits >>= 1U;
  }
  return all;
}

/// A write that is cut short, in its first slot or in its second.
void check_torn(fuzz::Choices choices) {
  const KeyRing before = ring_of(choices);
  KeyRing after = choices.byte() % 2 == 0 ? before : ring_of(choices);
  after.incarnation = 1;
  const std::string old_bytes =
      interleaved(slot_of(body_of(before), 1), slot_of(body_of(before), 2));
  file().put(old_bytes);
  KeyFile keys(file().path(), false);
  require(body_of(keys.read()) == body_of(before), "a ring is read as it was written");
  keys.write(after);
  const std::string new_bytes = file().bytes();
  require(body_of(keys.read()) == body_of(after), "it was written");

  file().put(torn(old_bytes, new_bytes, 0, choices));
  const std::string found = body_of(keys.read());
  require(found == body_of(before) || found == body_of(after), "a torn write is none, or whole");

  static const std::string kAll(64, '\xff');
  const std::string half = torn(old_bytes, new_bytes, 0, fuzz::Choices(kAll));
  file().put(torn(half, new_bytes, 1, choices));
  require(body_of(keys.read()) == body_of(after), "the slot that was written first counts");
}

void check_rows(fuzz::Choices choices) {
  static const privacy::SealingKey key = privacy::SealingKey::fresh();
  Account account(1, 0.5);
  account.open_place();
  const unsigned char change = choices.byte();
  const std::size_t where = choices.number();
  for (const bool sums : {true, false}) {
    const std::string sealed =
        sums ? account.sealed_sums(key, "row") : account.sealed_block(0, key, "row");
    const auto opens = [&](std::string_view text, std::string_view row) {
      try {
        Account other(1, 0.5);
        other.set_places(1);
        sums ? other.open_sums(text, key, row) : other.open_block(0, text, key, row);
        return true;
      } catch (const InvalidParameter& refused) {
        fuzz::require_one_line(refused.what());
        return false;
      }
    };
    require(opens(sealed, "row"), "a row opens");
    require(!opens(sealed, "other row"), "a row that was moved does not open");
    require(!opens(choices.rest(), "row"), "what was never sealed does not open");
    std::string changed = sealed;
    changed[where % changed.size()] = static_cast<char>(change);
    require(changed == sealed || !opens(changed, "row"), "a row that was changed does not open");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choices(fuzz::text_of(data, size));
  switch (choices.byte() % 4) {
    case 0: check_file(std::string(choices.rest())); break;
    // A slot whose checksum is right, beside what is none.
    case 1: check_file(interleaved(slot_of(choices.rest(), 7), "")); break;
    case 2: check_torn(choices); break;
    default: check_rows(choices);
  }
  return 0;
}
