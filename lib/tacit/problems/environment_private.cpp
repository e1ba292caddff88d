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

/// What a release of all means costs, by a mechanism of Laplace noise.
template <class Mechanism>
EnvironmentLoss loss_of(const Problem& truth, const Mechanism& mechanism) {
  // One mean that moves by 1 moves by a whole number of steps, to which cutting adds nothing.
  const double per_unit = mechanism.loss(privacy::kOneOutcome).epsilon;
  const auto means = static_cast<double>(truth.environment().size());
  return {per_unit, means * mechanism.step() * per_unit};
}

/// How far another environment moves what is released of this one.
std::string movement(const Problem& truth, double step) {
  return fmt::format(
      "another environment at L1 distance 1{} moves the released means by as much{}",
      truth.dependence() == Dependence::kInGroups ? " (one mean a group of arms)" : "",
      step == 0
          ? ""
          : fmt::format(" and, where they are cut to the grid, each by up to {:.3g} more", step));
}

/// `releases` of all means, together.
template <class Mechanism>
privacy::Guarantee guarantee_of(const Problem& truth, const Mechanism& mechanism, int releases) {
  const auto means = static_cast<int>(truth.environment().size());
  const privacy::Loss loss = mechanism.loss(privacy::Sensitivity::l1_ball(1, means));
  privacy::Guarantee guarantee =
      privacy::compose(privacy::Notion::kEnvironment, "the released means", releases, loss);
  const auto [per_unit, for_cutting] = loss_of(truth, mechanism);
  guarantee.neighbours =
      for_cutting == 0
          ? "environments at L1 distance 1; epsilon grows in proportion"
          : fmt::format(
                "environments at L1 distance 1; at distance d, however small, epsilon is "
                "{:.6g} d + {:.3g}",
                releases * per_unit, releases * for_cutting);
  return guarantee;
}

template <class Mechanism>
ReleasedEnvironment environment(const Problem& truth, std::vector<double> released,
                                const Mechanism& mechanism) {
  privacy::Guarantee guarantee = guarantee_of(truth, mechanism, 1);
  guarantee.because = fmt::format(
      "{}; they are released once, by {}, and histories and regret use nothing else",
      movement(truth, mechanism.step()), mechanism.loss(privacy::kOneOutcome).mechanism);
  return {truth.in_environment(std::move(released)), std::move(guarantee),
          loss_of(truth, mechanism)};
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

privacy::Guarantee guarantee_of_runs(const Problem& truth, double epsilon, std::int64_t runs) {
  check_made_of_means(truth);
  check::positive("guarantee_of_runs", "epsilon", epsilon);
  check::within("guarantee_of_runs", "runs", static_cast<double>(runs), 1, 100000000);
  const privacy::Laplace noise(1 / epsilon);
  privacy::Guarantee guarantee = guarantee_of(truth, noise, static_cast<int>(runs));
  guarantee.because = fmt::format(
      "{}; every run releases them anew, by {}, which costs {:.6g}{}; regret is against the true "
      "means, which nothing protects, and the noise follows from the seed: this must not be shared",
      movement(truth, noise.step()), noise.loss(privacy::kOneOutcome).mechanism,
      noise.loss(privacy::kOneOutcome).epsilon,
      runs == 1
          ? ""
          : fmt::format(", so that the histories of {} runs cost {:.6g}", runs, guarantee.epsilon));
  return guarantee;
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
