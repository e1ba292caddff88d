#include "tacit/problems/environment_private.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/privacy/laplace.hpp"

namespace tacit::problems {

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
  // Sensitivity 1 stands for one unit of L1 distance between two environments.
  privacy::Guarantee guarantee = privacy::compose(
      privacy::Notion::kEnvironment, "the released means by its L1 distance", 1,
      noise.loss({.l0 = static_cast<double>(released.size()), .linf = 1, .l1 = 1, .l2 = 1}));
  guarantee.neighbours = "environments at L1 distance 1; epsilon grows in proportion";
  guarantee.because = fmt::format(
      "another environment moves the released means by their L1 distance; they are released once, "
      "by "
      "{}, and histories and regret use nothing else",
      noise.loss({.l1 = 1}).mechanism);
  return {std::make_shared<IndependentArms>(std::move(released), rewards), std::move(guarantee)};
}

}  // namespace tacit::problems
