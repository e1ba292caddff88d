// Laplace mechanism. Lemma: a vector whose L1 sensitivity is D, released with independent Laplace
// noise of scale b on each entry, costs epsilon = D/b (Dwork, McSherry, Nissim & Smith 2006). In exact
// arithmetic the noise is discrete on a grid (grid.hpp) and the same holds (Ghosh, Roughgarden &
// Sundararajan 2012), with D counted after cutting to the grid.
//
// Laplace is exact or idealised by construction and takes simulated randomness; ExactLaplace is exact by its
// type, and takes secure randomness, too. So whoever protects real users has named the exact mechanism.
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
  /// What sums are cut to multiples of before noise is added; 0: they are not.
  double step() const noexcept { return arithmetic_ == Arithmetic::kExact ? grid_.step() : 0; }
  Loss loss(const Sensitivity& sensitivity) const;

  template <random::SimulatedRandomness G>
  Released<double> release(const Secret<Sum>& sum, G&& generator) const {
    return with_noise(sum, draw(generator));
  }
  /// As a local randomizer: one round's outcome, never a sum.
  template <random::SimulatedRandomness G>
  Released<double> report(const Secret<Outcome>& outcome, G&& generator) const {
    return with_noise(outcome, draw(generator));
  }

 private:
  template <class NoiseSource>
  friend class SignedTreeSum;           // signed_tree.hpp, which adds up the noise of several draws
  friend class ExactLaplace;            // below
  friend class NoiseReserve;            // noise_reserve.hpp, which draws in advance
  friend class SimulatedLaplaceInTurn;  // noise_source.hpp, as well

  /// Noise alone: in steps of the grid where arithmetic is exact, then a whole number, which a double holds up
  /// to 2^13 scales of 2^40 steps. As secret as the sum until it is added, and after that.
  template <random::SimulatedRandomness G>
  Secret<double> draw(G& generator) const {
    return arithmetic_ == Arithmetic::kExact ? draw_steps(generator)
                                             : Secret<double>(random::laplace(generator, scale_));
  }
  template <class G>
  Secret<double> draw_steps(G& generator) const {
    return Secret<double>(
        static_cast<double>(random::exact::discrete_laplace(generator, grid_.scale)));
  }
  /// The nearest point of the grid where arithmetic is exact; as secret as it was. Not cut down: over many
  /// outcomes that would add up to a bias.
  Secret<Sum> on_grid(const Secret<Sum>& sum) const;
  template <class T>
  Released<double> with_noise(const Secret<T>& value, const Secret<double>& noise) const {
    const double drawn = Vault::open(noise);
    return Vault::release(arithmetic_ == Arithmetic::kExact
                              ? grid_.noisy(Vault::open(value), static_cast<std::int64_t>(drawn))
                              : Vault::open(value).value() + drawn);
  }

  double scale_;
  Arithmetic arithmetic_;
  Grid grid_;  // of exact arithmetic
};

class ExactLaplace : public Laplace {
 public:
  explicit ExactLaplace(double scale) : Laplace(scale, Arithmetic::kExact) {}

  using Laplace::release;
  using Laplace::report;
  Released<double> release(const Secret<Sum>& sum, random::SecureSource& source) const {
    return with_noise(sum, draw(source));
  }
  Released<double> report(const Secret<Outcome>& outcome, random::SecureSource& source) const {
    return with_noise(outcome, draw(source));
  }

 private:
  template <class NoiseSource>
  friend class SignedTreeSum;
  friend class NoiseReserve;

  using Laplace::draw;
  Secret<double> draw(random::SecureSource& source) const { return draw_steps(source); }
};

}  // namespace tacit::privacy
