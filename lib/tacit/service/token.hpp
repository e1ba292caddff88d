// What an application keeps of a decision until its outcome is known: text that only the service can read or make. It carries
// the decision's slots, so that nothing is stored of a decision that waits for its answer.
//
//   key id + 128, 1 byte | masked nonce, 12: incarnation, 4, and number, 8 | ciphertext | tag, 16          in base64url
//
// ChaCha20-Poly1305 (RFC 8439, libsodium). The nonce is (incarnation, number), which never comes twice: a service that starts has an
// incarnation of its own, durable before its first token, and numbers its tokens. Whether a decision is recorded is inside, and does
// not show in the length.
//
// The nonce would tell every visitor how many decisions the service makes. So it is masked by a keyed hash (BLAKE2b) of the tag, under
// a key that is derived from the token key: HN1 of Bellare, Ng & Tackmann, "Nonces are noticed" (CRYPTO 2019), as QUIC's header
// protection. Tokens without the 128 are of a service that did not mask it, and are read as before.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/core/round.hpp"
#include "tacit/core/slot.hpp"
#include "tacit/service/time.hpp"

namespace tacit::service {

/// Where the outcome of one arm goes: the slot, and the decision's place in it.
struct Place {
  Slot slot{};
  Round place = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

/// What a token says.
struct Event {
  std::uint32_t incarnation = 0;
  std::uint64_t number = 0;
  std::int64_t experiment = 0;
  std::int64_t generation = 0;  // of the experiment: what was begun in another is forgotten
  Time deadline = 0;
  bool recorded = false;           // else its places are those that it would have had
  bool deferred = false;           // not shown yet: places are given when it is activated
  bool fallback = false;           // nobody chose: the experiment is stopped
  std::vector<Place> places = {};  // of the arms whose outcomes are asked for
  Place page = {};                 // of a report, where reports are public
  std::vector<Arm> arms = {};      // what was chosen

  friend bool operator==(const Event&, const Event&) = default;
};

/// Makes tokens, and reads those that it, or an earlier key, made. Copies are wiped too.
class TokenKeys {
 public:
  static constexpr std::size_t kBytes = 32;
  using Key = std::array<unsigned char, kBytes>;

  static Key fresh_key();

  TokenKeys() = default;
  TokenKeys(const TokenKeys&) = default;
  TokenKeys& operator=(const TokenKeys&) = default;
  ~TokenKeys();

  /// The one that is added last makes tokens. Ids are below 128.
  void add(std::uint8_t id, const Key& key);

  std::string token(const Event& event) const;
  /// None for what was not made with one of these keys, without a look at anything else.
  std::optional<Event> read(std::string_view token) const;

 private:
  struct Pair {
    Key key{};
    Key mask{};  // of nonces
  };

  std::map<std::uint8_t, Pair> keys_;
  std::uint8_t current_ = 0;
};

}  // namespace tacit::service
