// Report noisy max: only the position of the largest noisy score leaves.
//
// Lemma: with Laplace, Gumbel or one-sided exponential noise of scale b on scores that each move by
// at most D, the loss is D/b when all scores that move do so in one direction (one arm changes, or
// monotone scores), and 2D/b when one replaced user can raise one score and lower another. Gumbel
// noise is the exponential mechanism, one-sided exponential noise is permute-and-flip (McKenna &
// Sheldon 2020; Ding et al. 2021), which never does worse than Gumbel's at the same loss.
// Hu et al. take D/b for full information, where 2D/b is due: the factor of two in rnm-ftnl.
//
// In exact arithmetic the noise is discrete Laplace or geometric on a grid and the first of equal scores
// wins. The proof is the same: whatever the others' noise, one position wins when its noise reaches a
// whole number of steps, which moves by 2^bits D at most (twice that). Gumbel noise has no exact sampler
// whose time does not depend on the scores, so there it is refused.
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

class NoisyMax {
 public:
  enum class Noise { kLaplace, kGumbel, kExponential };

  NoisyMax(Noise noise, double scale, Arithmetic arithmetic = Arithmetic::kIdealised);

  Loss loss(const Sensitivity& sensitivity) const;

  template <random::SimulatedRandomness G>
  Released<Arm> select(const SecretVector<Sum>& scores, G&& generator) const {
    if (arithmetic_ == Arithmetic::kExact) return exactly(scores, generator);
    return first_largest(scores, [&](const Sum& score) { return score.value() + draw(generator); });
  }

 private:
  friend class ExactNoisyMax;

  template <class G>
  Released<Arm> exactly(const SecretVector<Sum>& scores, G& generator) const {
    const auto draw_steps = [&] {
      return noise_ == Noise::kLaplace ? random::exact::discrete_laplace(generator, grid_.scale)
                                       : random::exact::geometric(generator, grid_.scale);
    };
    return first_largest(scores,
                         [&](const Sum& score) { return score.steps(grid_.bits) + draw_steps(); });
  }

  template <class NoisyScore>
  static Released<Arm> first_largest(const SecretVector<Sum>& scores, NoisyScore noisy) {
    Arm best = 0;
    auto largest = noisy(Vault::open(scores[0]));
    for (std::size_t i = 1; i < scores.size(); ++i) {
      const auto score = noisy(Vault::open(scores[i]));
      if (score > largest) {
        largest = score;
        best = static_cast<Arm>(i);
      }
    }
    return Vault::release(best);
  }

  template <class G>
  double draw(G& generator) const {
    switch (noise_) {
      case Noise::kLaplace: return random::laplace(generator, scale_);
      case Noise::kGumbel: return random::gumbel(generator, scale_);
      case Noise::kExponential: return random::exponential(generator, scale_);
    }
    return 0;
  }

  Noise noise_;
  double scale_;
  Arithmetic arithmetic_;
  Grid grid_;  // of exact arithmetic
};

/// Exact by its type, which is what secure randomness demands.
class ExactNoisyMax : public NoisyMax {
 public:
  ExactNoisyMax(Noise noise, double scale) : NoisyMax(noise, scale, Arithmetic::kExact) {}

  using NoisyMax::select;
  Released<Arm> select(const SecretVector<Sum>& scores, random::SecureSource& source) const {
    return exactly(scores, source);
  }
};

}  // namespace tacit::privacy
