// The key file: all that must be forgotten in time, and what an old copy of the store must not know better. It lies apart from
// the store, and is small, so that it can lie where things can be erased.
//
//   state keys    under which secret sums leave memory: the present one, and while a rotation is under way the one before
//   token keys    that make and read events
//   unit keys     of (experiment, period): once one is erased, the tags of its units link to nobody
//   ingress key   under which a unit's name is hashed before anything else is done with it
//   marks         how many releases the store has seen, what every population has spent, and how many starts there were: a store
//                 that knows less is an old copy
//
// The file is two slots, each with a checksum, of which the one with the larger number counts; a slot is written and synced
// before the other one is touched, so that a crash leaves one that is whole. What is erased is overwritten in both.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "tacit/privacy/sealing.hpp"
#include "tacit/service/store.hpp"
#include "tacit/service/token.hpp"
#include "tacit/storage/unforked_descriptor.hpp"

namespace tacit::service {

/// 32 secret bytes that are wiped wherever they go from: also when a map lets go of one.
struct KeyBytes : TokenKeys::Key {
  KeyBytes() : TokenKeys::Key{} {}
  KeyBytes(const TokenKeys::Key& key) : TokenKeys::Key(key) {}  // NOLINT: the same bytes
  KeyBytes(const KeyBytes&) = default;
  KeyBytes& operator=(const KeyBytes&) = default;
  ~KeyBytes();
};

/// What the file holds. Wiped when it goes.
struct KeyRing {
  Tag store{};                                        // the number of the store that it belongs to
  std::map<std::int64_t, privacy::SealingKey> state;  // by number, from 1; the last one seals
  std::map<std::uint8_t, KeyBytes> tokens;            // the last one makes tokens
  std::map<std::pair<Id, std::int64_t>, KeyBytes> units;
  KeyBytes ingress;
  std::uint64_t releases = 0;
  std::uint64_t debits = 0;
  std::map<Id, double> spent;  // of every population, so that an old store cannot spend it again
  std::uint32_t incarnation = 0;
  Time rotated = 0;

  static KeyRing fresh();
  std::int64_t sealing_number() const { return state.rbegin()->first; }
  const privacy::SealingKey& sealing() const { return state.rbegin()->second; }
  TokenKeys token_keys() const;
};

/// Where a ring is kept.
class Keys {
 public:
  virtual ~Keys() = default;
  virtual KeyRing read() = 0;
  /// Returns when it would survive the loss of power, and nothing that is no longer in the ring is left.
  virtual void write(const KeyRing& ring) = 0;
};

/// In memory alone: for tests and rehearsals.
class KeysInMemory final : public Keys {
 public:
  KeyRing read() override { return ring_; }
  void write(const KeyRing& ring) override { ring_ = ring; }

 private:
  KeyRing ring_ = KeyRing::fresh();
};

/// Throws std::runtime_error, in one line that names the file, for one that is missing where it must be there, a symbolic link, torn,
/// readable by others, of another store, in use by another service, or cannot be written.
///
/// It is locked while this object lives, not only its store: two copies of one store under the same keys would release the same
/// sums twice, with other noise.
class KeyFile final : public Keys {
 public:
  /// `create`: for a store that is new; then the file must not be there yet, unless it is of no store so far, or of that one, whose
  /// number is `store`: as a start that was cut short leaves it.
  KeyFile(std::string path, bool create, const Tag& store = {});
  KeyFile(const KeyFile&) = delete;
  KeyFile& operator=(const KeyFile&) = delete;

  KeyRing read() override;
  /// Throws StoreFailed where another file has the name now, or none: the marks would be lost with the one that is still open.
  void write(const KeyRing& ring) override;

 private:
  std::string path_;
  storage::UnforkedDescriptor file_{-1};
  int unfinished_ = -1;  // the slot of a write that failed: what the disk has of it, nobody knows
};

}  // namespace tacit::service
