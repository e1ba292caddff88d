// Gaussian mechanism with its exact trade-off (Balle & Wang 2018, Thm 8). Lemma: N(0, sigma^2)
// noise on a vector of L2 sensitivity D is (eps, delta)-private if and only if
//   Phi(D/(2 sigma) - eps sigma/D) - e^eps Phi(-D/(2 sigma) - eps sigma/D) <= delta.
// Valid for every eps > 0, unlike the classic sigma = D sqrt(2 ln(1.25/delta))/eps (eps < 1 only).
//
// In exact arithmetic the noise is a discrete Gaussian (Canonne, Kamath & Steinke 2020) on the multiples
// of 2^-bits. Lemma: with v the variance in steps^2 and a vector of n whole numbers of steps, L2
// sensitivity D and L1 sensitivity at most sqrt(n) D, delta is at most
//   Phi(D/(2 sigma) - eps sigma/D + h) - e^eps Phi(-D/(2 sigma) - eps sigma/D - h) + n/v,
//   h = sqrt(n)/(2 sqrt(v)).
// Proof: delta = P(<m, Y> > eps v - |m|^2/2) - e^eps P(<m, Y> > eps v + |m|^2/2) for the worst shift m.
// A discrete Gaussian's mass at y is at most 1 + 1/v times the continuous mass of the cell around y, and at
// least 1 - y^2/v^2 times it, which for the tails that matter here is as close to 1; so Y is a rounded
// continuous Gaussian up to the factor (1 + 1/v)^n, and rounding moves <m, Y> by |m|_1/2 at most, which is
// h in units of its deviation |m| sqrt(v).
// The exact noise's variance is larger by 2e-4, which lowers the first term by phi 1e-4 D/sigma where the grid
// raises it by 2 phi h (phi the density at D/(2 sigma) - eps sigma/D). So exact noise costs no more than its
// idealised twin as long as an entry moves by 10^4 steps or more, which is sigma up to 2^10, and delta is
// far above n/v; what lies beyond is refused, since it would cost more than sigma was chosen for.
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

/// The smallest delta of N(0, sigma^2) noise at L2 sensitivity `l2` and this epsilon >= 0.
double gaussian_delta(double epsilon, double sigma, double l2);
/// The smallest sigma that is (epsilon, delta)-private at L2 sensitivity `l2`, to 1e-12 relative.
double gaussian_sigma(double epsilon, double delta, double l2);
/// The smallest epsilon that sigma gives at this delta; 0 when delta alone covers it.
double gaussian_epsilon(double sigma, double delta, double l2);

/// At most this, for a discrete Gaussian of this variance in steps^2, n entries, L2 sensitivity in steps.
double discrete_gaussian_delta(double epsilon, double variance, double l2, double entries);

/// The classic sigma = l2 sqrt(2 ln(1.25/delta))/epsilon (Dwork & Roth 2014, Thm A.1), for comparison. Its
/// proof needs epsilon < 1 and it is refused from there on: at epsilon 10, delta 1e-3 it spends 3.4e-3.
double classic_gaussian_sigma(double epsilon, double delta, double l2);

namespace detail {
/// The formula without the check of its range, to show what it would do there.
double classic_sigma_unchecked(double epsilon, double delta, double l2);
}  // namespace detail

class Gaussian {
 public:
  /// `delta` is the one at which its loss is stated.
  Gaussian(double sigma, double delta, Arithmetic arithmetic = Arithmetic::kIdealised);

  double sigma() const noexcept { return sigma_; }
  Loss loss(const Sensitivity& sensitivity) const;

  template <random::SimulatedRandomness G>
  Released<double> release(const Secret<Sum>& sum, G&& generator) const {
    return noisy(sum, generator);
  }
  template <random::SimulatedRandomness G>
  Released<double> report(const Secret<Outcome>& outcome, G&& generator) const {
    return noisy(outcome, generator);
  }

 private:
  friend class ExactGaussian;

  template <class T, class G>
  Released<double> noisy(const Secret<T>& value, G& generator) const {
    if (arithmetic_ == Arithmetic::kExact) return exactly(value, generator);
    return Vault::release(Vault::open(value).value() + sigma_ * random::standard_normal(generator));
  }
  template <class T, class G>
  Released<double> exactly(const Secret<T>& value, G& generator) const {
    const std::int64_t noise = random::exact::discrete_gaussian(generator, grid_.scale);
    return Vault::release(grid_.noisy(Vault::open(value), noise));
  }
  /// Its scale is the variance in steps^2, a little more than sigma^2 to pay for the grid.
  static Grid grid_for(double sigma);
  /// Refuses a delta for which the term n/v of the bound would count.
  void check_delta(double entries) const;

  double sigma_;
  double delta_;
  Arithmetic arithmetic_;
  Grid grid_;  // of exact arithmetic
};

/// Exact by its type, which is what secure randomness demands.
class ExactGaussian : public Gaussian {
 public:
  ExactGaussian(double sigma, double delta) : Gaussian(sigma, delta, Arithmetic::kExact) {}

  using Gaussian::release;
  using Gaussian::report;
  Released<double> release(const Secret<Sum>& sum, random::SecureSource& source) const {
    return exactly(sum, source);
  }
  Released<double> report(const Secret<Outcome>& outcome, random::SecureSource& source) const {
    return exactly(outcome, source);
  }
};

}  // namespace tacit::privacy
