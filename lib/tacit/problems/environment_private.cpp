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
ReleasedEnvironment environment(const Problem& truth, std::vector<double> released,
                                const Mechanism& mechanism) {
  const auto means = static_cast<int>(released.size());
  const privacy::Loss loss = mechanism.loss(privacy::Sensitivity::l1_ball(1, means));
  privacy::Guarantee guarantee =
      privacy::compose(privacy::Notion::kEnvironment, "the released means", 1, loss);
  // One mean that moves by 1 moves by a whole number of steps, to which cutting adds nothing.
  const double per_unit = mechanism.loss(privacy::kOneOutcome).epsilon;
  const double for_cutting = means * mechanism.step() * per_unit;
  guarantee.neighbours =
      for_cutting == 0
          ? "environments at L1 distance 1; epsilon grows in proportion"
          : fmt::format(
                "environments at L1 distance 1; at distance d, however small, epsilon is "
                "{:.6g} d + {:.3g}",
                per_unit, for_cutting);
  guarantee.because = fmt::format(
      "another environment at L1 distance 1{} moves the released means by as much{}; they are "
      "released once, by {}, and histories and regret use nothing else",
      truth.dependence() == Dependence::kInGroups ? " (one mean a group of arms)" : "",
      for_cutting == 0
          ? ""
          : fmt::format(" and, where they are cut to the grid, each by up to {:.3g} more",
                        mechanism.step()),
      loss.mechanism);
  return {truth.in_environment(std::move(released)), std::move(guarantee), {per_unit, for_cutting}};
}

double in_range(const privacy::Released<double>& mean) {
  return std::clamp(mean.value(), 0.0, 1.0);
}

privacy::SecretVector<Outcome> sealed_environment(const Problem& truth) {
  return seal_means({truth.environment().begin(), truth.environment().end()});
}

void check_made_of_means(const Problem& truth) {
  if (!truth.environment().empty()) return;
  throw InvalidParameter("release_environment", "problem", truth.name(),
                         "is not made of means that could be released");
}

ReleasedEnvironment released(const Problem& truth, const privacy::SecretVector<Outcome>& sealed,
                             double epsilon, const random::SimulationKey& key) {
  check::positive("release_environment", "epsilon", epsilon);
  const privacy::Laplace noise(1 / epsilon);
  std::vector<double> means;
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    means.push_back(in_range(noise.report(sealed[i], key.at(random::Purpose::kEnvironment, i))));
  }
  return environment(truth, std::move(means), noise);
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

ReleasedEnvironment release_environment(const Problem& truth, double epsilon,
                                        const random::SimulationKey& key) {
  check_made_of_means(truth);
  return released(truth, sealed_environment(truth), epsilon, key);
}

ReleasedEnvironment release_environment(const privacy::SecretVector<Outcome>& true_means,
                                        double epsilon, Rewards rewards,
                                        const random::SimulationKey& key) {
  // Of the truth only its form is asked for.
  const IndependentArms form(std::vector<double>(true_means.size(), 0), rewards);
  return released(form, true_means, epsilon, key);
}

ReleasedEnvironment release_environment(const Problem& truth, double epsilon,
                                        random::SecureSource& source) {
  check::within("release_environment", "epsilon", epsilon, 0x1p-10, 0x1p20);
  check_made_of_means(truth);
  // All noise is drawn before any mean is touched.
  privacy::NoiseReserve noise(privacy::ExactLaplace(1 / epsilon), truth.environment().size(),
                              source);
  const privacy::SecretVector<Outcome> sealed = sealed_environment(truth);
  std::vector<double> means;
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    means.push_back(in_range(noise.report(sealed[i])));
  }
  ReleasedEnvironment result = environment(truth, std::move(means), noise);
  result.guarantee.randomness = privacy::Randomness::kSecure;
  return result;
}

ReleasedEnvironment release_environment(const std::vector<double>& true_means, double epsilon,
                                        Rewards rewards, random::SecureSource& source) {
  return release_environment(IndependentArms(true_means, rewards), epsilon, source);
}

}  // namespace tacit::problems
