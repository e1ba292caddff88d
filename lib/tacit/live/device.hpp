// A user's own device, for policies with local privacy: it turns the outcome of a choice into a report, with
// randomness of its own, and only the report leaves it. Policy::take() takes it.
//
// Thread safety: none; one device a thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tacit/accounting/ledger.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/privacy/released.hpp"
#include "tacit/random/secure.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::live {

/// What a device lets out of one round: a number for each recorded arm, or for each position of a list. Public.
using Report = std::vector<double>;

/// Reports by the mechanism of a plan. Null for a plan whose outcomes are summed by a curator.
class Reporter {
 public:
  virtual ~Reporter() = default;
  /// One outcome in [0, 1] for each of these arms. For lists by their stop: one number, the position at which the
  /// user stopped, counted from 0, or the length of the list.
  virtual Report report(std::span<const Arm> arms, std::span<const double> outcomes) = 0;
  /// Notes what a report of so many numbers, made elsewhere by the same mechanism, has cost its user.
  virtual void note(std::size_t numbers) const = 0;
  /// How many random words it has drawn, for a rehearsal that is taken up again; secure ones have none.
  virtual std::uint64_t used() const { return 0; }
  virtual void skip_to(std::uint64_t) {}
};

std::unique_ptr<Reporter> make_reporter(const curators::Plan& plan, random::SecureSource& source,
                                        accounting::Ledger* ledger);
std::unique_ptr<Reporter> make_reporter(const curators::Plan& plan,
                                        const random::SimulationStream& stream,
                                        privacy::Arithmetic arithmetic, accounting::Ledger* ledger);

/// What a device of this plan can say, in words; "" where it can say this.
std::string why_no_device_says(const curators::Plan& plan, double value);

/// Whether the plan's rounds are answered by the position at which a user stopped.
bool answers_with_a_stop(const curators::Plan& plan);

}  // namespace tacit::live
