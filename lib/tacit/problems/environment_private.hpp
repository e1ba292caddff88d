// An environment that may be shared (seed 002, Def. 5): histories are generated from noisy means
// that are released once, never from the true ones.
//
// What is secret: the vector nu of true means. What is released: nu_j + Lap(1/eps) for every arm,
// once. Two environments nu, nu' differ in it by exp(eps ||nu - nu'||_1) at most (Laplace mechanism
// at L1 sensitivity
// ||nu - nu'||_1); clipping to [0, 1], every history, and the regret, which is computed from the
// released means, come after it.
#pragma once

#include <memory>
#include <vector>

#include "tacit/privacy/guarantee.hpp"
#include "tacit/problems/independent_arms.hpp"

namespace tacit::problems {

/// The true means, sealed. Each in [0, 1].
privacy::SecretVector<Outcome> seal_means(const std::vector<double>& means);

struct ReleasedEnvironment {
  std::shared_ptr<const IndependentArms> problem;  // built from released means only
  privacy::Guarantee guarantee;  // notion environment; epsilon per unit of L1 distance
};

/// Releases the means once. The same key gives the same release.
ReleasedEnvironment release_environment(const privacy::SecretVector<Outcome>& true_means,
                                        double epsilon, Rewards rewards,
                                        const random::SimulationKey& key);

}  // namespace tacit::problems
