// One experiment: a learner, which is public, the accounts of its open slots, which are secret, and the time at which each of
// them may be released.
//
// Which slot a decision has, when a slot is full, when it is released and who is chosen are computed from decisions, the clock,
// coins and *earlier releases*; an outcome enters the account of its decision's slots and nothing else.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tacit/curators/plans.hpp"
#include "tacit/live/showing.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/policies/release_log.hpp"
#include "tacit/privacy/sealing.hpp"
#include "tacit/service/account.hpp"
#include "tacit/service/keys.hpp"
#include "tacit/service/releaser.hpp"
#include "tacit/service/report_page.hpp"
#include "tacit/service/spec.hpp"
#include "tacit/service/store.hpp"
#include "tacit/service/token.hpp"

namespace tacit::service {

/// What is shown to those who are held out of learning: slots of their own, of which the learner is told nothing.
inline constexpr Arm kHoldout = -2;
/// Pages of who has reported, where reports are public.
inline constexpr Arm kPages = -3;

class Experiment {
 public:
  /// Throws Problem (422) for a policy that cannot be served: unknown, without a guarantee that is exact and secure, needing a
  /// horizon, or releasing after every round.
  Experiment(ExperimentRow row, Spec spec, const random::Dice& dice);

  const ExperimentRow& row() const noexcept { return row_; }
  const Spec& spec() const noexcept { return *spec_; }
  /// Never changed: another one takes its place.
  const std::shared_ptr<const Spec>& shared_spec() const noexcept { return spec_; }
  const ProgressRow& progress() const noexcept { return progress_; }
  /// Of the last release that may be seen: what is drawn may be durable already, and is not shown before publish().
  Round version() const noexcept { return published_; }
  const policies::Card& card() const noexcept { return entry_.card; }
  /// Of one decision's record: exact and secure.
  const privacy::Guarantee& guarantee() const noexcept { return guarantee_; }
  int arms() const noexcept { return static_cast<int>(spec_->arms.size()); }
  bool local() const noexcept { return entry_.card.trust == policies::Trust::kLocal; }
  /// A report has the position at which a list's reader stopped.
  bool by_stop() const noexcept;
  /// An outcome of every arm answers a decision.
  bool all_arms() const noexcept;
  /// How many arms a decision shows.
  int shown() const noexcept { return setting_.actions ? setting_.actions->size() : 1; }
  /// Whether anybody was shown the control for a holdout.
  bool has_held_out() const;
  /// Of a slot: an arm's, "@all" or "@holdout", which no arm can be called.
  std::string name_of(Arm arm) const;
  bool running() const noexcept { return row_.state == ExperimentState::kRunning; }
  bool stopped() const noexcept { return row_.state >= ExperimentState::kStopped; }

  // ---- decisions

  /// What the learner would show now, and where outcomes of it go; takes no place yet. `eligible`: none, all. Throws Problem (422)
  /// where there is no set of these arms alone.
  void choose(std::span<const Arm> eligible, Event& event);
  /// This arm instead: for floors.
  void choose_arm(Arm arm, Event& event) const;
  /// The control, for those who are held out.
  void hold_out(Event& event) const;
  /// It was held out with an arm that is the control no more.
  bool is_of_another_control(const Event& event) const;
  /// What is shown when the experiment is stopped; nobody's outcome is asked for.
  void fall_back(Event& event) const;
  /// Its outcomes count: gives the event its places, of the slots that its arms fill `now`, when it is shown.
  void record(Event& event, Time now);
  /// The same as seen from outside: the places that it would have had.
  void leave_out(Event& event) const;
  void count_decision();
  void set_counts(Round decisions, Round recorded);

  /// The outcomes that a decision asks for: of event.places in turn, or of all arms. Dropped unless it is recorded, of this
  /// generation, and not too late.
  void report(const Event& event, std::span<const privacy::Secret<Sum>> outcomes, Time now);
  /// What a user's device says. The first of a decision counts.
  void take(const Event& event, std::span<const double> report, Time now);
  /// Throws Problem (422) for what no device of this experiment would say.
  void check_report(const Event& event, std::span<const double> report) const;

  // ---- time

  /// Closes what has been filling for too long.
  void close_old(Time now);
  /// Closes everything that is filling: the experiment is over.
  void close_all(Time now);
  /// Draws noise for what is ripe. Nothing of it may be seen before it is durable and publish() is called.
  std::vector<ReleaseRow> release_ripe(Releaser& releaser, Time now);
  void publish(const std::vector<ReleaseRow>& released);
  /// Pages of reports that nobody may answer any more.
  std::vector<Slot> drop_old_pages(Time now);

  // ---- what is kept

  void set_state(ExperimentState state, std::string why);
  /// Of the same policy and arms.
  void set_spec(Spec spec);
  /// In the store alone, for who reads it next: this one has a learner of the arms that there were.
  void set_next_spec(const Spec& spec);
  /// Everything that changed since it was asked last.
  void write(Store& store, const KeyRing& ring);
  /// All of what is secret, again: under another key.
  void write_sealed(Store& store, const KeyRing& ring);
  /// As it was, from rows: releases in the order of their versions. False, and as if nothing was under way, when what is sealed
  /// does not open.
  bool restore(const ProgressRow& progress, const std::vector<ReleaseRow>& made,
               const std::vector<SlotRow>& slots, const std::vector<SealedRow>& sealed,
               const KeyRing& ring, Time now);
  /// Everything under way is lost, for good: tokens of before mean nothing any more.
  void abandon(const ProgressRow& progress, const std::vector<ReleaseRow>& made,
               const std::string& why);

  // ---- what may be told

  /// What releases, or reports where they are public, say of arms.
  struct Known {
    double coverage = 0;
    std::vector<live::ArmView> arms;  // but for what is under way
    std::vector<Arm> best;            // that may still be, at this coverage
    std::vector<Arm> verdict;
  };
  /// Computed once for all who ask before it changes, and never changed.
  std::shared_ptr<const Known> known(double coverage) const;
  /// Of every arm, choices in slots that are full and not released.
  std::vector<Round> rounds_under_way() const;
  std::vector<live::ArmView> views(double coverage) const;
  /// Of those who were held out; none before something of it is released, or where nobody is.
  std::optional<live::ArmView> holdout_view(double coverage) const;
  std::size_t under_way() const;
  /// When the next release is due, among what is full; 0: nothing is.
  Time next_release() const;
  /// When the clock alone next changes something: a release, a slot that is closed, a page that is dropped. kNever: nothing waits.
  static constexpr Time kNever = std::numeric_limits<Time>::max();
  Time next_due() const;

 private:
  struct OpenSlot {
    Account account;
    SlotState state = SlotState::kFilling;
    Time opened = 0;
    Time ripe = 0;
  };
  struct OpenPage {
    ReportPage page;
    Time ripe = 0;  // 0: it is filling
  };

  Slot filling(Arm arm) const;
  Round assign(Slot slot, Round n);
  Round seal(Slot slot);
  void close(Slot slot, Time now);
  Round holdout_length(Round phase) const;
  void record_report(Event& event, Time now);
  void deliver(const ReleaseRow& row);
  void check_rows(const ProgressRow& progress, const std::vector<ReleaseRow>& made,
                  const std::vector<SlotRow>& slots) const;
  void replay(const std::vector<ReleaseRow>& made);
  void restore_slot(const SlotRow& row, Time now);
  void restore_page(const SlotRow& row);
  void open_sealed(const SealedRow& row, const KeyRing& ring);
  void set_learned(const std::string& text);
  void begin_anew();
  std::string learned() const;
  std::string belonging(Slot slot, Round block) const;
  bool counts(const Event& event, Time now) const;
  void write_sums(Store& store, const KeyRing& ring, Slot slot, const Account& account) const;
  void write_block(Store& store, const KeyRing& ring, Slot slot, Round block,
                   const Account& account) const;
  void write_page(Store& store, Round number, const OpenPage& page) const;

  ExperimentRow row_;
  std::shared_ptr<const Spec> spec_;
  const policies::Entry& entry_;
  random::Dice dice_;
  policies::Setting setting_;
  curators::Plan plan_;
  privacy::Guarantee guarantee_;
  std::unique_ptr<policies::Learner> learner_;
  std::optional<policies::ReleaseLog> log_;      // none: releases do not say what a mean is
  std::optional<policies::ReleaseLog> holdout_;  // of the control, to those who are held out
  policies::Choice choice_;
  mutable std::shared_ptr<const Known> known_;  // null: not computed since it has changed

  ProgressRow progress_;
  Round published_ = 0;
  std::map<Slot, OpenSlot> open_;
  std::map<Round, OpenPage> pages_;  // by number
  std::map<Arm, Round> phase_;       // that is filling or will be; others are at their first
  Round page_ = 0;                   // the number of the page that is filling, or will be
  bool row_changed_ = false;
  bool progress_changed_ = false;
  std::set<Slot> changed_;
  std::set<Slot> changed_sums_;
  std::set<Round> changed_pages_;
};

}  // namespace tacit::service
