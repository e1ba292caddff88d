#include "tacit/problems/environment_private.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/privacy/discrete_laplace.hpp"
#include "tacit/privacy/laplace.hpp"

namespace tacit::problems {
namespace {

constexpr Round kGrid = Round{1} << 20;         // released means are multiples of 1/kGrid
constexpr Round kEpsilonGrid = Round{1} << 10;  // epsilons are multiples of 1/kEpsilonGrid

ReleasedEnvironment environment(std::vector<double> released, Rewards rewards,
                                const privacy::Loss& loss_per_unit) {
  privacy::Guarantee guarantee =
      privacy::compose(privacy::Notion::kEnvironment, "the released means", 1, loss_per_unit);
  guarantee.neighbours = "environments at L1 distance 1; epsilon grows in proportion";
  guarantee.because = fmt::format(
      "another environment at L1 distance 1 (and in proportion) moves the released means by as "
      "much; they "
      "are released once, by {}, and histories and regret use nothing else",
      loss_per_unit.mechanism);
  return {std::make_shared<IndependentArms>(std::move(released), rewards), std::move(guarantee)};
}

}  // namespace

privacy::SecretVector<Outcome> seal_means(const std::vector<double>& means) {
  privacy::SecretVector<Outcome> sealed(means.size());
  for (std::size_t i = 0; i < means.size(); ++i) {
    check::within("seal_means", "mean", means[i], 0, 1);
    sealed.set(i, privacy::Secret<Outcome>(Outcome::nearest(means[i])));
  }
  return sealed;
}

ReleasedEnvironment release_environment(const privacy::SecretVector<Outcome>& true_means,
                                        double epsilon, Rewards rewards,
                                        const random::SimulationKey& key) {
  check::positive("release_environment", "epsilon", epsilon);
  const privacy::Laplace noise(1 / epsilon);
  std::vector<double> released;
  for (std::size_t i = 0; i < true_means.size(); ++i) {
    const auto report = noise.report(true_means[i], key.at(random::Purpose::kEnvironment, i));
    released.push_back(std::clamp(report.value(), 0.0, 1.0));
  }
  return environment(std::move(released), rewards, noise.loss({.l1 = 1}));
}

ReleasedEnvironment release_environment(const std::vector<double>& true_means, double epsilon,
                                        Rewards rewards, random::SecureSource& source) {
  check::within("release_environment", "epsilon", epsilon, 1.0 / kEpsilonGrid,
                static_cast<double>(kGrid));
  const auto steps = static_cast<Round>(std::floor(epsilon * kEpsilonGrid));
  // epsilon for a distance of 1 is kGrid times the epsilon for one step of the grid.
  const privacy::DiscreteLaplace noise(steps, kEpsilonGrid * kGrid);
  std::vector<double> released;
  for (const double mean : true_means) {
    check::within("release_environment", "mean", mean, 0, 1);
    const privacy::Secret<Sum> on_grid(Sum::repeated(Outcome::nearest(mean), kGrid));
    const auto units = noise.release(on_grid, source).value();
    released.push_back(std::clamp(static_cast<double>(units) / kGrid, 0.0, 1.0));
  }
  ReleasedEnvironment result =
      environment(std::move(released), rewards, noise.loss({.l1 = static_cast<double>(kGrid)}));
  result.guarantee.arithmetic = privacy::Arithmetic::kExact;
  result.guarantee.randomness = privacy::Randomness::kSecure;
  return result;
}

}  // namespace tacit::problems
