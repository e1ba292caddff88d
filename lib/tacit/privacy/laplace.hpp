// Laplace mechanism. Lemma: a vector whose L1 sensitivity is D, released with independent Laplace
// noise of scale b on each entry, costs epsilon = D/b (Dwork, McSherry, Nissim & Smith 2006). In exact
// arithmetic the noise is discrete on a grid (grid.hpp) and the same holds (Ghosh, Roughgarden &
// Sundararajan 2012), with D counted after cutting to the grid. Secure randomness is always exact.
#pragma once

#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/grid.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/exact.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::privacy {

class Laplace {
 public:
  explicit Laplace(double scale, Arithmetic arithmetic = Arithmetic::kIdealised);

  double scale() const noexcept { return scale_; }
  Arithmetic arithmetic() const noexcept { return arithmetic_; }
  Loss loss(const Sensitivity& sensitivity) const;

  template <random::SimulatedRandomness G>
  Released<double> release(const Secret<Sum>& sum, G&& generator) const {
    return noisy(sum, generator);
  }
  /// As a local randomizer: one round's outcome, never a sum.
  template <random::SimulatedRandomness G>
  Released<double> report(const Secret<Outcome>& outcome, G&& generator) const {
    return noisy(outcome, generator);
  }
  Released<double> release(const Secret<Sum>& sum, random::SecureSource& source) const;
  Released<double> report(const Secret<Outcome>& outcome, random::SecureSource& source) const;

 private:
  friend class SignedTreeSum;  // signed_tree.hpp, which adds up the noise of several draws
  friend class NoiseReserve;   // noise_reserve.hpp, which draws in advance

  /// Noise alone: in steps of the grid where arithmetic is exact, then a whole number.
  template <class G>
  double draw(G& generator) const {
    return arithmetic_ == Arithmetic::kExact
               ? static_cast<double>(random::exact::discrete_laplace(generator, grid_.scale))
               : random::laplace(generator, scale_);
  }
  double draw_securely(random::SecureSource& source) const {
    return static_cast<double>(random::exact::discrete_laplace(source, grid_.scale));
  }
  /// The nearest point of the grid where arithmetic is exact; as secret as it was. Not cut down: over many
  /// outcomes that would add up to a bias.
  Secret<Sum> on_grid(const Secret<Sum>& sum) const;
  template <class T>
  Released<double> with_noise(const Secret<T>& value, double noise) const {
    return Vault::release(arithmetic_ == Arithmetic::kExact
                              ? grid_.noisy(Vault::open(value), static_cast<std::int64_t>(noise))
                              : Vault::open(value).value() + noise);
  }

  template <class T, class G>
  Released<double> noisy(const Secret<T>& value, G& generator) const {
    if (arithmetic_ == Arithmetic::kExact) return exactly(value, grid_, generator);
    return Vault::release(Vault::open(value).value() + random::laplace(generator, scale_));
  }
  template <class T, class G>
  static Released<double> exactly(const Secret<T>& value, const Grid& grid, G& generator) {
    const std::int64_t noise = random::exact::discrete_laplace(generator, grid.scale);
    return Vault::release(grid.noisy(Vault::open(value), noise));
  }

  double scale_;
  Arithmetic arithmetic_;
  Grid grid_;  // of exact arithmetic
};

}  // namespace tacit::privacy
