// Gaussian mechanism with its exact trade-off (Balle & Wang 2018, Thm 8). Lemma: N(0, sigma^2)
// noise on a vector of L2 sensitivity D is (eps, delta)-private if and only if
//   Phi(D/(2 sigma) - eps sigma/D) - e^eps Phi(-D/(2 sigma) - eps sigma/D) <= delta.
// Valid for every eps > 0, unlike the classic sigma = D sqrt(2 ln(1.25/delta))/eps (eps < 1 only).
#pragma once

#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::privacy {

/// The smallest delta of N(0, sigma^2) noise at L2 sensitivity `l2` and this epsilon >= 0.
double gaussian_delta(double epsilon, double sigma, double l2);
/// The smallest sigma that is (epsilon, delta)-private at L2 sensitivity `l2`, to 1e-12 relative.
double gaussian_sigma(double epsilon, double delta, double l2);
/// The smallest epsilon that sigma gives at this delta; 0 when delta alone covers it.
double gaussian_epsilon(double sigma, double delta, double l2);

class Gaussian {
 public:
  /// `delta` is the one at which its loss is stated.
  Gaussian(double sigma, double delta)
      : sigma_(check::positive("Gaussian", "sigma", sigma)),
        delta_(check::strictly_within("Gaussian", "delta", delta, 0, 1)) {}

  double sigma() const noexcept { return sigma_; }
  Loss loss(const Sensitivity& sensitivity) const;

  template <random::SimulatedRandomness G>
  Released<double> release(const Secret<Sum>& sum, G&& generator) const {
    return Vault::release(Vault::open(sum).value() + sigma_ * random::standard_normal(generator));
  }
  template <random::SimulatedRandomness G>
  Released<double> report(const Secret<Outcome>& outcome, G&& generator) const {
    return Vault::release(Vault::open(outcome).value() +
                          sigma_ * random::standard_normal(generator));
  }

 private:
  double sigma_;
  double delta_;
};

}  // namespace tacit::privacy
