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
  check::within("release_environment", "epsilon", epsilon, 0x1p-10, 0x1p20);
  // All noise is drawn before any mean is touched.
  privacy::NoiseReserve noise(privacy::Laplace(1 / epsilon),
                              std::max<std::size_t>(1, true_means.size()), source);
  const privacy::SecretVector<Outcome> sealed = seal_means(true_means);
  std::vector<double> released;
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    released.push_back(std::clamp(noise.report(sealed[i]).value(), 0.0, 1.0));
  }
  ReleasedEnvironment result =
      environment(std::move(released), rewards, noise.loss({.linf = 1, .l1 = 1}));
  result.guarantee.randomness = privacy::Randomness::kSecure;
  return result;
}

}  // namespace tacit::problems
