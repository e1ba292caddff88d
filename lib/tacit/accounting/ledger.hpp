// What was released: what it was about, when, with which noise, at what cost.
//
// A release is about a stretch of observations of one arm (or of all arms at once). A round is one
// observation of every arm that it records, so what a round has paid is the sum over its arms of the
// releases whose stretch holds it: disjoint stretches cost their maximum (parallel composition),
// overlapping ones add up. The ledger computes that from what really happened, which is how a policy's
// guarantee, computed from its parts, can be checked against its conduct.
//
// Local reports are not kept one by one (there is one for every user): how many there were, and what each
// cost its user.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tacit/core/round.hpp"
#include "tacit/core/slot.hpp"
#include "tacit/privacy/guarantee.hpp"

namespace tacit::accounting {

using tacit::kAllArms;

struct LedgerEntry {
  Round when = 0;  // the round after whose outcomes it was made
  Arm arm = kAllArms;
  Round first = 0;  // observations of the arm that it is about
  Round last = 0;
  privacy::Loss cost;  // to one of these observations

  template <class Archive>
  void state(Archive& archive) {
    archive(when, arm, first, last, cost);
  }
};

struct ReportsOfAKind {
  Round count = 0;
  privacy::Loss cost;       // of one report
  int most_in_a_round = 0;  // that one user sent

  template <class Archive>
  void state(Archive& archive) {
    archive(count, cost, most_in_a_round);
  }
};

/// What can be seen of a run: the actions, and what the mechanisms let out. For audits.
struct Transcript {
  struct Shown {
    Arm arm;
    double value;
  };
  std::vector<Arm> actions;  // of every round in turn; all arms of a set, in order
  std::vector<Shown> shown;  // releases, or the reports of all users, in order
};

class Ledger {
 public:
  Ledger() = default;
  /// Writes a transcript, and keeps no entries of its own.
  explicit Ledger(Transcript* transcript) : transcript_(transcript) {}

  bool keeps_entries() const noexcept { return transcript_ == nullptr; }
  void see_action(std::span<const Arm> action, Round rounds) {
    if (transcript_ == nullptr) return;
    for (Round i = 0; i < rounds; ++i) {
      transcript_->actions.insert(transcript_->actions.end(), action.begin(), action.end());
    }
  }
  void show(Arm arm, double value) {
    if (transcript_ != nullptr) transcript_->shown.push_back({arm, value});
  }

  /// From here on releases are made after this round's outcomes, of which `arms` arms' are recorded.
  void set_round(Round t, int arms = 1) noexcept {
    now_ = t;
    most_arms_ = std::max(most_arms_, arms);
  }
  void note(Arm arm, Round first, Round last, privacy::Loss cost) {
    entries_.push_back({now_, arm, first, last, std::move(cost)});
  }
  void note_report(const privacy::Loss& cost) {
    ReportsOfAKind& kind = reports_[cost.mechanism];
    kind.cost = cost;
    ++kind.count;
    reports_now_ = reported_ == now_ ? reports_now_ + 1 : 1;
    reported_ = now_;
    kind.most_in_a_round = std::max(kind.most_in_a_round, reports_now_);
  }

  const std::vector<LedgerEntry>& entries() const noexcept { return entries_; }
  const std::map<std::string, ReportsOfAKind>& reports() const noexcept { return reports_; }

  /// The largest sum of epsilons that any round can have paid: what a guarantee says where it adds up too, and
  /// more where it composes better (a delta, Gaussian noise on several numbers).
  double worst_epsilon() const;

  template <class Archive>
  void state(Archive& archive) {
    std::vector<std::string> mechanisms;
    for (const auto& [mechanism, kind] : reports_) mechanisms.push_back(mechanism);
    archive(now_, reported_, reports_now_, most_arms_, entries_, mechanisms);
    for (const std::string& mechanism : mechanisms) archive(reports_[mechanism]);
  }

 private:
  Transcript* transcript_ = nullptr;
  Round now_ = 0;
  Round reported_ = -1;  // the round of the last report
  int reports_now_ = 0;  // in it
  int most_arms_ = 1;    // that one round records
  std::vector<LedgerEntry> entries_;
  std::map<std::string, ReportsOfAKind> reports_;
};

}  // namespace tacit::accounting
