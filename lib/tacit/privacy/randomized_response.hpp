// Randomised response on one round's outcome (Warner 1965). Lemma: a bit reported truthfully with
// probability p = e^eps/(1+e^eps) costs exactly eps. An outcome in [0, 1] is first rounded to a bit
// at random, so P(report = 1) = q + (p - q) x with q = 1 - p: the same p, q bound every input.
// p is a multiple of 2^-64 and below 1, so that no epsilon is too large to be kept: as a double it would be 1 from
// epsilon 37 on, and nobody would lie. In exact arithmetic it is rounded down by a few of these, so that
// ln(p/q) is at most eps, and a report takes two words whatever the outcome is and whatever is said.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/exact.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::privacy {

/// 2^64 times the chance of the truth e^eps/(e^eps + others). In exact arithmetic rounded down so far that the
/// ratio to the chance of any one of the `others` is at most e^eps whatever the rounding of exp; refuses an
/// epsilon below 1e-9, where that rounding would count. Never 2^64: there is always a lie to be told.
std::uint64_t truth_threshold(double epsilon, int others, Arithmetic arithmetic);
/// What such a threshold costs, ln of that ratio: epsilon, or less where the ratio of 64-bit numbers is less.
double threshold_loss(double epsilon, std::uint64_t threshold, int others);
/// "true with probability 0.731", or, where that would be printed as 1, "false with probability 4e-18".
std::string threshold_in_words(std::uint64_t threshold, int digits);

class RandomizedResponse {
 public:
  explicit RandomizedResponse(double epsilon, Arithmetic arithmetic = Arithmetic::kIdealised)
      : epsilon_(check::positive("RandomizedResponse", "epsilon", epsilon)),
        arithmetic_(arithmetic),
        truth_(1 / (1 + std::exp(-epsilon_))),
        threshold_(truth_threshold(epsilon, 1, arithmetic)) {}

  double truth() const noexcept { return truth_; }
  /// The mean of the report when the mean outcome is `mean`.
  double reported_mean(double mean) const noexcept {
    return (1 - truth_) + (2 * truth_ - 1) * mean;
  }
  /// 1/(p - q)^2: how many reports say about as much as one outcome that is seen.
  double reports_worth_an_outcome() const noexcept {
    const double kept = std::tanh(epsilon_ / 2);  // p - q, without cancellation
    return 1 / (kept * kept);
  }
  Loss loss(const Sensitivity& sensitivity) const;

  template <random::SimulatedRandomness G>
  Released<bool> report(const Secret<Outcome>& outcome, G&& generator) const {
    if (arithmetic_ == Arithmetic::kExact) return exactly(outcome, generator);
    return Vault::release(random::exact::chance(generator, chance_of_one(Vault::open(outcome))));
  }

 private:
  friend class ExactRandomizedResponse;

  /// q + (p - q) x in units of 2^-64, which reaches p and q at bits.
  std::uint64_t chance_of_one(const Outcome& x) const noexcept {
    const std::uint64_t lie = 0 - threshold_;
    const auto moved = static_cast<random::exact::Wide>(threshold_ - lie) * x.units();
    return lie + static_cast<std::uint64_t>(moved >> 62);  // an outcome of 1 is 2^62 units
  }
  template <class G>
  Released<bool> exactly(const Secret<Outcome>& outcome, G& generator) const {
    const std::uint64_t rounding = random::exact::word(generator) >> 2;
    const bool lie = !random::exact::chance(generator, threshold_);
    const bool bit = rounding < Vault::open(outcome).units();
    return Vault::release(bit != lie);
  }

  double epsilon_;
  Arithmetic arithmetic_;
  double truth_;
  std::uint64_t threshold_;  // 2^64 p
};

/// Exact by its type, which is what secure randomness demands.
class ExactRandomizedResponse : public RandomizedResponse {
 public:
  explicit ExactRandomizedResponse(double epsilon)
      : RandomizedResponse(epsilon, Arithmetic::kExact) {}

  using RandomizedResponse::report;
  Released<bool> report(const Secret<Outcome>& outcome, random::SecureSource& source) const {
    return exactly(outcome, source);
  }
};

/// Turns an outcome in [0, 1] into a bit of the same mean. The result is as secret as the input.
class RandomizedRounding {
 public:
  template <random::SimulatedRandomness G>
  static Secret<Outcome> round(const Secret<Outcome>& outcome, G&& generator) {
    // One draw whatever the outcome: a generator that stood still would tell that it was a bit. Outcomes
    // 0 and 1 come back unchanged, since no 62-bit word is below 0 and every one is below 2^62.
    return Secret<Outcome>(Outcome::bit((generator() >> 2) < Vault::open(outcome).units()));
  }
  static Secret<Outcome> round(const Secret<Outcome>& outcome, random::SecureSource& source) {
    return Secret<Outcome>(Outcome::bit((source.word() >> 2) < Vault::open(outcome).units()));
  }
};

}  // namespace tacit::privacy
