// An environment that may be shared: histories are generated from noisy means that are released once,
// never from the true ones (environment privacy; Basu, Dimitrakakis & Tossou, arXiv:1905.12298, Def. 5).
//
// What is secret: the vector nu of true means, one for every arm, or for every group of arms with equal outcomes
// (Problem::environment). What is public: which arms there are, which of them share their outcomes, what may be played,
// the law of rewards given their mean. What is released: nu_j + noise of scale 1/eps for every mean, once. The metric is
// L1: two environments nu, nu' differ in what is released by exp(eps ||nu - nu'||_1) at most (Laplace mechanism
// at L1 sensitivity ||nu - nu'||_1). Clipping to [0, 1] and every history come after it, and so does the regret where it is
// computed from the released means.
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

/// What a release costs two environments at an L1 distance.
struct EnvironmentLoss {
  double per_unit = 0;
  double for_cutting = 0;  // to the grid, of all means together; 0 for idealised noise

  double at(double distance) const noexcept {
    return distance == 0 ? 0 : per_unit * distance + for_cutting;
  }
};

struct ReleasedEnvironment {
  std::shared_ptr<const Problem> problem;  // built from released means only
  privacy::Guarantee guarantee;  // notion environment; epsilon of two that are at L1 distance 1
  EnvironmentLoss loss;          // of two at any distance
};

/// For experiments that must repeat: the same key gives the same release. Whoever knows the key knows the
/// noise, so what this returns must not be shared. Throws InvalidParameter for a problem that is not made of means.
ReleasedEnvironment release_environment(const Problem& truth, double epsilon,
                                        const random::SimulationKey& key);
ReleasedEnvironment release_environment(const privacy::SecretVector<Outcome>& true_means,
                                        double epsilon, Rewards rewards,
                                        const random::SimulationKey& key);

/// What such releases cost together, one in each of `runs` runs, where regret is against the truth.
privacy::Guarantee guarantee_of_runs(const Problem& truth, double epsilon, std::int64_t runs);

/// For sharing: exact Laplace noise (privacy/grid.hpp) from secure randomness; epsilon in [2^-10, 2^20].
/// Cutting the means to the grid can add a step, a millionth of the noise's scale, a mean to the distance
/// between two environments, however close they are; the guarantee counts it.
ReleasedEnvironment release_environment(const Problem& truth, double epsilon,
                                        random::SecureSource& source);
ReleasedEnvironment release_environment(const std::vector<double>& true_means, double epsilon,
                                        Rewards rewards, random::SecureSource& source);

}  // namespace tacit::problems
