// What an application keeps of a choice until its outcome is known: a value that carries its slots. The policy keeps
// nothing of a choice that waits for its answer, so that an answer may come late, twice or never.
//
// A ticket is authenticated (SipHash-2-4 with 128 bits, libsodium) under a key that only its policy has: one that
// was forged, altered, or given by another policy is refused. It holds nothing secret: which slots a choice fills is
// public.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/policies/choice.hpp"

namespace tacit::live {

class TicketKey;

class Ticket {
 public:
  Ticket(const Ticket&) = default;
  Ticket(Ticket&&) noexcept = default;
  Ticket& operator=(const Ticket&) = default;
  Ticket& operator=(Ticket&&) noexcept = default;
  ~Ticket() = default;

  /// What is to be shown, in order.
  std::span<const Arm> arms() const noexcept { return choice_.arms(); }
  Arm arm() const noexcept { return choice_.arm(); }
  /// The arms whose outcomes are asked for, in the order in which they are to be reported; kAllArms alone: of
  /// every arm.
  std::vector<Arm> recorded() const;
  /// Where their outcomes go.
  std::span<const Slot> slots() const noexcept { return choice_.slots(); }
  /// 1 for a policy's first choice.
  Round number() const noexcept { return number_; }

  /// Printable, for a link or a form; from_text() reads it. Throws InvalidParameter for what is no ticket.
  std::string text() const;
  static Ticket from_text(std::string_view text);

 private:
  friend class TicketKey;
  friend class Policy;

  Ticket() = default;  // of no choice: only a policy gives one

  std::uint64_t policy_ = 0;
  Round number_ = 0;
  policies::Choice choice_;
  Round place_ = 0;                 // of this choice in its first slot
  std::vector<Round> more_places_;  // in the others
  std::array<unsigned char, 16> tag_{};
};

/// Signs tickets, and knows its own.
class TicketKey {
 public:
  static constexpr std::size_t kBytes = 16;
  static TicketKey fresh();
  TicketKey(const TicketKey&) = default;
  TicketKey& operator=(const TicketKey&) = default;
  ~TicketKey();  // wipes it

  void sign(Ticket& ticket) const;
  bool signed_by_me(const Ticket& ticket) const;

  template <class Archive>
  void state(Archive& archive) {
    for (unsigned char& byte : bytes_) archive(byte);
  }

 private:
  TicketKey() = default;
  std::array<unsigned char, 16> tag_of(const Ticket& ticket) const;
  std::array<unsigned char, kBytes> bytes_{};
};

}  // namespace tacit::live
