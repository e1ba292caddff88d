// A curator's hand: where its noise comes from, and the ledger that its releases are noted in, if one is kept.
#pragma once

#include "tacit/accounting/ledger.hpp"
#include "tacit/core/slot.hpp"

namespace tacit::accounting {

/// The notes without the noise: all that a device needs whose randomness is the user's own.
class Notes {
 public:
  explicit Notes(Ledger* ledger = nullptr) : ledger_(ledger) {}

  /// A value about an arm that left a mechanism.
  void show(Arm arm, double value) const {
    if (ledger_ != nullptr) ledger_->show(arm, value);
  }
  /// One release about observations first..last of an arm, by a mechanism.
  template <class Mechanism>
  void note(const Mechanism& mechanism, Arm arm, Round first, Round last) const {
    if (keeps_entries()) ledger_->note(arm, first, last, mechanism.loss(privacy::kOneOutcome));
  }
  /// The same for what is not one mechanism's: `loss()` is what it costs an observation.
  template <class LossOf>
  void note_loss(Arm arm, Round first, Round last, LossOf loss) const {
    if (keeps_entries()) ledger_->note(arm, first, last, loss());
  }
  /// One release about rounds first..last and all arms.
  template <class Mechanism>
  void note_all(const Mechanism& mechanism, const privacy::Sensitivity& of_a_round, Round first,
                Round last) const {
    if (keeps_entries()) ledger_->note(kAllArms, first, last, mechanism.loss(of_a_round));
  }
  template <class Mechanism>
  void note_report(const Mechanism& mechanism, const privacy::Sensitivity& of_a_round) const {
    if (keeps_entries()) ledger_->note_report(mechanism.loss(of_a_round));
  }

 private:
  bool keeps_entries() const noexcept { return ledger_ != nullptr && ledger_->keeps_entries(); }

  Ledger* ledger_;
};

template <class NoiseSource>
class Releases : public Notes {
 public:
  // NOLINTNEXTLINE: a source alone is a place to release from, without a ledger.
  Releases(NoiseSource noise, Ledger* ledger = nullptr) : Notes(ledger), noise_(noise) {}

  const NoiseSource& noise() const noexcept { return noise_; }

 private:
  NoiseSource noise_;
};

}  // namespace tacit::accounting
