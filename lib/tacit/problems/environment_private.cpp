#include "tacit/problems/environment_private.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/noise_reserve.hpp"

namespace tacit::problems {
namespace {

/// Of a mechanism of Laplace noise that released every mean once.
template <class Mechanism>
ReleasedEnvironment environment(std::vector<double> released, Rewards rewards,
                                const Mechanism& mechanism) {
  const auto arms = static_cast<int>(released.size());
  const privacy::Loss loss = mechanism.loss(privacy::Sensitivity::l1_ball(1, arms));
  privacy::Guarantee guarantee =
      privacy::compose(privacy::Notion::kEnvironment, "the released means", 1, loss);
  // One mean that moves by 1 moves by a whole number of steps, to which cutting adds nothing.
  const double per_unit = mechanism.loss(privacy::kOneOutcome).epsilon;
  const double for_cutting = arms * mechanism.step() * per_unit;
  guarantee.neighbours =
      for_cutting == 0
          ? "environments at L1 distance 1; epsilon grows in proportion"
          : fmt::format(
                "environments at L1 distance 1; at distance d, however small, epsilon is "
                "{:.6g} d + {:.3g}",
                per_unit, for_cutting);
  guarantee.because = fmt::format(
      "another environment at L1 distance 1 moves the released means by as much{}; they are "
      "released once, by {}, and histories and regret use nothing else",
      for_cutting == 0
          ? ""
          : fmt::format(" and, where they are cut to the grid, each by up to {:.3g} more",
                        mechanism.step()),
      loss.mechanism);
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
  return environment(std::move(released), rewards, noise);
}

ReleasedEnvironment release_environment(const std::vector<double>& true_means, double epsilon,
                                        Rewards rewards, random::SecureSource& source) {
  check::within("release_environment", "epsilon", epsilon, 0x1p-10, 0x1p20);
  // All noise is drawn before any mean is touched.
  privacy::NoiseReserve noise(privacy::ExactLaplace(1 / epsilon),
                              std::max<std::size_t>(1, true_means.size()), source);
  const privacy::SecretVector<Outcome> sealed = seal_means(true_means);
  std::vector<double> released;
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    released.push_back(std::clamp(noise.report(sealed[i]).value(), 0.0, 1.0));
  }
  ReleasedEnvironment result = environment(std::move(released), rewards, noise);
  result.guarantee.randomness = privacy::Randomness::kSecure;
  return result;
}

}  // namespace tacit::problems
