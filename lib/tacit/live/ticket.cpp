#include "tacit/live/ticket.hpp"

#include <cstring>

#include <sodium.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/state.hpp"
#include "tacit/random/base64.hpp"
#include "tacit/random/sodium.hpp"

namespace tacit::live {
namespace {

/// The bytes that are signed, without a heap for choices of a few arms.
class Bytes {
 public:
  template <class T>
  void add(const T& value) {
    if (size_ + sizeof value <= sizeof few_) {
      std::memcpy(few_ + size_, &value, sizeof value);
    } else {
      if (many_.empty()) many_.assign(few_, few_ + size_);
      const auto* first =
          reinterpret_cast<const unsigned char*>(&value);  // NOLINT: bytes are what is signed
      many_.insert(many_.end(), first, first + sizeof value);
    }
    size_ += sizeof value;
  }
  const unsigned char* data() const { return many_.empty() ? few_ : many_.data(); }
  std::size_t size() const { return size_; }

 private:
  unsigned char few_[256];  // NOLINT: written before it is read
  std::size_t size_ = 0;
  std::vector<unsigned char> many_;
};

/// Tickets come from outside: what is none is repeated on one line, and not for ever.
[[noreturn]] void refuse(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string shown(text.substr(0, kMost));
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';
  }
  if (text.size() > kMost) shown += "...";
  throw InvalidParameter(Option{"ticket"}, shown, "is no ticket");
}

}  // namespace

std::vector<Arm> Ticket::recorded() const {
  std::vector<Arm> arms;
  for (const Slot& slot : choice_.slots()) arms.push_back(slot.arm);
  return arms;
}

std::string Ticket::text() const {
  StateWriter writer;
  const std::vector<Arm> arms(choice_.arms().begin(), choice_.arms().end());
  writer(policy_, number_, choice_.chance, arms, choice_.slots().size());
  for (std::size_t i = 0; i < choice_.slots().size(); ++i) {
    const Slot& slot = choice_.slots()[i];
    writer(slot.arm, slot.phase, i == 0 ? place_ : more_places_[i - 1]);
  }
  for (const unsigned char byte : tag_) writer(byte);
  const std::string& words = writer.text();
  return random::to_base64(
      {reinterpret_cast<const unsigned char*>(words.data()),  // NOLINT: its bytes
       words.size()});
}

Ticket Ticket::from_text(std::string_view text) {
  const auto bytes = random::from_base64(text);
  if (!bytes || bytes->empty()) refuse(text);
  const std::string words(bytes->begin(), bytes->end());
  try {
    Ticket ticket;
    StateReader reader(words);
    std::vector<Arm> arms;
    std::size_t slots = 0;
    double chance = 0;
    reader(ticket.policy_, ticket.number_, chance, arms, slots);
    if (arms.empty() || slots > words.size()) refuse(text);
    ticket.choice_.set(arms, 0);
    ticket.choice_.chance = chance;
    for (std::size_t i = 0; i < slots; ++i) {
      Slot slot{};
      Round place = 0;
      reader(slot.arm, slot.phase, place);
      ticket.choice_.record(slot);
      if (i == 0) {
        ticket.place_ = place;
      } else {
        ticket.more_places_.push_back(place);
      }
    }
    for (unsigned char& byte : ticket.tag_) reader(byte);
    if (!reader.at_end()) refuse(text);
    return ticket;
  } catch (const InvalidParameter&) {
    refuse(text);
  }
}

TicketKey TicketKey::fresh() {
  random::need_sodium();
  TicketKey key;
  randombytes_buf(key.bytes_.data(), kBytes);
  return key;
}

TicketKey::~TicketKey() { sodium_memzero(bytes_.data(), kBytes); }

std::array<unsigned char, 16> TicketKey::tag_of(const Ticket& ticket) const {
  Bytes bytes;
  bytes.add(ticket.policy_);
  bytes.add(ticket.number_);
  bytes.add(ticket.choice_.chance);
  bytes.add(ticket.choice_.arms().size());
  for (const Arm arm : ticket.choice_.arms()) bytes.add(arm);
  bytes.add(ticket.place_);
  for (const Slot& slot : ticket.choice_.slots()) {
    bytes.add(slot.arm);
    bytes.add(slot.phase);
  }
  for (const Round place : ticket.more_places_) bytes.add(place);
  std::array<unsigned char, 16> tag{};
  static_assert(crypto_shorthash_siphashx24_BYTES == 16 &&
                crypto_shorthash_siphashx24_KEYBYTES == kBytes);
  crypto_shorthash_siphashx24(tag.data(), bytes.data(), bytes.size(), bytes_.data());
  return tag;
}

void TicketKey::sign(Ticket& ticket) const { ticket.tag_ = tag_of(ticket); }

bool TicketKey::signed_by_me(const Ticket& ticket) const {
  const auto tag = tag_of(ticket);
  return sodium_memcmp(tag.data(), ticket.tag_.data(), tag.size()) == 0;
}

}  // namespace tacit::live
