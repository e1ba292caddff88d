// A policy that an application holds: it chooses, and learns from answers that come in any order, late, or never.
//
//   live::Policy policy({.policy = "mgf-imed", .arms = 5, .epsilon = 1});
//   const live::Ticket ticket = policy.choose();      // show ticket.arm() to somebody
//   policy.report(ticket, clicked ? 1 : 0);           // whenever it is known
//
// Behind it are a learner, which is public, and a curator, which keeps secret sums by slot and adds exact noise from
// the operating system's randomness (or, for local privacy, the users' own devices: device.hpp).
//
// When something is released. A slot belongs to the choices that filled it. It is released at the first public call
// (choose or advance) after its last choice and `wait` more of them, never at an answer and never because all have
// answered: what is missing then counts as `missing`, and later answers are dropped. Of several answers to one
// ticket the first counts. So all that can be seen is a function of calls to choose and advance, of dice, and of
// earlier releases; docs/live.md has the argument.
//
// Policies that take reports (local ones, and baselines) learn from a report when it comes; each ticket's first.
//
// Thread safety: none; whoever shares one locks it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacit/accounting/ledger.hpp"
#include "tacit/actions/action_set.hpp"
#include "tacit/live/curator.hpp"
#include "tacit/live/device.hpp"
#include "tacit/live/showing.hpp"
#include "tacit/live/store.hpp"
#include "tacit/live/ticket.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/sealing.hpp"
#include "tacit/random/secure.hpp"

namespace tacit::live {

struct Setup {
  std::string policy;  // as `tacit list` shows it
  int arms = 0;
  std::optional<double> epsilon = std::nullopt;  // private policies need one
  std::optional<double> delta = std::nullopt;
  std::optional<Round> horizon =
      std::nullopt;  // the most choices there will be, for policies that need to know
  std::vector<policies::ParameterValue> parameters = {};
  std::shared_ptr<const actions::ActionSet> actions = nullptr;  // null: one arm a round
  Round wait = 0;      // how many more choices a slot stays open for late answers
  double missing = 0;  // the outcome, in [0, 1], of a choice that nobody has answered by then
};

class Policy {
 public:
  /// Throws InvalidParameter for what cannot be held: unknown names, missing epsilons and horizons, and policies that
  /// start from raw outcomes.
  explicit Policy(const Setup& setup);
  /// The one that lives in this store: taken up where it was left, or begun when the store is empty. What a release
  /// led to is kept there before it is shown. One policy a store, which outlives it. Throws std::runtime_error for
  /// a store that cannot be read or written, or whose state is not the last of its policy.
  static Policy open(const Setup& setup, Store& store, const privacy::SealingKey& key);
  /// One whose noise, devices and dice are those of a simulated run, to be repeated at will: for rehearsals and
  /// tests, and protecting nobody.
  static Policy rehearsal(const Setup& setup, const random::SimulationKey& key,
                          privacy::Arithmetic arithmetic = privacy::Arithmetic::kExact);
  /// The same with a curator of one's own, which sees what this one would: for audits and tests that watch or replace
  /// releases. Only for policies that release by slot.
  static Policy assembled(const Setup& setup, const random::SimulationKey& key,
                          std::unique_ptr<Curator> curator);
  /// As save() left it, and of the same setup. `releases_made` is what releases() was when the last state was saved:
  /// one with fewer would release a sum again, and is refused.
  static Policy restore(const Setup& setup, std::string_view state, const privacy::SealingKey& key,
                        std::uint64_t releases_made);
  /// Takes up what a rehearsal, or one with a curator of its own, saved; made as before. Others are refused.
  void load(std::string_view state, const privacy::SealingKey& key);

  /// What was moved from can be assigned to and destroyed, and nothing else.
  Policy(Policy&&) noexcept;
  Policy& operator=(Policy&&) noexcept;
  ~Policy();

  /// Releases what is due, then chooses among all arms.
  Ticket choose();
  /// Among these alone, at least one; sets are made of them.
  Ticket choose(std::span<const Arm> eligible);
  /// Releases what the next choice would release first.
  void advance();
  /// Puts all of it into the store now: what was answered since the last release would not survive a crash. Before
  /// a program ends; and now and then for policies that take reports, which keep nothing by themselves.
  void keep();

  /// The outcome of the recorded arm, in [0, 1].
  void report(const Ticket& ticket, double outcome) { report(ticket, std::span(&outcome, 1)); }
  /// Of every recorded arm, in the order of ticket.recorded(); with full information of all arms. Throws
  /// InvalidParameter for a ticket that is not this policy's, and for what is no outcome.
  void report(const Ticket& ticket, std::span<const double> outcomes);
  /// What the user's own device reports: for policies with local privacy. Refuses what no device would say.
  void take(const Ticket& ticket, const Report& report);
  /// A device for one of this policy's users, with secure randomness of its own. For lists by their stop (cascade-ldp-
  /// stop) the outcome is one number: the position at which the user stopped, counted from 0, or the list's length.
  /// A device reports once a ticket: two reports cost two epsilons.
  Report device_report(const Ticket& ticket, std::span<const double> outcomes,
                       random::SecureSource& source) const;
  /// The same of a rehearsal, whose devices can be repeated too.
  Report device_report(const Ticket& ticket, std::span<const double> outcomes,
                       const random::SimulationStream& stream) const;

  const policies::Card& card() const;
  /// Exact and secure, where there is one.
  privacy::Guarantee guarantee() const;

  // How sure we are. What follows holds AT ANY TIME: with the asked probability it is never wrong, however often somebody
  // looks and whatever he decides by it; each interval by itself. It is computed from everything that was released, so that
  // it costs no privacy. None where releases do not say what a mean is: running sums of counters, leaders, stops of lists.
  //
  // Whose mean: what nobody answered in time counts as Setup::missing, so it is the mean of outcomes with missing answers
  // so counted. Policies that take reports count nobody who has not answered: there, who answers and when must not depend on
  // the outcome. Where means change, it is their average over the choices that were released. Which choices are made
  // (when, and among which arms) may depend on what is shown, but not on answers that are not released.

  /// One of every arm; intervals cover with this probability each.
  std::vector<ArmView> show(double coverage = 0.95) const;
  /// Of mean_a - mean_b.
  std::optional<std::pair<double, double>> difference(Arm a, Arm b, double coverage = 0.95) const;
  /// The `top` arms of largest means, once they are known, as their released means order them: that one of them ever has a
  /// smaller mean than one that is left out has probability at most `error`. Empty: not yet; never, where releases do not say
  /// what a mean is.
  std::vector<Arm> best(int top, double error) const;
  /// What a policy that identifies (mgf-tt and others; tacit list --json says who) found best, by its own rule and error: from then on
  /// it plays the first of them. Empty: not yet, or another policy.
  std::vector<Arm> verdict() const;

  const accounting::Ledger& ledger() const;
  Round choices() const noexcept;
  std::uint64_t releases() const noexcept;

  // While a release could not be kept, all that shows something of it (show(), difference(), best(), verdict(), ledger(),
  // save()) throws std::runtime_error; advance() tries again.

  /// The public state in the clear, and all that is secret under the key.
  std::string save(const privacy::SealingKey& key) const;

 private:
  struct Inside;
  explicit Policy(std::unique_ptr<Inside> inside);
  Ticket choose_among(std::span<const Arm> eligible);  // none: all
  std::unique_ptr<Inside> inside_;
};

}  // namespace tacit::live
