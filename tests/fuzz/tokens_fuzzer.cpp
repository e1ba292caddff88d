// Tokens: what is read was made here, and is made again the same; whatever is changed of one is refused; and what an older version
// may have sealed is read without harm.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <sodium.h>

#include "fuzz/property.hpp"
#include "tacit/service/token.hpp"

namespace {

using namespace tacit;           // NOLINT: a program of its own
using namespace tacit::service;  // NOLINT
using fuzz::require;

constexpr TokenKeys::Key key_of(unsigned char byte) {
  TokenKeys::Key key{};
  for (unsigned char& each : key) each = byte;
  return key;
}

const TokenKeys& keys() {
  static const TokenKeys all = [] {
    TokenKeys made;
    made.add(1, key_of(1));
    made.add(2, key_of(2));
    return made;
  }();
  return all;
}

Event event_of(fuzz::Choices& choices) {
  Event event;
  event.incarnation = static_cast<std::uint32_t>(choices.number());
  event.number = choices.number();
  event.experiment = static_cast<std::int64_t>(choices.number());
  event.generation = static_cast<std::int64_t>(choices.number());
  event.deadline = static_cast<Time>(choices.number());
  const unsigned char flags = choices.byte();
  event.recorded = (flags & 1U) != 0;
  event.deferred = (flags & 2U) != 0;
  event.fallback = (flags & 4U) != 0;
  const auto place = [&] {
    return Place{{static_cast<Arm>(choices.number()), static_cast<Round>(choices.number())},
                 static_cast<Round>(choices.number())};
  };
  for (unsigned n = choices.byte() % 5; n > 0; --n) event.places.push_back(place());
  event.page = place();
  for (unsigned n = choices.byte() % 5; n > 0; --n) {
    event.arms.push_back(static_cast<Arm>(choices.number()));
  }
  return event;
}

void check_made(fuzz::Choices choices) {
  const unsigned char change = choices.byte();
  const std::size_t where = choices.number();
  const Event event = event_of(choices);
  std::string token = keys().token(event);
  require(keys().read(token) == event, "a token says what it was made of", token);
  TokenKeys others;
  others.add(2, key_of(3));
  require(!others.read(token), "another service's key opens nothing", token);

  const std::string made = token;
  const std::size_t at = where % token.size();
  if (change % 3 == 0) {
    token[at] = static_cast<char>(change);
  } else if (change % 3 == 1) {
    token.erase(at);
  } else {
    token.insert(at, choices.rest().empty() ? "A" : choices.rest().substr(0, 8));
  }
  require(token == made || !keys().read(token), "a token that was changed is none", token);
}

/// `plain` as somebody would seal it who has the key.
void check_sealed(std::string_view plain) {
  constexpr std::size_t kHead = 13;
  std::vector<unsigned char> bytes(kHead + plain.size() + crypto_aead_chacha20poly1305_ietf_ABYTES);
  bytes[0] = 2;
  const TokenKeys::Key key = key_of(2);
  crypto_aead_chacha20poly1305_ietf_encrypt(
      bytes.data() + kHead, nullptr,
      reinterpret_cast<const unsigned char*>(plain.data()),  // NOLINT: its bytes
      plain.size(), bytes.data(), 1, nullptr, bytes.data() + 1, key.data());
  constexpr int kBase64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  std::string text(sodium_base64_encoded_len(bytes.size(), kBase64) - 1, '\0');
  sodium_bin2base64(text.data(), text.size() + 1, bytes.data(), bytes.size(), kBase64);
  const std::optional<Event> event = keys().read(text);
  if (!event) return;
  require(keys().read(keys().token(*event)) == event, "what is read can be written", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all = fuzz::text_of(data, size);
  if (const std::optional<Event> event = keys().read(all)) {
    const std::string made = keys().token(*event);
    // Of an earlier version, whose first letter says so, there is another text now.
    require(made == all || (all[0] != made[0] && keys().read(made) == event),
            "what is read was made here", all);
  }
  check_sealed(all);
  check_made(fuzz::Choices(all));
  return 0;
}
