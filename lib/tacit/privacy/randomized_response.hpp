// Randomised response on one round's outcome (Warner 1965). Lemma: a bit reported truthfully with
// probability p = e^eps/(1+e^eps) costs exactly eps. An outcome in [0, 1] is first rounded to a bit
// at random, so P(report = 1) = q + (p - q) x with q = 1 - p: the same p, q bound every input.
#pragma once

#include <cmath>

#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::privacy {

class RandomizedResponse {
 public:
  explicit RandomizedResponse(double epsilon)
      : epsilon_(check::positive("RandomizedResponse", "epsilon", epsilon)),
        truth_(1 / (1 + std::exp(-epsilon_))) {}

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
    return Vault::release(
        random::bernoulli(generator, reported_mean(Vault::open(outcome).value())));
  }

 private:
  double epsilon_;
  double truth_;
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
