// Reports averaged: every round's outcome becomes one report on the user's own device, and the
// learner keeps the sum of the reports it received. With a private randomizer this is local
// privacy; with an exact report it is the ordinary empirical mean of a baseline.
//
// Privacy: one round is one report, of one outcome (a randomizer cannot be given a sum). What the
// report costs is all it costs.
#pragma once

#include <cstddef>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/privacy/exact.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/ledger.hpp"
#include "tacit/privacy/randomized_response.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::estimators {

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

template <class Randomizer>
class AveragedReports {
 public:
  using Input = Outcome;
  static constexpr bool kChangesEveryRound = true;

  AveragedReports(int arms, Randomizer randomizer, const privacy::Releases& releases)
      : randomizer_(randomizer),
        releases_(releases),
        devices_(releases.key().stream(random::Purpose::kRounding)),
        arms_(static_cast<std::size_t>(arms)) {}

  int arms() const noexcept { return static_cast<int>(arms_.size()); }
  const Estimate& estimate(Arm arm) const noexcept { return arms_[static_cast<std::size_t>(arm)]; }

  bool learn(Arm arm, Round, const privacy::Secret<Outcome>& outcome) {
    Estimate& estimate = arms_[static_cast<std::size_t>(arm)];
    const auto report = static_cast<double>(randomizer_.report(outcome, devices_).value());
    releases_.show(arm, report);
    estimate.sum += report;
    estimate.n += 1;
    releases_.note_report(randomizer_, privacy::kOneOutcome);
    return true;
  }

  /// An estimate from elsewhere, before the first report.
  void start(Arm arm, const Estimate& estimate) {
    releases_.show(arm, estimate.sum);
    arms_[static_cast<std::size_t>(arm)] = estimate;
  }

  privacy::Guarantee guarantee(const privacy::Sensitivity& sensitivity,
                               const std::string& moves) const {
    constexpr int kReportsOfARound = 1;
    return privacy::compose(privacy::Notion::kLocal, moves, kReportsOfARound,
                            randomizer_.loss(sensitivity));
  }

 private:
  Randomizer randomizer_;
  privacy::Releases releases_;
  random::SimulationStream devices_;
  std::vector<Estimate> arms_;
};

}  // namespace tacit::estimators
