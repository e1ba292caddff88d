// Report noisy max: only the position of the largest noisy score leaves.
//
// Lemma: with Laplace, Gumbel or one-sided exponential noise of scale b on scores that each move by
// at most D, the loss is D/b when all scores that move do so in one direction (one arm changes, or
// monotone scores), and 2D/b when one replaced user can raise one score and lower another. Gumbel
// noise is the exponential mechanism, one-sided exponential noise is permute-and-flip (McKenna &
// Sheldon 2020; Ding et al. 2021), which never does worse than Gumbel's at the same loss.
// Hu et al. take D/b for full information, where 2D/b is due: the factor of two in rnm-ftnl.
#pragma once

#include <limits>

#include "tacit/core/check.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::privacy {

class NoisyMax {
 public:
  enum class Noise { kLaplace, kGumbel, kExponential };

  NoisyMax(Noise noise, double scale)
      : noise_(noise), scale_(check::positive("NoisyMax", "scale", scale)) {}

  Loss loss(const Sensitivity& sensitivity) const;

  template <random::SimulatedRandomness G>
  Released<Arm> select(const SecretVector<Sum>& scores, G&& generator) const {
    Arm best = 0;
    double best_score = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double score = Vault::open(scores[i]).value() + draw(generator);
      if (score > best_score) {
        best_score = score;
        best = static_cast<Arm>(i);
      }
    }
    return Vault::release(best);
  }

 private:
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
};

}  // namespace tacit::privacy
