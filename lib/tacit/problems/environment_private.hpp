// An environment that may be shared: histories are generated from noisy means that are released once,
// never from the true ones (environment privacy; Basu, Dimitrakakis & Tossou, arXiv:1905.12298, Def. 5).
//
// What is secret: the vector nu of true means. What is released: nu_j + noise of scale 1/eps for every
// arm, once. Two environments nu, nu' differ in it by exp(eps ||nu - nu'||_1) at most (Laplace mechanism
// at L1 sensitivity ||nu - nu'||_1); clipping to [0, 1], every history, and the regret, which is computed
// from the released means, come after it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tacit/privacy/guarantee.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/random/secure.hpp"

namespace tacit::problems {

/// The true means, sealed. Each in [0, 1].
privacy::SecretVector<Outcome> seal_means(const std::vector<double>& means);

struct ReleasedEnvironment {
  std::shared_ptr<const IndependentArms> problem;  // built from released means only
  privacy::Guarantee guarantee;  // notion environment; epsilon of two that are at L1 distance 1
};

/// For experiments that must repeat: the same key gives the same release. Whoever knows the key knows the
/// noise, so what this returns must not be shared.
ReleasedEnvironment release_environment(const privacy::SecretVector<Outcome>& true_means,
                                        double epsilon, Rewards rewards,
                                        const random::SimulationKey& key);

/// For sharing: exact Laplace noise (privacy/grid.hpp) from secure randomness; epsilon in [2^-10, 2^20].
/// Cutting the means to the grid can add a step, a millionth of the noise's scale, an arm to the distance
/// between two environments, however close they are; the guarantee counts it.
ReleasedEnvironment release_environment(const std::vector<double>& true_means, double epsilon,
                                        Rewards rewards, random::SecureSource& source);

}  // namespace tacit::problems
