// What a held policy is made of: the learner, the curator or the devices, and what is between a choice and its answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tacit/core/state.hpp"
#include "tacit/live/answered.hpp"
#include "tacit/live/policy.hpp"
#include "tacit/policies/release_log.hpp"
#include "tacit/random/wiped_on_fork.hpp"

namespace tacit::live {

/// From the operating system.
std::uint64_t fresh_number();

struct Policy::Inside {
  Inside(const Setup& given, const random::Dice& dice);

  bool by_slot() const noexcept { return curator != nullptr; }
  bool local() const noexcept { return entry.card.trust == policies::Trust::kLocal; }
  /// How many outcomes answer it.
  std::size_t answers_of(const Ticket& ticket) const;
  std::string name_of_call(const char* call) const;
  void check_arm(Arm arm, const char* call, const char* parameter) const;
  void check_ticket(const Ticket& ticket, const char* call) const;
  void check_outcomes(const Ticket& ticket, std::span<const double> outcomes,
                      const char* call) const;

  /// What a device says of them; null where the policy has none.
  Report report_of(const Ticket& ticket, std::span<const double> outcomes,
                   const std::unique_ptr<Reporter>& device) const;
  /// Each ticket's first report counts.
  void learn_from(const Ticket& ticket, const Report& report);
  /// Refuses to release in a child process: its parent releases the same sums.
  void check_process(const char* call) const;
  /// Refuses to show what a release led to before that is kept.
  void check_kept(const char* call) const;
  /// Releases what is due before choice number `next`.
  void release_due(Round next, const char* call);
  void keep();

  // saving.cpp
  std::string saved(const privacy::SealingKey& key) const;
  /// Refuses a state that has made fewer releases than `made`.
  void load(std::string_view state, const privacy::SealingKey& key, std::uint64_t made);
  std::string public_state() const;
  void read_ids(StateReader& reader);
  void read_due(StateReader& reader);

  struct Due {
    Slot slot;
    Round n;     // choices that it holds
    Round last;  // the number of the last of them
  };

  Setup setup;
  const policies::Entry& entry;
  policies::Setting setting;
  curators::Plan plan;
  std::unique_ptr<random::SecureSource> source;  // null: a rehearsal
  privacy::Arithmetic arithmetic = privacy::Arithmetic::kExact;
  accounting::Ledger ledger;
  std::unique_ptr<policies::Learner> learner;
  std::optional<policies::ReleaseLog> log;  // none: releases do not say what a mean is
  std::unique_ptr<Curator> curator;         // null: the policy takes reports
  std::unique_ptr<Reporter> reporter;       // of outcomes that nobody protects
  TicketKey ticket_key;
  std::uint64_t number = 0;  // its own, for life
  /// What its tickets are known by, from which choice on. A policy that is restored begins a new one: tickets that
  /// were given after the state was saved have numbers that it will give again.
  std::map<Round, std::uint64_t> ids;
  random::WipedOnFork made_here{1};
  std::uint64_t dice_number = 0;
  Round choices = 0;
  std::uint64_t releases = 0;
  int recorded = 1;     // outcomes of a round, at most, so far
  std::deque<Due> due;  // full slots, in the order of their last choices
  Answered answered;    // reports: the tickets that were
  Store* store = nullptr;
  std::optional<privacy::SealingKey> store_key;
  bool unkept = false;
  policies::Choice choice;
};

}  // namespace tacit::live
