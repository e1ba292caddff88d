// Laplace mechanism. Lemma: a vector whose L1 sensitivity is D, released with independent Laplace
// noise of scale b on each entry, costs epsilon = D/b (Dwork, McSherry, Nissim & Smith 2006).
#pragma once

#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::privacy {

class Laplace {
 public:
  explicit Laplace(double scale) : scale_(check::positive("Laplace", "scale", scale)) {}

  double scale() const noexcept { return scale_; }
  Loss loss(const Sensitivity& sensitivity) const;

  template <random::SimulatedRandomness G>
  Released<double> release(const Secret<Sum>& sum, G&& generator) const {
    return Vault::release(Vault::open(sum).value() + random::laplace(generator, scale_));
  }
  /// As a local randomizer: one round's outcome, never a sum.
  template <random::SimulatedRandomness G>
  Released<double> report(const Secret<Outcome>& outcome, G&& generator) const {
    return Vault::release(Vault::open(outcome).value() + random::laplace(generator, scale_));
  }

 private:
  double scale_;
};

}  // namespace tacit::privacy
