// A user's own device: one outcome in, one report out. With a private mechanism this is local privacy, whatever
// becomes of the report; with an exact one it is how a baseline sees its outcomes.
//
// Privacy: one round is one report, of one outcome (a mechanism of reports cannot be given a sum). What the
// report costs is all it costs.
//
// In a simulation the engine holds the devices of all users, as one with one stream; in production every user
// has one, with secure randomness.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "tacit/accounting/releases.hpp"
#include "tacit/core/stop.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/privacy/exact.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/randomized_response.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/privacy/stop_response.hpp"

namespace tacit::devices {

/// A report that is the outcome itself.
struct ExactReport {
  static privacy::Loss loss(const privacy::Sensitivity& s) { return privacy::Exact::loss(s); }
  template <class G>
  static privacy::Released<double> report(const privacy::Secret<Outcome>& outcome, G&) {
    return privacy::Exact::release(outcome);
  }
};

/// A report that is the outcome rounded to a bit at random: what a Beta posterior counts.
struct ExactBit {
  static privacy::Loss loss(const privacy::Sensitivity& s) { return privacy::Exact::loss(s); }
  template <class G>
  static privacy::Released<double> report(const privacy::Secret<Outcome>& outcome, G& generator) {
    return privacy::Exact::release(privacy::RandomizedRounding::round(outcome, generator));
  }
};

/// `Generator` is a SimulationStream, or a reference to a SecureSource.
template <class Mechanism, class Generator>
class ReportDevice {
 public:
  ReportDevice(Mechanism mechanism, Generator generator, const accounting::Notes& notes)
      : mechanism_(std::move(mechanism)),
        generator_(static_cast<Generator&&>(generator)),
        notes_(notes) {}

  privacy::Released<double> report(Arm arm, const privacy::Secret<Outcome>& outcome) {
    const privacy::Released<double> report = mechanism_.report(outcome, generator_);
    notes_.show(arm, report.value());
    notes_.note_report(mechanism_, privacy::kOneOutcome);
    return report;
  }
  /// Of so many reports that a user's device made elsewhere.
  void note(std::size_t reports) const {
    for (std::size_t i = 0; i < reports; ++i) notes_.note_report(mechanism_, privacy::kOneOutcome);
  }
  Generator& generator() noexcept { return generator_; }
  const Generator& generator() const noexcept { return generator_; }
  /// A sum that is one outcome: how full information comes. Only where nothing is protected anyway.
  static privacy::Released<double> report_sum_of_one(
      Arm, const privacy::Secret<Sum>& sum) requires std::is_same_v<Mechanism, ExactReport> {
    return privacy::Exact::release(sum);
  }

 private:
  Mechanism mechanism_;
  Generator generator_;
  accounting::Notes notes_;
};

/// Reports where the user of a ranked list stopped: one number a position, unbiased for "stopped here".
template <class Mechanism, class Generator>
class StopDevice {
 public:
  StopDevice(Mechanism mechanism, Generator generator, const accounting::Notes& notes)
      : mechanism_(std::move(mechanism)),
        generator_(static_cast<Generator&&>(generator)),
        notes_(notes),
        of_a_list_(feedback::Cascade::sensitivity(mechanism_.positions())) {}

  /// What was in `clicks` is gone.
  void report(const privacy::Secret<Stop>& stop, std::vector<privacy::Released<double>>& clicks) {
    mechanism_.report(stop, generator_, clicks);
    for (const auto& click : clicks) notes_.show(kAllArms, click.value());
    notes_.note_report(mechanism_, of_a_list_);
  }
  std::vector<privacy::Released<double>> report(const privacy::Secret<Stop>& stop) {
    std::vector<privacy::Released<double>> clicks;
    report(stop, clicks);
    return clicks;
  }
  /// Of a report that a user's device made elsewhere: one, of however many numbers.
  void note(std::size_t) const { notes_.note_report(mechanism_, of_a_list_); }
  Generator& generator() noexcept { return generator_; }
  const Generator& generator() const noexcept { return generator_; }

 private:
  Mechanism mechanism_;
  Generator generator_;
  accounting::Notes notes_;
  privacy::Sensitivity of_a_list_;
};

}  // namespace tacit::devices
