// Randomised response on one round's outcome (Warner 1965). Lemma: a bit reported truthfully with
// probability p = e^eps/(1+e^eps) costs exactly eps. An outcome in [0, 1] is first rounded to a bit
// at random, so P(report = 1) = q + (p - q) x with q = 1 - p: the same p, q bound every input.
// In exact arithmetic p is a multiple of 2^-64, rounded down by a few of them, so that ln(p/q) is at most
// eps; a report takes two words whatever the outcome is and whatever is said.
#pragma once

#include <cmath>

#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/exact.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::privacy {

/// 2^64 times the chance of the truth e^eps/(e^eps + others), rounded down so far that the ratio to the
/// chance of any one of the `others` is at most e^eps whatever the rounding of exp. Refuses an epsilon
/// below 1e-9, where that rounding would count.
std::uint64_t truth_threshold(double epsilon, int others);
/// ln of that ratio.
double threshold_epsilon(std::uint64_t threshold, int others);

class RandomizedResponse {
 public:
  explicit RandomizedResponse(double epsilon, Arithmetic arithmetic = Arithmetic::kIdealised)
      : epsilon_(check::positive("RandomizedResponse", "epsilon", epsilon)),
        arithmetic_(arithmetic),
        truth_(1 / (1 + std::exp(-epsilon_))),
        threshold_(arithmetic == Arithmetic::kExact ? truth_threshold(epsilon, 1) : 0) {}

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
    if (arithmetic_ == Arithmetic::kExact) return exactly(outcome, threshold_, generator);
    return Vault::release(
        random::bernoulli(generator, reported_mean(Vault::open(outcome).value())));
  }
  Released<bool> report(const Secret<Outcome>& outcome, random::SecureSource& source) const;

 private:
  template <class G>
  static Released<bool> exactly(const Secret<Outcome>& outcome, std::uint64_t threshold,
                                G& generator) {
    const std::uint64_t rounding = random::exact::word(generator) >> 2;
    const bool lie = !random::exact::chance(generator, threshold);
    const bool bit = rounding < Vault::open(outcome).units();
    return Vault::release(bit != lie);
  }

  double epsilon_;
  Arithmetic arithmetic_;
  double truth_;
  std::uint64_t threshold_;  // of exact arithmetic
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
};

}  // namespace tacit::privacy
